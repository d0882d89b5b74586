import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Accounts, createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { type Database, openDatabase } from "../src/db/database.ts";
import { startDnsServer } from "../test/servers/dns-server.ts";
import { onInternet } from "../test/servers/resolvers.ts";
import { type OwnServer, startOwnPostgres, startOwnValkey } from "./own-servers.ts";
import { createService, type OwnService, type ServiceWish } from "./services.ts";

/** An account of a scenario. */
export type OwnAccount = { readonly id: string; readonly email: string; readonly key: string };

/** Where one scenario happens: everything is its own and goes with it. */
export type Ground = {
  /** An empty folder. */
  readonly dir: string;
  readonly say: (text: string) => void;
  readonly postgres: () => Promise<OwnServer>;
  readonly valkey: (env?: NodeJS.ProcessEnv) => Promise<OwnServer>;
  /** A folder with the seed's snapshots, as after a first start. */
  readonly dataDir: () => Promise<string>;
  /** A service that is not started yet, in a data folder of its own unless one is given. */
  readonly service: (wish?: Partial<Omit<ServiceWish, "resolver">>) => Promise<OwnService>;
  readonly open: (url: string) => Promise<{ readonly db: Database; readonly accounts: Accounts }>;
  /** To be done at the end, the last one first. */
  readonly later: (close: () => unknown) => void;
  readonly close: () => Promise<void>;
};

export type GroundParts = {
  /** Puts the seed's snapshots into a data folder. */
  readonly putSnapshots: (dataDir: string) => Promise<void>;
  readonly say: (text: string) => void;
};

/** What services compiled: they start in half the time. */
const COMPILED = fileURLToPath(new URL("../node_modules/.cache/chaos", import.meta.url));

/** An empty ground with a resolver that knows no name. */
export async function createGround({ putSnapshots, say }: GroundParts): Promise<Ground> {
  const dir = mkdtempSync(join(tmpdir(), "repute-chaos-"));
  const closers: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })];
  const script = onInternet(({ name, type }) => {
    if (type !== "A" || /^(\d+|[0-9a-f])\./i.test(name)) return { rcode: 3 };
    // Publishers of lists are this machine, where no server answers.
    return { answers: [{ type: "A", data: "127.0.0.1" }] };
  });
  const resolver = await startDnsServer(script);
  closers.push(resolver.close);
  let folders = 0;
  const dataDir = async (): Promise<string> => {
    const folder = join(dir, `data-${++folders}`);
    mkdirSync(folder, { mode: 0o700 });
    await putSnapshots(folder);
    mkdirSync(COMPILED, { recursive: true });
    symlinkSync(COMPILED, join(folder, "compile-cache"));
    return folder;
  };
  const own = async (starting: Promise<OwnServer>): Promise<OwnServer> => {
    const server = await starting;
    closers.push(server.remove);
    return server;
  };
  return {
    dir,
    say,
    dataDir,
    postgres: () => own(startOwnPostgres()),
    valkey: (env) => own(startOwnValkey(env)),
    service: async (wish = {}) => {
      const folder = wish.dataDir ?? (await dataDir());
      const service = await createService({ ...wish, dataDir: folder, resolver: resolver.address });
      closers.push(service.kill);
      return service;
    },
    open: async (url) => {
      const db = await openDatabase({ url, clock: systemClock });
      closers.push(db.close);
      return { db, accounts: createAccounts({ db, clock: systemClock, random: systemRandom }) };
    },
    later: (close) => void closers.push(close),
    close: async () => {
      for (const close of closers.toReversed()) await close();
    },
  };
}

/** So many new accounts of a plan, Enterprise unless said otherwise. */
export async function openAccounts(
  accounts: Accounts,
  count: number,
  { credits, plan = "Enterprise" }: { readonly credits?: number; readonly plan?: string } = {},
): Promise<readonly OwnAccount[]> {
  const opened: OwnAccount[] = [];
  for (let i = 0; i < count; i++) {
    const email = `${systemRandom.uuid()}@example.org`;
    const { id } = await accounts.createAccount({ email, plan });
    if (credits !== undefined) await accounts.setCredits({ email, credits });
    opened.push({ id, email, key: (await accounts.createKey({ email })).text });
  }
  return opened;
}
