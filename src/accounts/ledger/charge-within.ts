import { sql, type Transaction } from "kysely";
import { Refusal } from "../../base/failure.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { lockAccountRow } from "../account-rows.ts";
import type { CallRecord, Settlement } from "../accounts.ts";
import { refillSql } from "../refill.ts";
import { type AccountRow, accountFromRow, keyState } from "../rows.ts";
import { rollUp, toCallRow } from "./call-rows.ts";

/**
 * Charges a call inside a transaction that also writes what is paid for: both are on disk, or neither. Takes the account's
 * lock first, as every charge does. A settlement that is not "charged" took nothing. Source: design 13.2, security P18.
 */
export async function chargeWithin(
  trx: Transaction<Schema>,
  { call, cost, storeTargets }: { call: CallRecord; cost: number; storeTargets: boolean },
  { db, now }: { readonly db: Database; readonly now: Date },
): Promise<Settlement> {
  const account = await liveAccount(trx, call, { db, now });
  if (account === null) return { state: "revoked" };
  const creditsRemaining = await subtract(trx, { accountId: call.accountId, cost, now });
  if (creditsRemaining === null) {
    const { credits, creditsResetAt } = accountFromRow(account, now);
    return { state: "insufficient", credits, creditsResetAt };
  }
  const row = toCallRow(call, { at: now, credits: cost, storeTargets });
  await trx.insertInto("calls").values(row).execute();
  // In SQLite the roll-up is a view over the row.
  if (db.dialect === "postgres") await addToDays(trx, rollUp([row]));
  await trx
    .updateTable("api_keys")
    .set({ last_used_at: now.getTime() })
    .where("id", "=", call.keyId)
    .execute();
  return { state: "charged", creditsRemaining };
}

/** The account, locked, if it and the key that pays are alive. */
async function liveAccount(
  trx: Transaction<Schema>,
  { accountId, keyId }: CallRecord,
  { db, now }: { readonly db: Database; readonly now: Date },
): Promise<AccountRow | null> {
  const account = await lockAccountRow(trx, { accountId }, { db }).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  // A statement after the lock: revoking takes the same one.
  const key = await trx
    .selectFrom("api_keys")
    .select(["revoked_at", "expires_at"])
    .where("id", "=", keyId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const isAlive =
    account !== null &&
    account.disabled_at === null &&
    key !== undefined &&
    keyState(key, now.getTime()) === "active";
  return isAlive ? account : null;
}

/** The balance after the subtraction; null: it does not cover the cost. The database decides. */
async function subtract(
  trx: Transaction<Schema>,
  { accountId, cost, now }: { readonly accountId: string; readonly cost: number; readonly now: Date },
): Promise<number | null> {
  const after = refillSql(String(now.getTime()));
  const credits = sql.raw<number>(after.credits);
  const row = await trx
    .updateTable("accounts")
    .set({
      credits: sql<number>`${credits} - ${sql.lit(cost)}`,
      credits_granted: sql.raw<number>(after.granted),
      credits_reset_at: sql.raw<number>(after.resetAt),
    })
    .where("id", "=", accountId)
    .where(credits, ">=", cost)
    .returning("credits")
    .executeTakeFirst();
  return row === undefined ? null : Number(row.credits);
}

async function addToDays(trx: Transaction<Schema>, days: ReturnType<typeof rollUp>): Promise<void> {
  await trx
    .insertInto("call_days")
    .values([...days])
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "endpoint", "key_id", "status"]).doUpdateSet({
        calls: sql`call_days.calls + excluded.calls`,
        items: sql`call_days.items + excluded.items`,
        credits: sql`call_days.credits + excluded.credits`,
      }),
    )
    .execute();
}
