import { Kysely, sql } from "kysely";
import type { Clock } from "../base/clock.ts";
import { compareSteps, migrate } from "./migrate.ts";
import { openPostgres, type Postgres, twice } from "./postgres.ts";
import { OwnSchemaPostgresDialect } from "./postgres-dialect.ts";
import { isPostgresUrl } from "./postgres-url.ts";
import { createReachability } from "./reachability.ts";
import type { Schema } from "./schema.ts";
import { openServerClock } from "./server-clock.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { DatabaseOutgrown, DatabaseReplaced, mayBeOutgrown } from "./unavailable.ts";

type Common = {
  readonly kysely: Kysely<Schema>;
  /** The schema steps that opening applied; empty when it was the newest already. */
  readonly migrated: readonly string[];
  /** Whether the database can be read and written now; never throws. Looked up at most every 250 ms. */
  readonly isReachable: () => Promise<boolean>;
  /** An error of the database, or DatabaseOutgrown or DatabaseReplaced where its schema is another than this program's; never rejects. */
  readonly explain: (error: unknown) => Promise<unknown>;
  /** The time that decides about what is kept in it: PostgreSQL's, where there are many processes; in SQLite the machine's. */
  readonly clock: Clock;
  /** Ends all connections; what runs is finished first. Afterwards every use throws. May be called twice. */
  readonly close: () => Promise<void>;
};

/** The open database: Kysely for everything, and the driver itself for the ledger's hot path. */
export type Database =
  | (Common & { readonly dialect: "sqlite"; readonly sqlite: Sqlite })
  | (Common & { readonly dialect: "postgres"; readonly postgres: Postgres });

/**
 * Opens the database and brings its schema to the newest step. `url` is the path of a SQLite file (made when missing,
 * 0600) or `postgres://…`. Throws NewerSchema, what the driver throws (read isDatabaseUnavailable), or an Error that
 * names what is wrong with the URL.
 */
export async function openDatabase({ url, clock }: { url: string; clock: Clock }): Promise<Database> {
  if (isPostgresUrl(url)) return openPostgresDatabase(url, clock);
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(url)?.[1];
  if (scheme !== undefined || url === "") {
    throw new Error(`Cannot open the database: expected a file or postgres://…, got "${scheme ?? ""}"`);
  }
  return openSqliteDatabase(url, clock);
}

async function openSqliteDatabase(file: string, clock: Clock): Promise<Database> {
  const sqlite = await openSqlite(file, { clock });
  const kysely = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });
  try {
    const migrated = await migrate(kysely, { dialect: "sqlite" });
    const isReachable = createReachability({ probe: () => probe(kysely, clock), clock });
    return {
      dialect: "sqlite",
      sqlite,
      kysely,
      migrated,
      isReachable,
      clock,
      explain: createExplain(kysely, { dialect: "sqlite", clock }),
      close: () => closeOnce(kysely, sqlite),
    };
  } catch (error) {
    await closeOnce(kysely, sqlite);
    throw error;
  }
}

async function openPostgresDatabase(url: string, clock: Clock): Promise<Database> {
  const migrated = await migratePostgres(url);
  const postgres = await openPostgres(url);
  const kysely = new Kysely<Schema>({ dialect: new OwnSchemaPostgresDialect({ pool: postgres.pool }) });
  const server = await openServerClock(postgres, clock).catch(async (error) => {
    await postgres.close();
    throw error;
  });
  const isReachable = createReachability({ probe: () => twice(() => probe(kysely, server.clock)), clock });
  return {
    dialect: "postgres",
    postgres,
    kysely,
    migrated,
    isReachable,
    clock: server.clock,
    explain: createExplain(kysely, { dialect: "postgres", clock }),
    close: async () => {
      server.close();
      await postgres.close();
    },
  };
}

/** So long after another database was found a connection to it may still be in the pool. */
const REPLACED_FOR_MS = 10_000;

function createExplain(
  kysely: Kysely<Schema>,
  { dialect, clock }: { readonly dialect: "sqlite" | "postgres"; readonly clock: Clock },
): Common["explain"] {
  let replacedAtMs = Number.NEGATIVE_INFINITY;
  return async (error) => {
    if (!mayBeOutgrown(error)) return error;
    const found = await compareSteps(kysely, { dialect }).catch(() => "same");
    if (found === "newer") return new DatabaseOutgrown(error);
    const nowMs = clock.monotonicMs();
    if (found === "older") replacedAtMs = nowMs;
    return nowMs - replacedAtMs < REPLACED_FOR_MS ? new DatabaseReplaced(error) : error;
  };
}

// On a connection of its own, without a query's time limit: an index over many rows takes what it takes.
async function migratePostgres(url: string): Promise<readonly string[]> {
  const postgres = await openPostgres(url, { isPatient: true });
  try {
    return await migrate(
      new Kysely<Schema>({ dialect: new OwnSchemaPostgresDialect({ pool: postgres.pool }) }),
      {
        dialect: "postgres",
      },
    );
  } finally {
    await postgres.close();
  }
}

// Kysely that never ran a query does not end its driver.
async function closeOnce(kysely: Kysely<Schema>, sqlite: Sqlite): Promise<void> {
  await kysely.destroy();
  await sqlite.close();
}

/** A write, because a full or read-only disk still reads. */
async function probe(db: Kysely<Schema>, clock: Clock): Promise<void> {
  const value = String(clock.now().getTime());
  await db
    .insertInto("meta")
    .values({ key: "last_probe", value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
