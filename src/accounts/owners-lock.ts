import { sql, type Transaction } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { StoreDeps } from "./account-rows.ts";

// Any number that nothing else uses for an advisory lock: "owner" in ASCII.
const OWNERS_LOCK = 0x6f_77_6e_65_72;

/**
 * Lets whatever may take an owner from the installation (deleting, disabling or demoting an account) happen one after the
 * other: of two owners who end one another, or leave, at once, the second finds what the first has left. Taken before any
 * account's row is locked. SQLite's BEGIN IMMEDIATE is the lock.
 */
export async function lockOwners(trx: Transaction<Schema>, { db }: Pick<StoreDeps, "db">): Promise<void> {
  if (db.dialect !== "postgres") return;
  await sql`select pg_advisory_xact_lock(${OWNERS_LOCK}::bigint)`.execute(trx);
}
