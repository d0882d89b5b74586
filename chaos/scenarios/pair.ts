import { type Ground, openAccounts } from "../ground.ts";
import { type Books, checkMoney } from "../money.ts";
import type { OwnServer } from "../own-servers.ts";
import type { Findings } from "../scenario.ts";
import type { OwnService } from "../services.ts";
import { beginStorm, type Storm } from "../storm.ts";

const CREDITS = 1_000_000;
export const PAIR_CONNECTIONS = 24;

/** Two services on one PostgreSQL and one Valkey, and callers of four accounts. */
export type Pair = {
  readonly postgres: OwnServer;
  readonly valkey: OwnServer;
  readonly services: readonly [OwnService, OwnService];
  readonly keys: readonly string[];
  readonly books: Books;
  readonly storm: (name: string) => Storm;
  readonly checkMoney: (calls: Storm["calls"], findings: Findings, unanswered: number) => Promise<void>;
};

export type PairOptions = {
  /** Where the services find the database, when not at its own port. */
  readonly databaseUrl?: (postgres: OwnServer) => Promise<string>;
  readonly valkeyEnv?: NodeJS.ProcessEnv;
};

/** Starts all of it. */
export async function startPair(ground: Ground, options: PairOptions = {}): Promise<Pair> {
  const [postgres, valkey] = await Promise.all([ground.postgres(), ground.valkey(options.valkeyEnv)]);
  const { db, accounts } = await ground.open(postgres.url);
  const owners = await openAccounts(accounts, 4, { credits: CREDITS });
  const databaseUrl = (await options.databaseUrl?.(postgres)) ?? postgres.url;
  const env = { DATABASE_URL: databaseUrl, VALKEY_URL: valkey.url };
  const services = [await ground.service({ env }), await ground.service({ env })] as const;
  ground.say("Starting two services");
  await Promise.all(services.map(({ start }) => start()));
  const keys = owners.map(({ key }) => key);
  const ports = services.map(({ port }) => port);
  const books = { db, accounts, owners, granted: CREDITS };
  return {
    postgres,
    valkey,
    services,
    keys,
    books,
    storm: (name) => beginStorm({ name, keys, connections: PAIR_CONNECTIONS, ports: () => ports }),
    checkMoney: (calls, findings, unanswered) => checkMoney(books, calls, findings, unanswered),
  };
}
