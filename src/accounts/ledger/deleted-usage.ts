import { sql, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { BRING_UP_FROM_HISTORY } from "./usage-rollup.ts";

/** The account under which the daily sums of all deleted accounts stand together. */
export const DELETED_ACCOUNT = "deleted";

/**
 * Moves an account's daily sums to those of the deleted accounts, whose keys have no names. In the transaction that deletes
 * it, its row locked.
 */
export async function addToDeletedDays(
  trx: Transaction<Schema>,
  accountId: string,
  { dialect }: Pick<Database, "dialect">,
): Promise<void> {
  const table = sql.table(dialect === "sqlite" ? "call_day_sums" : "call_days");
  if (dialect === "sqlite") {
    // Rows behind the mark are part of the view until the history is deleted (`day-sums.ts`).
    for (const statement of BRING_UP_FROM_HISTORY) await sql.raw(statement).execute(trx);
    await trx.deleteFrom("last_calls").where("account_id", "=", accountId).execute();
  }
  // `where true`: without a condition SQLite takes `on conflict` for a join's.
  await sql`
    insert into ${table} (account_id, day, endpoint, key_id, status, calls, items, credits)
    select ${DELETED_ACCOUNT}, day, endpoint, '', status, sum(calls), sum(items), sum(credits)
    from ${table} where account_id = ${accountId}
    group by day, endpoint, status order by day, endpoint, status
    on conflict (account_id, day, endpoint, key_id, status) do update set
      calls = ${table}.calls + excluded.calls, items = ${table}.items + excluded.items,
      credits = ${table}.credits + excluded.credits`.execute(trx);
  await sql`delete from ${table} where account_id = ${accountId}`.execute(trx);
}
