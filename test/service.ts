import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Accounts, createAccounts } from "../src/accounts/account-store.ts";
import { startService } from "../src/app/start-service.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { createLog } from "../src/base/log.ts";
import { loadConfig } from "../src/config/config.ts";
import { type Database, openDatabase } from "../src/db/database.ts";
import { defineEngines } from "../src/engines/definitions.ts";
import { enginesOptionsSchema } from "../src/engines/options.ts";
import { at, contractFaults } from "./contract.ts";
import { type Mailbox, withMailServer } from "./mailbox.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import {
  startDnsServer,
  type TestDnsServer,
  type TestQuestion,
  type TestScript,
} from "./servers/dns-server.ts";
import { onInternet } from "./servers/resolvers.ts";

export type TestRequest = {
  /** Default POST. */
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text and octets go as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Loopback address to call from. */
  readonly from?: string;
};

export type TestAnswer = {
  readonly method: string;
  readonly path: string;
  /** What was asked for, or preferred and applied. */
  readonly view: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** Member at a path of the body's JSON: `of("data", "risk_score", "result")`. */
  readonly of: (...path: readonly string[]) => unknown;
};

export type AccountWish = { plan?: string; credits?: number; email?: string };
export type TestAccount = { readonly id: string; readonly email: string; readonly key: string };

export type TestService = {
  readonly address: string;
  readonly port: number;
  readonly dataDir: string;
  readonly dns: TestDnsServer;
  /** What it mailed so far, where strangers may sign up and the test names no mail server. */
  readonly mails: Mailbox["mails"];
  /** What a person sees at the start. */
  readonly printed: readonly string[];
  /** Everything logged so far. */
  readonly logged: () => string;
  /** The accounts as another process sees them. */
  readonly accounts: Accounts;
  readonly db: Database;
  /** A new account, Enterprise unless said otherwise, with a key. */
  readonly openAccount: (wish?: AccountWish) => Promise<TestAccount>;
  readonly balanceOf: (account: TestAccount) => Promise<number>;
  /** One call on a connection of its own. Throws when the answer breaks the contract. */
  readonly call: (request: TestRequest) => Promise<TestAnswer>;
  /** Stops it; throws when the log holds a key, a terminal code, or a line that is not JSON. */
  readonly close: () => Promise<void>;
};

export type TestServiceOptions = {
  /** Sections of the configuration file; `dns.servers` is filled in. */
  readonly file?: Readonly<Record<string, unknown>>;
  readonly dns?: TestScript;
  readonly databaseUrl?: string;
  readonly valkeyUrl?: string;
  /** Default: a new one with the seed's snapshots, removed at the end. */
  readonly dataDir?: string;
  readonly bootstrap?: boolean;
};

/** No such name. */
export const NXDOMAIN = { rcode: 3 } as const;

/**
 * A resolver that knows no name, but for hosts that lists are retrieved from: those are this machine, where no server
 * answers, so that the system's resolver is not asked for them. A question of a zone begins with a number.
 */
export const knowsNobody: TestScript = onInternet((question) => {
  if (!isHostQuestion(question)) return NXDOMAIN;
  return question.type === "A" ? { answers: [{ type: "A", data: "127.0.0.1" }] } : {};
});

/** Knows hosts as `knowsNobody` does, and says nothing else. */
export const keepsSilent: TestScript = onInternet((question) =>
  isHostQuestion(question) ? knowsNobody(question) : "silence",
);

const isHostQuestion = ({ name, type }: TestQuestion): boolean =>
  (type === "A" || type === "AAAA") && !/^(\d+|[0-9a-f])\./i.test(name);

/** Built-in zones are off unless a test configures engines: each look-up would ask all of them. */
export const BUILTIN_ZONES = defineEngines({ engines: enginesOptionsSchema.parse({}), allowlists: [] })
  .filter(({ engine }) => engine.kind === "dnsbl" && engine.disabled === null)
  .map(({ engine }) => engine.key);
/** No server listens there: registries are unavailable unless a test brings its own. */
const NO_REGISTRIES = "http://127.0.0.1:1/";

