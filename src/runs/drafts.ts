import { type Insertable, sql, type Transaction } from "kysely";
import { lockAccountRow } from "../accounts/account-rows.ts";
import { Refusal } from "../base/failure.ts";
import type { Guard } from "../db/guard.ts";
import type { Schema } from "../db/schema.ts";
import { MAX_LINES, type NewLine, type Run } from "./run.ts";
import { deleteAnswers, runFrom } from "./run-rows.ts";
import type { RunsDeps } from "./runs.ts";

/** Runs that an account keeps, drafts included. */
const MAX_RUNS = 50;
/** Runs of an account that may run at once. */
const MAX_RUNNING = 5;
/** Cells of all lines of a run, characters. */
const MAX_BYTES = 8_000_000;
/** The same of all runs that an account keeps. */
const MAX_ACCOUNT_BYTES = 40_000_000;
const ROWS_AT_ONCE = 200;

export type NewRun = {
  readonly accountId: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly clientAddress: string;
  readonly guard: Guard;
};

// PostgreSQL refuses U+0000 and half a surrogate pair.
const clean = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Opens a run that lines can be added to. The oldest that ended makes room; throws CONFLICT where 50 go on. */
export async function createRun(wish: NewRun, deps: RunsDeps): Promise<Run> {
  const now = deps.clock.now().getTime();
  const row = {
    id: deps.random.uuid(),
    account_id: wish.accountId,
    name: clean(wish.name),
    columns: clean(JSON.stringify(wish.columns)),
    state: "draft",
    reason: null,
    session_id: null,
    client_address: wish.clientAddress,
    bytes: 0,
    created_at: now,
    changed_at: now,
    resumed_at: null,
    left_at_resume: null,
    lease_owner: null,
    lease_until: 0,
  };
  await deps.db.kysely.transaction().execute(async (trx) => {
    await wish.guard(trx);
    await lockAccountRow(trx, wish, deps);
    await makeRoom(trx, wish.accountId);
    await trx.insertInto("bulk_runs").values(row).execute();
  });
  return runFrom(row);
}

async function makeRoom(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const runs = await trx
    .selectFrom("bulk_runs")
    .select(["id", "state"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute();
  if (runs.length < MAX_RUNS) return;
  const oldest = runs.find(({ state }) => state !== "running" && state !== "paused");
  if (oldest === undefined) {
    throw new Refusal("CONFLICT", { message: `${MAX_RUNS} runs go on already: cancel or delete one first` });
  }
  await trx.deleteFrom("bulk_runs").where("id", "=", oldest.id).execute();
  await deleteAnswers(trx, { accountId, id: oldest.id });
}

/**
 * Adds lines to a draft. A line that is there already is left as it is: a piece that was sent twice is added once. Throws
 * NOT_FOUND, CONFLICT where it was started or all runs hold 40 MB, VALIDATION beyond 10,000 lines or 8 MB.
 */
export async function addLines(
  {
    accountId,
    id,
    lines,
    guard,
  }: {
    readonly accountId: string;
    readonly id: string;
    readonly lines: readonly NewLine[];
    readonly guard: Guard;
  },
  { db, clock }: RunsDeps,
): Promise<void> {
  const rows = lines.map(({ line, cells, judged }) => ({
    run_id: id,
    line,
    account_id: accountId,
    cells: clean(JSON.stringify(cells)),
    ...(judged.product === null
      ? { product: null, state: "invalid", note: clean(judged.note) }
      : { product: judged.product, state: "waiting", note: null }),
    target: clean(judged.target),
    credits: 0,
  }));
  await db.kysely.transaction().execute(async (trx) => {
    await guard(trx);
    const run = await trx
      .updateTable("bulk_runs")
      .set({ changed_at: clock.now().getTime() })
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .returning(["state", "bytes"])
      .executeTakeFirst();
    if (run === undefined) throw unknownRun();
    if (run.state !== "draft") throw new Refusal("CONFLICT", { message: "This run was started already" });
    const bytes = run.bytes + (await insertNew(trx, rows));
    if (bytes > MAX_BYTES) throw tooLarge("The lines of a run hold at most 8 MB: split the file");
    await trx.updateTable("bulk_runs").set({ bytes }).where("id", "=", id).execute();
    await refuseFull(trx, accountId);
    const { count } = await trx
      .selectFrom("bulk_run_items")
      .select(sql<number>`count(*)`.as("count"))
      .where("run_id", "=", id)
      .executeTakeFirstOrThrow();
    if (Number(count) > MAX_LINES) throw tooLarge(`A run has at most ${MAX_LINES} lines: split the file`);
    await markRepeated(trx, id);
  });
}

/** Inserts the lines that are not there yet; the characters of their cells. */
async function insertNew(
  trx: Transaction<Schema>,
  rows: readonly Insertable<Schema["bulk_run_items"]>[],
): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const added = await trx
      .insertInto("bulk_run_items")
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(["run_id", "line"]).doNothing())
      .returning("cells")
      .execute();
    bytes = added.reduce((sum, { cells }) => sum + cells.length, bytes);
  }
  return bytes;
}

