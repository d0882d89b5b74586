import { DatabaseSync } from "node:sqlite";
import type { PoolClient } from "pg";
import type { Clock } from "../base/clock.ts";
import { type CopiedTable, copyTable, orderedTables } from "./copy-table.ts";
import { openDatabase } from "./database.ts";
import { openPostgres } from "./postgres.ts";

export type Copied = {
  readonly tables: readonly CopiedTable[];
  /** Credits of all accounts, as the target has them. */
  readonly credits: number;
};

/**
 * Copies an embedded database into an empty PostgreSQL database, in one transaction that compares the counts and sums of every
 * table before it commits. `snapshot` is a copy of ours at the newest schema, read and left as it is. Throws an Error that
 * says what is wrong; then the target holds its empty tables at most.
 */
export async function copyToPostgres(
  { snapshot, url }: { readonly snapshot: string; readonly url: string },
  { clock, onTable }: { readonly clock: Clock; readonly onTable: (table: string) => void },
): Promise<Copied> {
  await withClient(url, refuseFull);
  await (await openDatabase({ url, clock })).close();
  const source = new DatabaseSync(snapshot, { readOnly: true });
  try {
    return await withClient(url, (client) => inTransaction(client, () => copyAll(source, client, onTable)));
  } finally {
    source.close();
  }
}

async function copyAll(
  source: DatabaseSync,
  client: PoolClient,
  onTable: (table: string) => void,
): Promise<Copied> {
  const names = orderedTables(source);
  // A service that starts meanwhile waits, and finds the accounts.
  await client.query(`lock table ${names.map((name) => `"${name}"`).join(", ")} in exclusive mode`);
  await refuseFull(client);
  const tables: CopiedTable[] = [];
  for (const name of names) {
    onTable(name);
    tables.push(await copyTable(name, { source, client }));
  }
  await continueIdentities(client);
  const { rows } = await client.query("select coalesce(sum(credits), 0) as credits from accounts");
  return { tables, credits: Number(rows[0]?.credits) };
}

async function withClient<T>(url: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const postgres = await openPostgres(url, { isPatient: true });
  try {
    const client = await postgres.pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  } finally {
    await postgres.close();
  }
}

async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const value = await work();
    await client.query("commit");
    return value;
  } catch (error) {
    // The connection may be what failed.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Tables that an empty database of Repute has rows in. */
const OWN_NOTES = ["schema_steps", "schema_steps_lock", "meta"];

async function refuseFull(client: PoolClient): Promise<void> {
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = current_schema() order by tablename",
  );
  for (const name of rows.map(({ tablename }) => String(tablename))) {
    if (OWN_NOTES.includes(name)) continue;
    const found = await client.query(`select 1 from "${name.replaceAll('"', '""')}" limit 1`);
    if (found.rows.length === 0) continue;
    throw new Error(`The target is not empty: its table "${name}" has rows. Name a new database or schema`);
  }
}

/** Numbers given by PostgreSQL go on behind the greatest that was copied. */
async function continueIdentities(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`select table_name as table, column_name as column
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`);
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), coalesce(max("${column}"), 0) + 1, false) from "${table}"`,
    );
  }
}
