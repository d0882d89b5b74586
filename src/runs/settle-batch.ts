import type { Transaction } from "kysely";
import type { Caller, Settlement } from "../accounts/accounts.ts";
import { chargeWithin } from "../accounts/ledger/charge-within.ts";
import type { Schema } from "../db/schema.ts";
import { answerFacts } from "../metering/answer-facts.ts";
import type { SealedProduct } from "../products/product.ts";
import { resultFactsOf } from "../results/result.ts";
import { insertResults, toResultRow } from "../results/result-rows.ts";
import type { BatchOutcome } from "./batch.ts";
import type { Run } from "./run.ts";
import type { RunsDeps } from "./runs.ts";

export type Batch = {
  readonly run: Run;
  readonly product: SealedProduct;
  readonly caller: Caller;
  readonly outcomes: readonly BatchOutcome[];
  readonly elapsedMs: number;
};

/** What became of a batch; `lost`: another process has the run, or it was cancelled, and nothing was written. */
export type BatchSettlement = Settlement | { readonly state: "lost" };

type SettleDeps = RunsDeps & { readonly self: string; readonly storeTargets: boolean };

class NotSettled extends Error {
  readonly settlement: BatchSettlement;
  constructor(settlement: BatchSettlement) {
    super("The batch is not settled");
    this.settlement = settlement;
  }
}

/**
 * Charges a batch and writes its answers and its lines in one transaction: after a crash each line is either charged and
 * done, or neither. A line that is done already is never charged again. Source: security P18.
 */
export async function settleBatch(batch: Batch, deps: SettleDeps): Promise<BatchSettlement> {
  const now = deps.clock.now();
  const answers = await Promise.all(batch.outcomes.map((outcome) => answerRow(batch, outcome, now, deps)));
  const rows = answers.flatMap((row) => row ?? []);
  const cost = rows.length * batch.product.price;
  try {
    return await deps.db.kysely.transaction().execute(async (trx) => {
      // The account's lock comes first, as everywhere.
      const settlement = await chargeWithin(
        trx,
        { call: recordOf(batch, rows.length), cost, storeTargets: deps.storeTargets },
        { db: deps.db, now },
      );
      if (settlement.state !== "charged") throw new NotSettled(settlement);
      await holdRun(trx, batch.run, now, deps);
      // Of a batch without an answer there is nothing to keep: PostgreSQL refuses a question for no account.
      if (rows.length > 0) await insertResults(trx, rows, deps.db.dialect);
      for (const [at, outcome] of batch.outcomes.entries()) {
        await writeLine(trx, batch, outcome, answers[at] ?? null);
      }
      return settlement;
    });
  } catch (error) {
    if (error instanceof NotSettled) return error.settlement;
    throw error;
  }
}

type AnswerRow = Awaited<ReturnType<typeof toResultRow>>;

async function answerRow(
  { run, product, caller }: Batch,
  outcome: BatchOutcome,
  at: Date,
  { random }: SettleDeps,
): Promise<AnswerRow | null> {
  if (outcome.state !== "done") return null;
  const { line, target, question, data } = outcome;
  const { accountId } = caller;
  const requestId = `${run.id}.${line}`;
  const result = {
    id: random.uuid(),
    accountId,
    at,
    requestId,
    product: product.name,
    target,
    question,
    data,
  };
  return toResultRow({ ...result, runId: run.id }, answerFacts);
}

const recordOf = ({ run, product, caller, outcomes, elapsedMs }: Batch, items: number) => ({
  requestId: `${run.id}.${Math.min(...outcomes.map(({ line }) => line))}`,
  accountId: caller.accountId,
  keyId: caller.keyId,
  keyPrefix: caller.keyPrefix,
  endpoint: `bulk/${product.name}`,
  targetKind: product.targetKind,
  target: null,
  items,
  status: 200,
  elapsedMs,
  clientAddress: run.clientAddress,
});

/** No other process settles lines of the run until the transaction ends. */
async function holdRun(
  trx: Transaction<Schema>,
  { id }: Run,
  now: Date,
  { self }: SettleDeps,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("bulk_runs")
    .set({ changed_at: now.getTime() })
    .where("id", "=", id)
    .where("lease_owner", "=", self)
    .where("state", "=", "running")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new NotSettled({ state: "lost" });
}

async function writeLine(
  trx: Transaction<Schema>,
  { run, product }: Batch,
  outcome: BatchOutcome,
  row: AnswerRow | null,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("bulk_run_items")
    .set({
      state: outcome.state,
      note: outcome.state === "done" ? null : outcome.note,
      credits: row === null ? 0 : product.price,
      ...(row === null ? {} : resultFactsOf(row)),
      result_id: row?.id ?? null,
    })
    .where("run_id", "=", run.id)
    .where("line", "=", outcome.line)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  // Settled before, which the lease makes impossible: the charge must go too.
  if (numUpdatedRows !== 1n) throw new NotSettled({ state: "lost" });
}