async function refuseFull(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const { held } = await trx
    .selectFrom("bulk_runs")
    .select(sql<number>`sum(bytes)`.as("held"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (Number(held) <= MAX_ACCOUNT_BYTES) return;
  throw new Refusal("CONFLICT", { message: "Your runs hold 40 MB, the most there may be: delete old ones" });
}

/** Marks the lines of a draft that ask for what an earlier one asks for: one lookup answers both. */
async function markRepeated(trx: Transaction<Schema>, id: string): Promise<void> {
  await sql`update bulk_run_items
    set same_as = nullif(found.earliest, line),
      state = case when found.earliest = line then 'waiting' else 'repeated' end
    from (
      select line as at, min(line) over (partition by product, target) as earliest
      from bulk_run_items where run_id = ${id} and state in ('waiting', 'repeated')
    ) as found
    where run_id = ${id} and line = found.at and coalesce(same_as, line) <> found.earliest`.execute(trx);
}

const tooLarge = (message: string): Refusal => new Refusal("VALIDATION", { message, field: "rows" });

/** The refusal for a run that the account does not have. */
export const unknownRun = (): Refusal =>
  new Refusal("NOT_FOUND", { message: "There is no such run: it was deleted, or its time is over" });

/**
 * Starts a draft, or resumes a paused run: the session pays from now on. Throws NOT_FOUND, CONFLICT where there is nothing to
 * start, or five run already.
 */
export async function startRun(
  { accountId, id, sessionId, clientAddress, guard }: RunStart,
  { db, clock }: RunsDeps,
): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await guard(trx);
    await lockAccountRow(trx, { accountId }, { db });
    const query = trx
      .selectFrom("bulk_runs")
      .selectAll()
      .where("id", "=", id)
      .where("account_id", "=", accountId);
    // SQLite's BEGIN IMMEDIATE is the lock.
    const run = await (db.dialect === "postgres" ? query.forUpdate() : query).executeTakeFirst();
    if (run === undefined) throw unknownRun();
    if (run.state !== "draft" && run.state !== "paused") {
      throw new Refusal("CONFLICT", { message: "This run is not waiting to be started" });
    }
    await refuseMany(trx, accountId);
    const waiting = await trx
      .selectFrom("bulk_run_items")
      .select(sql<number>`count(*)`.as("count"))
      .where("run_id", "=", id)
      .where("state", "=", "waiting")
      .executeTakeFirstOrThrow();
    const now = clock.now().getTime();
    await trx
      .updateTable("bulk_runs")
      .set({
        ...{ state: "running", reason: null, session_id: sessionId, client_address: clientAddress },
        ...{
          changed_at: now,
          resumed_at: now,
          left_at_resume: Number(waiting.count),
          lease_owner: null,
          lease_until: 0,
        },
      })
      .where("id", "=", id)
      .execute();
  });
}

async function refuseMany(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const running = await trx
    .selectFrom("bulk_runs")
    .select("id")
    .where("account_id", "=", accountId)
    .where("state", "=", "running")
    .execute();
  if (running.length < MAX_RUNNING) return;
  throw new Refusal("CONFLICT", {
    message: `${MAX_RUNNING} of your runs go on already: wait for one of them, or cancel it`,
  });
}

export type RunStart = {
  readonly accountId: string;
  readonly id: string;
  readonly sessionId: string;
  readonly clientAddress: string;
  readonly guard: Guard;
};
