import type { Transaction } from "kysely";
import type { Clock, Random } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Database } from "../db/database.ts";
import type { Guard } from "../db/guard.ts";
import type { Schema } from "../db/schema.ts";
import { onBehalfOf, partyOfAccount } from "../net/party.ts";
import { turn } from "../net/turns.ts";
import { unpack } from "../results/packed.ts";
import { addLines, createRun, type NewRun, type RunStart, startRun, unknownRun } from "./drafts.ts";
import type { NewLine, Run, RunItem, RunProgress } from "./run.ts";
import { deleteAnswers, type ItemWish, progressOf, readItems, runFrom } from "./run-rows.ts";

export type RunsDeps = { readonly db: Database; readonly clock: Clock; readonly random: Random };

type RunRef = { readonly accountId: string; readonly id: string };
type RunChange = RunRef & { readonly guard: Guard };

/** The bulk runs of accounts. What an account does not have is NOT_FOUND. */
export type Runs = {
  readonly create: (wish: NewRun) => Promise<Run>;
  readonly addLines: (wish: RunChange & { readonly lines: readonly NewLine[] }) => Promise<void>;
  /** Starts or resumes. */
  readonly start: (wish: RunStart) => Promise<void>;
  /** Ends it at once: what is being looked up is thrown away and not charged. CONFLICT where it has ended. */
  readonly cancel: (change: RunChange) => Promise<void>;
  /** Deletes it with the answers that are kept of it. CONFLICT while it runs. */
  readonly remove: (change: RunChange) => Promise<void>;
  /** Newest first. */
  readonly list: (accountId: string) => Promise<readonly (Run & { readonly progress: RunProgress })[]>;
  readonly read: (ref: RunRef) => Promise<Run & { readonly progress: RunProgress }>;
  readonly items: (ref: RunRef, wish: ItemWish) => Promise<readonly RunItem[]>;
  /**
   * All lines in their order, read step by step; `report`: the kept answer's JSON text, where it is wanted and still there. Throws
   * NOT_FOUND after the last one where the run was deleted meanwhile: others may be missing.
   */
  readonly allItems: (
    ref: RunRef,
    wish: { readonly withReports: boolean },
  ) => AsyncGenerator<RunItem & { readonly report: string | null }>;
  /** Deletes runs that stand still for so many days, and drafts of a day; how many. With 0 days every run goes. */
  readonly prune: (keptDays: number) => Promise<number>;
};

const STEP = 200;

/** Runs over an open database; several processes may have them on one. */
export function createRuns(deps: RunsDeps): Runs {
  const { kysely } = deps.db;
  const readRun = async ({ accountId, id }: RunRef): Promise<Run> => {
    const row = await kysely
      .selectFrom("bulk_runs")
      .selectAll()
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (row === undefined) throw unknownRun();
    return runFrom(row);
  };
  const withProgress = async (run: Run) => ({ ...run, progress: await progressOf(kysely, run.id) });
  return {
    create: (wish) => createRun(wish, deps),
    addLines: (wish) => addLines(wish, deps),
    start: (wish) => startRun(wish, deps),
    cancel: (change) => cancel(change, deps),
    remove: (change) => remove(change, deps),
    list: async (accountId) => {
      const rows = await kysely
        .selectFrom("bulk_runs")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("state", "!=", "draft")
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return onBehalfOf(partyOfAccount(accountId), async () => {
        const runs: (Run & { readonly progress: RunProgress })[] = [];
        for (const row of rows) {
          // To count the lines of fifty large ones takes a third of a second.
          await turn();
          runs.push(await withProgress(runFrom(row)));
        }
        return runs;
      });
    },
    read: async (ref) => withProgress(await readRun(ref)),
    items: async (ref, wish) => {
      await readRun(ref);
      return readItems(kysely, ref.id, wish);
    },
    allItems: (ref, wish) => allItems(ref, wish, { ...deps, readRun }),
    prune: (keptDays) => prune(keptDays, deps),
  };
}

async function* allItems(
  ref: RunRef,
  { withReports }: { readonly withReports: boolean },
  { readRun, ...deps }: RunsDeps & { readonly readRun: (ref: RunRef) => Promise<Run> },
): ReturnType<Runs["allItems"]> {
  await readRun(ref);
  for (let after = 0; ; ) {
    const wish = { state: null, verdict: null, after, offset: 0, limit: STEP };
    const items = await readItems(deps.db.kysely, ref.id, wish);
    for (const item of items) {
      yield { ...item, report: withReports ? await reportOf(item, ref, deps) : null };
      after = item.line;
    }
    if (items.length < STEP) break;
  }
  // Of a run that was deleted meanwhile the last lines are missing.
  await readRun(ref);
}

async function reportOf(
  { resultId }: RunItem,
  { accountId }: RunRef,
  { db }: RunsDeps,
): Promise<string | null> {
  if (resultId === null) return null;
  const row = await db.kysely
    .selectFrom("results")
    .select("packed")
    .where("id", "=", resultId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row === undefined ? null : unpack(row.packed);
}

async function cancel({ accountId, id, guard }: RunChange, { db, clock }: RunsDeps): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await guard(trx);
    const { numUpdatedRows } = await trx
      .updateTable("bulk_runs")
      .set({ state: "cancelled", reason: null, changed_at: clock.now().getTime(), lease_owner: null })
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .where("state", "in", ["draft", "running", "paused"])
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    throw await unfitRun(trx, { accountId, id }, "This run has ended already");
  });
}

/** Why a run was not changed: the account has none of this id, or the run's state does not fit. */
async function unfitRun(
  trx: Transaction<Schema>,
  { accountId, id }: Pick<RunChange, "accountId" | "id">,
  message: string,
): Promise<Refusal> {
  const row = await trx
    .selectFrom("bulk_runs")
    .select("id")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row === undefined ? unknownRun() : new Refusal("CONFLICT", { message });
}

async function remove({ accountId, id, guard }: RunChange, { db }: RunsDeps): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await guard(trx);
    const deleted = await trx
      .deleteFrom("bulk_runs")
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .where("state", "!=", "running")
      .returning("id")
      .executeTakeFirst();
    if (deleted === undefined) {
      throw await unfitRun(trx, { accountId, id }, "This run goes on: cancel it first");
    }
    await deleteAnswers(trx, { accountId, id });
  });
}

async function prune(keptDays: number, { db, clock }: RunsDeps): Promise<number> {
  const nowMs = clock.now().getTime();
  const { numDeletedRows } = await db.kysely
    .deleteFrom("bulk_runs")
    .where((eb) =>
      eb.or([
        eb.lit(keptDays === 0),
        eb.and([eb("state", "!=", "running"), eb("changed_at", "<=", nowMs - keptDays * DAY_MS)]),
        eb.and([eb("state", "=", "draft"), eb("changed_at", "<=", nowMs - DAY_MS)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
