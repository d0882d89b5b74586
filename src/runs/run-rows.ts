import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import { dateOrNull } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import { RESULT_FACTS, ResultFacts } from "../results/result.ts";
import {
  ITEM_STATES,
  type ItemState,
  PAUSE_REASONS,
  RUN_STATES,
  type Run,
  type RunItem,
  type RunProgress,
} from "./run.ts";

const texts = z.array(z.string());
const state = z.enum(RUN_STATES);
const reason = z.enum(PAUSE_REASONS).nullable();
const itemState = z.enum(ITEM_STATES);

/** A run out of its row. */
export const runFrom = (row: Selectable<Schema["bulk_runs"]>): Run => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  columns: texts.parse(JSON.parse(row.columns)),
  state: state.parse(row.state),
  reason: reason.parse(row.reason),
  sessionId: row.session_id,
  clientAddress: row.client_address,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  resumedAt: dateOrNull(row.resumed_at),
  leftAtResume: row.left_at_resume,
});

/** Deletes the kept answers of a run that goes. */
export async function deleteAnswers(
  trx: Transaction<Schema>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<void> {
  await trx.deleteFrom("results").where("account_id", "=", accountId).where("run_id", "=", id).execute();
}

/** What lines are narrowed to, and which of them are wanted. */
export type ItemWish = {
  readonly state: ItemState | null;
  readonly verdict: string | null;
  /** Lines after this one; 0: from the first. */
  readonly after: number;
  readonly offset: number;
  readonly limit: number;
};

/** Lines of a run in their order; a repeated one has the answer of the line that it repeats. */
export async function readItems(
  db: Kysely<Schema>,
  runId: string,
  { state: wanted, verdict, after, offset, limit }: ItemWish,
): Promise<readonly RunItem[]> {
  const answered = ANSWERED.map((name) => {
    const column = sql.id(name);
    return sql`coalesce(item.${column}, same.${column}) as ${column}`;
  });
  const { rows } = await sql`
    select item.line, item.cells, item.product, item.target, item.state, item.same_as, item.credits,
      ${sql.join(answered)}
    from bulk_run_items item
    left join bulk_run_items same on same.run_id = item.run_id and same.line = item.same_as
    where item.run_id = ${runId} and item.line > ${after}
      ${wanted === null ? sql`` : sql`and item.state = ${wanted}`}
      ${verdict === null ? sql`` : sql`and coalesce(item.verdict, same.verdict) = ${verdict}`}
    order by item.line limit ${limit} offset ${offset}`.execute(db);
  return rows.map(itemFrom);
}

const ANSWERED = ["note", ...RESULT_FACTS, "result_id"];

const text = z.string().nullable();
const itemRow = z.object({
  line: z.int(),
  cells: z.string(),
  product: text,
  target: text,
  state: itemState,
  same_as: z.int().nullable(),
  credits: z.int(),
  note: text,
  ...ResultFacts.shape,
  result_id: text,
});

function itemFrom(row: unknown): RunItem {
  const { cells, same_as: sameAs, result_id: resultId, ...same } = itemRow.parse(row);
  return { ...same, cells: texts.parse(JSON.parse(cells)), sameAs, resultId };
}

/** How far a run is, counted by the database. */
export async function progressOf(db: Kysely<Schema>, runId: string): Promise<RunProgress> {
  const rows = await db
    .selectFrom("bulk_run_items")
    .select(["state", "product", "verdict"])
    .select([sql<number>`count(*)`.as("count"), sql<number>`sum(credits)`.as("credits")])
    .where("run_id", "=", runId)
    .groupBy(["state", "product", "verdict"])
    .execute();
  const lines = { waiting: 0, done: 0, failed: 0, invalid: 0, repeated: 0 };
  const verdicts = new Map<string, number>();
  const waiting = new Map<string, number>();
  let credits = 0;
  for (const row of rows) {
    const count = Number(row.count);
    const what = itemState.parse(row.state);
    lines[what] += count;
    credits += Number(row.credits);
    if (row.verdict !== null) verdicts.set(row.verdict, (verdicts.get(row.verdict) ?? 0) + count);
    if (what === "waiting" && row.product !== null) {
      waiting.set(row.product, (waiting.get(row.product) ?? 0) + count);
    }
  }
  return {
    lines,
    credits,
    verdicts: Object.fromEntries(verdicts),
    waiting: Object.fromEntries(waiting),
  };
}
