import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { openDatabase } from "../src/db/database.ts";
import { startDnsServer } from "../test/servers/dns-server.ts";
import { onInternet } from "../test/servers/resolvers.ts";
import { generateLists, writeLists } from "./lists.ts";
import { projectFile, type Started, startNode } from "./processes.ts";

/** More accounts than calls in flight: an Enterprise account may start 100 calls a second, and refusals measure nothing. */
const ACCOUNT_COUNT = 256;
/** Fewer than the service remembers reverse names of, so that rounds wait for no resolver. */
const ADDRESS_COUNT = 4096;

/** An installation with 60 lists of the operator's, accounts to call with and addresses to ask about. */
export type World = {
  readonly dataDir: string;
  readonly listDir: string;
  readonly keys: readonly string[];
  /** Bodies of check-ip. */
  readonly bodies: readonly string[];
  readonly addresses: readonly string[];
  /** The part of the configuration that names the lists. */
  readonly listConfiguration: string;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Writes lists, configuration and accounts into `dir`, and starts the resolver that knows no name. */
export async function createWorld(dir: string, entryCount: number): Promise<World> {
  const dataDir = join(dir, "world");
  const listDir = join(dir, "lists");
  for (const folder of [dataDir, listDir]) mkdirSync(folder, { recursive: true });
  const { lists, addresses } = generateLists(ADDRESS_COUNT, entryCount);
  const configuration = writeLists(listDir, lists);
  const resolver = await startNameless();
  const configFile = join(dir, "world.yaml");
  writeFileSync(configFile, `${configuration}${dnsSection(resolver.address)}`);
  return {
    dataDir,
    listDir,
    keys: await createKeys(join(dataDir, "repute.db")),
    bodies: addresses.map((ip) => JSON.stringify({ ip })),
    addresses,
    listConfiguration: configuration,
    env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: configFile, REPUTE_BOOTSTRAP: "off" },
    close: resolver.close,
  };
}

/** That a name is unknown, for five minutes. */
export const NAMELESS = {
  rcode: 3,
  authorities: [
    {
      type: "SOA",
      name: "arpa",
      ttl: 300,
      data: {
        mname: "a.example",
        rname: "b.example",
        serial: 1,
        refresh: 1,
        retry: 1,
        expire: 1,
        minimum: 300,
      },
    },
  ],
} as const;

/** A resolver to which every name below the top-level domains is unknown: nothing is waited for, nothing leaves the machine. */
export const startNameless = () => startDnsServer(onInternet(() => NAMELESS));

/** The part of a configuration that names the resolver. */
export const dnsSection = (address: string): string => `dns:\n  servers: ["${address}"]\n`;

/** Keys of as many new accounts in the database at `file`. */
export async function createKeys(file: string): Promise<string[]> {
  const db = await openDatabase({ url: file, clock: systemClock });
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNT_COUNT; i++) {
    const account = await accounts.createAccount({ email: `bench-${i}@example.org`, plan: "Enterprise" });
    keys.push((await accounts.createKey({ accountId: account.id })).text);
  }
  await db.close();
  return keys;
}

/** A running service and where it listens. */
export type Serving = { readonly server: Started; readonly port: number };

type ServiceOptions = {
  readonly cpu: number | null;
  readonly onLine?: (line: string) => void;
  readonly flags?: readonly string[];
  readonly under?: readonly string[];
};

/** Starts the service from its sources and resolves when it listens. */
export async function startService(
  env: Readonly<Record<string, string>>,
  { cpu, onLine, flags = [], under = [] }: ServiceOptions,
): Promise<Serving> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = startNode({
    args: [...flags, projectFile("src/main.ts"), "serve"],
    cpu,
    under,
    cwd: env["REPUTE_DATA_DIR"] ?? ".",
    env: { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "warn", ...env },
    onLine: (line) => {
      const port = /^Listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      onLine?.(line);
    },
  });
  server.process.once("exit", () => reject(new Error("The service ended before it listened")));
  return { server, port: await promise };
}

/** Calls check-ip; the answer's status and text. */
export async function checkIp(
  port: number,
  key: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/check-ip`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Resolves with the first 200 of check-ip, however long the data is being prepared. */
export async function firstAnswer({ port }: Serving, key: string, body: string): Promise<string> {
  for (;;) {
    const { status, text } = await checkIp(port, key, body);
    if (status === 200) return text;
    if (status !== 503) throw new Error(`The service answered ${status}: ${text}`);
    await systemClock.sleep(10);
  }
}
