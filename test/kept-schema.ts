import pg from "pg";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { openDatabase } from "../src/db/database.ts";

/** A schema of PostgreSQL that tests of one block use one after the other. */
export type KeptSchema = {
  readonly url: string;
  /** Takes out what a test left in it; false when it is not as it was made, and must not be used again. */
  readonly clear: () => Promise<boolean>;
  readonly drop: () => Promise<void>;
};

/** Longer than a connection of the test before needs to end. */
const LOCK_TIMEOUT_MS = 5000;

/** An empty schema without tables, and the URL of the database that opens in it. */
export async function createSchema(base: string): Promise<{ schema: string; url: string }> {
  const schema = `test_${systemRandom.uuid().replaceAll("-", "")}`;
  await runOnce(base, `create schema ${schema}`);
  const url = new URL(base);
  url.searchParams.set("options", `-c search_path=${schema}`);
  url.searchParams.set("application_name", schema);
  return { schema, url: url.href.replaceAll("+", "%20") };
}

export const dropSchema = (base: string, schema: string): Promise<unknown> =>
  runOnce(base, `drop schema ${schema} cascade`);

/** Makes a schema with all tables of the newest step, which are emptied far faster than made. */
export async function keepSchema(base: string): Promise<KeptSchema> {
  const { schema, url } = await createSchema(base);
  await (await openDatabase({ url, clock: systemClock })).close();
  const tables = await findTables(url);
  const made = await describe(url, tables.filled);
  return {
    url,
    clear: async () => {
      await runOnce(url, END_OTHERS);
      await runOnce(url, clearing(tables.empty));
      return (await describe(url, tables.filled)) === made;
    },
    drop: async () => void (await dropSchema(base, schema)),
  };
}

/** What a killed process has sent may be executed after its end. */
const END_OTHERS = `select pg_terminate_backend(pid, ${LOCK_TIMEOUT_MS}) from pg_stat_activity
  where application_name = current_setting('application_name') and pid <> pg_backend_pid()`;

/** One statement, so that references between the tables are looked at when all of them are empty. */
function clearing(tables: readonly string[]): string {
  const deletions = tables.map((table, index) => `d${index} as (delete from ${table})`);
  return `set lock_timeout = ${LOCK_TIMEOUT_MS}; with ${deletions.join(", ")} select 1; ${RESTART}`;
}

const RESTART = `select setval(format('%I.%I', schemaname, sequencename), start_value, false)
  from pg_sequences where schemaname = current_schema()`;

type Tables = { readonly filled: readonly string[]; readonly empty: readonly string[] };

/** Those that the steps themselves put rows into, and the others. */
async function findTables(url: string): Promise<Tables> {
  const { rows } = await runOnce(
    url,
    `select tablename as name, (xpath('/row/n/text()', query_to_xml(
        format('select count(*) as n from %I', tablename), false, true, '')))[1]::text::int > 0 as filled
      from pg_tables where schemaname = current_schema() order by tablename`,
  );
  const named = (filled: boolean) =>
    rows.filter((row) => row.filled === filled).map((row) => String(row.name));
  return { filled: named(true), empty: named(false) };
}

/** Everything of the schema that a test may change but the rows of the tables that begin empty. */
async function describe(url: string, filled: readonly string[]): Promise<string> {
  const rowsOf = filled.map((table) => `select '${table}' || t::text from ${table} t`);
  const { rows } = await runOnce(url, [SHAPE, ...rowsOf].join(" union all "));
  return rows
    .map((row) => String(row.said))
    .sort()
    .join("\n");
}

const SHAPE = `
  select concat_ws(' ', c.relname, c.relkind, c.reloptions, a.attname, a.atttypid, a.attnotnull, a.attidentity) as said
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace
  union all select concat_ws(' ', adrelid::regclass, pg_get_expr(adbin, adrelid)) from pg_attrdef
    where adrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace
  union all select indexdef from pg_indexes where schemaname = current_schema()
  union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    and tgrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
  union all select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = current_schema()::regnamespace`;

/** The result of the last statement, on a connection of its own. */
export async function runOnce(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(statement);
    const last = Array.isArray(results) ? results.at(-1) : results;
    if (last === undefined) throw new Error("No statement");
    return last;
  } finally {
    await client.end();
  }
}
