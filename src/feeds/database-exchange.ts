import { type Kysely, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { MAX_CLAIM_MS } from "./claims.ts";
import type { FeedExchange, Shared } from "./exchange.ts";
import { feedStateSchema } from "./state.ts";

/** The server's clock in milliseconds: claims are between machines, whose clocks differ. */
const SERVER_NOW_MS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Lists exchanged through PostgreSQL; null for SQLite, whose one data folder needs none. `self` is a text that no other
 * process has. A claim is one conditional statement and ends by itself after its process; an outcome is published only by
 * who still holds the claim. Its functions reject while the database is away.
 */
export const createDatabaseExchange = (database: Database, self: string): FeedExchange | null =>
  database.dialect === "postgres" ? createPostgresExchange(database.kysely, self) : null;

function createPostgresExchange(db: Kysely<Schema>, self: string): FeedExchange {
  /** Version of each list as this process knows it. */
  const seen = new Map<string, number>();
  const takeChanges: FeedExchange["takeChanges"] = async (keys, take) => {
    const rows = await db
      .selectFrom("feed_states")
      .select(["key", "version"])
      .where("version", ">", 0)
      .execute();
    const wanted = new Set(keys);
    const news = rows.filter(({ key, version }) => wanted.has(key) && seen.get(key) !== version);
    for (const { key } of news) {
      const row = await db
        .selectFrom("feed_states")
        .select(["version", "state"])
        .where("key", "=", key)
        .executeTakeFirst();
      if (row === undefined) continue;
      const state = feedStateSchema.safeParse(parseOrNull(row.state ?? ""));
      // What a newer version of this program wrote is not for us.
      if (state.success) await take({ key, state: state.data });
      seen.set(key, row.version);
    }
  };
  return {
    claim: (key) => claim(db, key, self),
    release: async (key) => {
      await db
        .updateTable("feed_states")
        .set({ claimed_by: null, claimed_until: 0 })
        .where("key", "=", key)
        .where("claimed_by", "=", self)
        .execute();
    },
    publish: async (shared) => {
      const version = await publish(db, shared, self);
      if (version !== null) seen.set(shared.key, version);
    },
    takeChanges,
    content: (key, hash) => content(db, key, hash),
  };
}

async function claim(db: Kysely<Schema>, key: string, self: string): Promise<boolean> {
  const until = sql<number>`${SERVER_NOW_MS} + ${MAX_CLAIM_MS}`;
  const taken = await db
    .insertInto("feed_states")
    .values({ key, version: 0, state: null, claimed_by: self, claimed_until: until })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ claimed_by: self, claimed_until: until })
        .where("feed_states.claimed_until", "<", SERVER_NOW_MS),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}

async function content(db: Kysely<Schema>, key: string, hash: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("feed_contents")
    .select("packed")
    .where("key", "=", key)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row?.packed ?? null;
}

/** The new version, or null when the claim had ended: then the outcome of who took it counts. */
const publish = (
  db: Kysely<Schema>,
  { key, state, packed }: Shared & { readonly packed: Uint8Array | null },
  self: string,
): Promise<number | null> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("feed_states")
      .set({ state: JSON.stringify(state), version: sql<number>`version + 1` })
      .where("key", "=", key)
      .where("claimed_by", "=", self)
      .returning("version")
      .executeTakeFirst();
    if (row === undefined) return null;
    if (packed !== null && state.contentHash !== null) {
      const content = { hash: state.contentHash, packed: Buffer.from(packed) };
      await trx
        .insertInto("feed_contents")
        .values({ key, ...content })
        .onConflict((conflict) => conflict.column("key").doUpdateSet(content))
        .execute();
    }
    return row.version;
  });

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
