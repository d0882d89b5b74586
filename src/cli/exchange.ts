import { isPostgresUrl } from "../db/postgres-url.ts";
import type { FeedExchange } from "../feeds/sharing/exchange.ts";
import type { CliContext } from "./command.ts";

/**
 * One piece of work with what processes on other data folders have in common, when there may be any: lists go to them through
 * PostgreSQL. Null: there are none. Rejects when the database is away; with `isOptional` the work is then done
 * without it, and a warning says so.
 */
export async function withExchange<T>(
  { config: loadConfig, clock, random, warn }: CliContext,
  work: (exchange: FeedExchange | null) => Promise<T>,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Promise<T> {
  const { databaseUrl } = await loadConfig();
  if (!isPostgresUrl(databaseUrl)) return work(null);
  const { openDatabase } = await import("../db/database.ts");
  const { createDatabaseExchange } = await import("../feeds/sharing/database-exchange.ts");
  const db = await openDatabase({ url: databaseUrl, clock }).catch((error: unknown) => {
    if (!isOptional) throw error;
    return null;
  });
  if (db === null) {
    warn("warning: the database cannot be reached; lists of other processes are not taken into account");
    return work(null);
  }
  try {
    return await work(createDatabaseExchange(db, random.uuid()));
  } finally {
    await db.close();
  }
}
