import { type Kysely, sql } from "kysely";
import { parseOrNull } from "../../base/parse-json.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { SERVER_NOW_MS } from "../../db/server-clock.ts";
import { feedStateSchema } from "../state.ts";
import { CLAIM_LEASE_MS, type FeedExchange, type Shared } from "./exchange.ts";

const LEASE_END_MS = sql<number>`${SERVER_NOW_MS} + ${CLAIM_LEASE_MS}`;

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
    renew: (keys) => setClaim(db, keys, self, { claimed_until: LEASE_END_MS }),
    release: (key) => setClaim(db, [key], self, { claimed_by: null, claimed_until: 0 }),
    publish: async (shared) => {
      const version = await publish(db, shared, self);
      if (version !== null) seen.set(shared.key, version);
    },
    takeChanges,
    hasContent: (key, hash) => hasContent(db, key, hash),
    content: (key, hash) => content(db, key, hash),
  };
}

type Claim = { readonly claimed_by?: null; readonly claimed_until: number | typeof LEASE_END_MS };

/** Changes claims of this process; those of others stay. */
async function setClaim(
  db: Kysely<Schema>,
  keys: readonly string[],
  self: string,
  claim: Claim,
): Promise<void> {
  await db
    .updateTable("feed_states")
    .set(claim)
    .where("key", "in", keys)
    .where("claimed_by", "=", self)
    .execute();
}

async function claim(db: Kysely<Schema>, key: string, self: string): Promise<boolean> {
  const taken = await db
    .insertInto("feed_states")
    .values({ key, version: 0, state: null, claimed_by: self, claimed_until: LEASE_END_MS })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ claimed_by: self, claimed_until: LEASE_END_MS })
        .where("feed_states.claimed_until", "<", SERVER_NOW_MS),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}

async function hasContent(db: Kysely<Schema>, key: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("feed_contents")
    .select("key")
    .where("key", "=", key)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
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
