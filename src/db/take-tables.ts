import { type QueryExecutorProvider, sql } from "kysely";

/** So long the first try waits for each table, milliseconds: PostgreSQL looks for deadlocks after a second. */
const FIRST_WAIT_MS = 200;
/** From a second on PostgreSQL stops its own cleaning of a table that another transaction waits for. */
const LONGEST_WAIT_MS = 2000;
const PATIENCE_MS = 300_000;

/** The server's words for a wait that was given up, or that could not have ended. */
const GIVEN_UP: readonly unknown[] = ["55P03", "40P01"];

/**
 * Takes all tables of PostgreSQL's current schema for the running transaction, before it changes any: what others write is then
 * written before, and read by the steps, or after them. Only the owner of a table may change it, so those of others stay free. Processes that answer calls hold some tables and wait for others, so this
 * lets go of all when it has to wait for one, and tries again: there is no deadlock. Throws after five minutes, as where a dump
 * goes on for longer.
 */
export async function takeTables(
  transaction: QueryExecutorProvider,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema() and pg_has_role(tableowner, 'usage') order by tablename`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  let waitMs = FIRST_WAIT_MS;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 2 * waitMs) {
    if (await isTaken(transaction, tables, waitMs)) return;
    // Others get as much time as they lost.
    await sql`select pg_sleep(${waitMs / 1000})`.execute(transaction);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
  throw new Error("other transactions, such as a dump, do not let go of its tables");
}

async function isTaken(
  transaction: QueryExecutorProvider,
  tables: ReturnType<typeof sql.join>,
  waitMs: number,
): Promise<boolean> {
  await sql`savepoint tables`.execute(transaction);
  try {
    await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(transaction);
    await sql`lock table ${tables} in access exclusive mode`.execute(transaction);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && GIVEN_UP.includes(error.code))) throw error;
    await sql`rollback to savepoint tables`.execute(transaction);
    return false;
  }
  await sql`set local lock_timeout to default`.execute(transaction);
  return true;
}
