import { type SelectQueryBuilder, sql } from "kysely";
import { DAY_MS } from "../../base/durations.ts";
import { nextTurn } from "../../base/next-turn.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { LedgerStore } from "./write-batch.ts";

const BATCH = 2000;

/**
 * Deletes history rows, and counts of refused calls, older than `keepDays` and gives their number. In small transactions, between which charges go
 * on: SQLite deletes on the event loop.
 */
export async function pruneCalls(
  store: Pick<LedgerStore, "deleteOld">,
  { kysely }: Pick<Database, "kysely">,
  { now, keepDays }: { now: Date; keepDays: number },
): Promise<number> {
  const nowMs = now.getTime();
  const beforeMs = nowMs - keepDays * DAY_MS;
  let pruned = await deleteRefused(
    { kysely },
    kysely.selectFrom("refused_calls").where("minute", "<", beforeMs),
  );
  for (;;) {
    const deleted = await store.deleteOld(beforeMs, BATCH, nowMs);
    pruned += deleted;
    if (deleted < BATCH) return pruned;
    await nextTurn();
  }
}

/** Deletes counts of refused calls in small steps, the oldest first; how many. */
async function deleteRefused(
  { kysely }: Pick<Database, "kysely">,
  which: SelectQueryBuilder<Schema, "refused_calls", object>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const step = which.orderBy("minute").limit(BATCH);
    const { numDeletedRows } = await kysely
      .deleteFrom("refused_calls")
      .where(({ eb, refTuple }) =>
        eb(
          refTuple("account_id", "minute", "endpoint"),
          "in",
          step.select(["account_id", "minute", "endpoint"]).$asTuple("account_id", "minute", "endpoint"),
        ),
      )
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    if (numDeletedRows < BATCH) return deleted;
    await nextTurn();
  }
}

/** Rows of the history that are looked through in one step: it has no index of accounts (`usage.ts`). */
export const HISTORY_STEP = 20_000;

/**
 * Deletes the call history of accounts that were deleted, and gives the number of rows. In small steps, between which
 * charges go on; what a crash leaves is deleted by the next run.
 */
export async function forgetDeletedAccounts(
  store: Pick<LedgerStore, "deleteOf">,
  { kysely }: Pick<Database, "kysely">,
  now: Date,
): Promise<number> {
  let forgotten = 0;
  for (const { account_id: accountId } of await kysely
    .selectFrom("account_deletions")
    .selectAll()
    .execute()) {
    // No rows of the account come after these: its deletion was committed.
    const newest = await newestCall(kysely);
    for (let after = 0; after < newest; after += HISTORY_STEP) {
      forgotten += await store.deleteOf({ accountId, after, upTo: after + HISTORY_STEP }, now.getTime());
      await nextTurn();
    }
    forgotten += await deleteRefused(
      { kysely },
      kysely.selectFrom("refused_calls").where("account_id", "=", accountId),
    );
    await kysely.deleteFrom("account_deletions").where("account_id", "=", accountId).execute();
  }
  return forgotten;
}

/** The number of the history's newest row; 0 without one. */
export async function newestCall(kysely: Database["kysely"]): Promise<number> {
  const row = await kysely
    .selectFrom("calls")
    .select(sql<number>`coalesce(max(id), 0)`.as("newest"))
    .executeTakeFirstOrThrow();
  return Number(row.newest);
}