/** The service in this process, on a free port, with a loopback resolver that `knowsNobody` unless it is told. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dns = await startDnsServer(options.dns ?? knowsNobody);
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "repute-service-"));
  if (options.dataDir === undefined) await putSnapshots(dataDir);
  const { file, smtp } = await withMailServer(options.file);
  const config = loadConfig({ env: environmentOf(dataDir, dns, { ...options, file }), cwd: dataDir });
  const lines: string[] = [];
  const printed: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const service = await startService(config, { log, print: (line) => printed.push(line) });
  const db = await openDatabase({ url: config.databaseUrl, clock: systemClock });
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const keys: string[] = printed.flatMap((line) => line.match(/rpt_\w{43}/g) ?? []);
  const port = Number(new URL(service.address).port);
  return {
    address: service.address,
    port,
    dataDir,
    dns,
    mails: smtp?.mails ?? [],
    printed,
    logged: () => lines.join(""),
    accounts,
    db,
    openAccount: async (wish) => {
      const account = await openTestAccount(accounts, wish);
      keys.push(account.key);
      return account;
    },
    balanceOf: async ({ email }) => (await accounts.findAccount(email))?.credits ?? Number.NaN,
    call: (wish) => callService(port, wish),
    close: async () => {
      await service.close();
      await db.close();
      await dns.close();
      await smtp?.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      assertCleanLog(lines.join(""), keys);
    },
  };
}

/** The variables of a service in `dataDir`; its configuration file is written there. */
export function environmentOf(
  dataDir: string,
  dns: Pick<TestDnsServer, "address">,
  { file = {}, databaseUrl, valkeyUrl, bootstrap = false }: TestServiceOptions = {},
): Record<string, string> {
  const dnsSection = { servers: [dns.address], ...(Object(file["dns"]) as object) };
  const path = join(dataDir, "repute-test.yaml");
  const quiet = { rdap: { bootstrap_url: NO_REGISTRIES }, engines: { disable: BUILTIN_ZONES } };
  writeFileSync(path, stringify({ ...quiet, ...file, dns: dnsSection }));
  return {
    HOST: "127.0.0.1",
    PORT: "0",
    REPUTE_DATA_DIR: dataDir,
    REPUTE_CONFIG: path,
    REPUTE_BOOTSTRAP: bootstrap ? "on" : "off",
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(valkeyUrl === undefined ? {} : { VALKEY_URL: valkeyUrl }),
  };
}

let accountCount = 0;

/** A new account, Enterprise unless said otherwise, with a key. */
export async function openTestAccount(
  accounts: Accounts,
  { plan = "Enterprise", credits, email = `account-${++accountCount}@example.com` }: AccountWish = {},
): Promise<TestAccount> {
  const { id } = await accounts.createAccount({ email, plan });
  if (credits !== undefined) await accounts.setCredits({ email, credits });
  const { text } = await accounts.createKey({ email });
  return { id, email, key: text };
}

/** One call; throws when the answer breaks the contract. */
export async function callService(port: number, wish: TestRequest): Promise<TestAnswer> {
  const answer = await exchange(port, wish);
  const faults = contractFaults(answer);
  if (faults.length > 0) {
    const what = `${answer.method} ${answer.path}: ${answer.status} ${answer.text.slice(0, 500)}`;
    throw new Error(`The answer breaks the contract: ${faults.slice(0, 5).join("; ")}\n${what}`);
  }
  return answer;
}

/** A call that is made again whenever it gets a 429, or another status of `again`, after the seconds that the answer names. */
export async function callPatiently(
  service: Pick<TestService, "call">,
  wish: TestRequest,
  again: readonly number[] = [429],
): Promise<TestAnswer> {
  for (;;) {
    const answer = await service.call(wish);
    if (!again.includes(answer.status)) return answer;
    await systemClock.sleep(1000 * Number(answer.headers["retry-after"]));
  }
}

async function exchange(port: number, wish: TestRequest): Promise<TestAnswer> {
  const { method = "POST", path } = wish;
  const body = bodyOf(wish.body);
  const headers: Record<string, string | string[]> = {
    ...(wish.key === undefined ? {} : { "x-api-key": wish.key }),
    ...(body === null ? {} : { "content-type": "application/json", "content-length": String(body.length) }),
    ...Object.fromEntries(
      Object.entries(wish.headers ?? {}).map(([name, value]) => [
        name,
        typeof value === "string" ? value : [...value],
      ]),
    ),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { port, host: "127.0.0.1", method, path, headers, agent: false };
  const call = request({ ...options, ...(wish.from === undefined ? {} : { localAddress: wish.from }) });
  call.on("response", resolve);
  call.on("error", reject);
  call.end(body ?? undefined);
  const response = await promise;
  const text = await textOf(response);
  return {
    method,
    path: path.split("?", 1)[0] ?? "",
    view: viewOf(path, response),
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    of: (...names) => at(JSON.parse(text), names),
  };
}

function viewOf(path: string, { headers }: IncomingMessage): string {
  const preferred = headers["preference-applied"] === undefined ? "standard" : "compact";
  return new URLSearchParams(path.split("?")[1] ?? "").get("view") ?? preferred;
}

function bodyOf(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Throws unless every line is JSON and none holds a key or a control character (security P12). */
export function assertCleanLog(log: string, keys: readonly string[]): void {
  for (const key of keys) if (log.includes(key.slice(0, 20))) throw new Error("A key stands in the log");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f\u009b]/.test(log))
    throw new Error("A terminal code stands in the log");
  for (const line of log.split("\n")) if (line !== "") JSON.parse(line);
}

/** The names asked for reverse DNS so far: one for each address looked up and not kept. */
export const reverseNames = ({ questions }: Pick<TestDnsServer, "questions">): readonly string[] =>
  questions.filter(({ type }) => type === "PTR").map(({ name }) => name);

/**
 * Waits until something holds; the test's own time-out ends a wait in vain. What takes long is looked at less often: looking
 * takes time from what is waited for.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const sinceMs = systemClock.monotonicMs();
  while (!(await condition())) {
    const waitedMs = systemClock.monotonicMs() - sinceMs;
    await systemClock.sleep(Math.min(50, Math.max(5, waitedMs / 20)));
  }
}
