import { closeSync, openSync, readSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../base/clock.ts";
import { openDatabase } from "./database.ts";
import { definitionFault } from "./definitions.ts";
import { STEPS_TABLE } from "./migrate.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";

/** https://www.sqlite.org/fileformat2.html, 1.3 */
const SQLITE_MAGIC = "SQLite format 3\0";

/** What the copying of pages needs alike on both sides. */
const PAGE_SIZE = 4096;

const noBackup = (name: string, reason: string): Error =>
  new Error(`"${name}" is not a whole database of Repute: ${reason}`);

/**
 * Reads the whole of the database at `path`, which is ours alone, and makes one file of it. Throws an Error that says what is wrong
 * with `name`.
 */
export function assertBackup(path: string, name: string): void {
  if (readMagic(path) !== SQLITE_MAGIC) throw noBackup(name, "it is not a SQLite database");
  const copy = new DatabaseSync(path);
  try {
    const fault = faultOf(copy);
    if (fault !== null) throw noBackup(name, fault);
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

function readMagic(path: string): string {
  const start = Buffer.alloc(SQLITE_MAGIC.length);
  const file = openSync(path, "r");
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString("latin1");
}

function faultOf(copy: DatabaseSync): string | null {
  const ask = (sql: string) => Object.values(copy.prepare(sql).get() ?? {})[0];
  try {
    copy.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
    if (ask("PRAGMA integrity_check(1)") !== "ok") return "it is damaged";
    if (ask("PRAGMA page_size") !== PAGE_SIZE) return `its pages are not of ${PAGE_SIZE} bytes`;
    if (copy.prepare("PRAGMA foreign_key_check").get() !== undefined)
      return "rows point at rows that it has not";
    const steps = ask(`select count(*) from sqlite_schema where type = 'table' and name = '${STEPS_TABLE}'`);
    return steps === 1 ? null : "it was not made by Repute";
  } catch {
    return "it is damaged";
  }
}

/**
 * Brings the schema of a database that passed `assertBackup` to the newest step, and resolves to the steps that it took.
 * Throws NewerSchema, or an Error that names a table, index, view or trigger that its own schema steps do not make so.
 */
export async function bringToNewest(
  path: string,
  { name, clock }: { readonly name: string; readonly clock: Clock },
): Promise<readonly string[]> {
  const fault = await definitionFault(path, clock);
  if (fault !== null) throw noBackup(name, fault);
  const db = await openDatabase({ url: path, clock });
  await db.close();
  return db.migrated;
}

/**
 * Throws the Error with which a restore would refuse the backup at `path`, which is left as it is. Of one with an older schema
 * only the definitions are looked at; one with a newer schema is for the program that knows it.
 */
export async function assertRestorable(
  path: string,
  { plans, clock }: { readonly plans: readonly string[]; readonly clock: Clock },
): Promise<void> {
  const fault = await definitionFault(path, clock);
  if (fault !== null) throw noBackup(path, fault);
  if (stepsOf(path) === ALL_MIGRATIONS.length) assertValues(path, path, plans);
}

function stepsOf(path: string): number {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(copy.prepare(`select count(*) as steps from ${STEPS_TABLE}`).get()?.["steps"]);
  } finally {
    copy.close();
  }
}

/**
 * Throws an Error where a value of the database at `path` is of another kind than its column, which SQLite lets in, an
 * account has a plan that is none of `plans`, the daily sums go further than the history, or an account's last calls are no
 * JSON: the service could not go on with it.
 */
export function assertValues(path: string, name: string, plans: readonly string[]): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    // One pass of each table: the history may have millions of rows.
    for (const { table, misfit } of copy.prepare(COLUMNS).all()) {
      const found = copy.prepare(`select ${misfit} as fault from "${table}" where fault <> '' limit 1`).get();
      if (found !== undefined) throw noBackup(name, `${found["fault"]} in "${table}"`);
    }
    const known = `select 1 from accounts where plan not in (${plans.map(() => "?").join(", ")}) limit 1`;
    if (copy.prepare(known).get(...plans) !== undefined)
      throw noBackup(name, "an account has an unknown plan");
    if (copy.prepare(MARK).get() === undefined) throw noBackup(name, "its daily sums do not fit its history");
    if (copy.prepare(NO_LAST_CALLS).get() !== undefined)
      throw noBackup(name, "the last calls of an account are not a list");
  } finally {
    copy.close();
  }
}

/** Up to which row of the history the daily sums go (`day-sums.ts`). */
const MARK = `
  select 1 from meta where key = 'calls_in_day_sums'
    and value = cast(cast(value as integer) as text) and cast(value as integer) between 0 and (select coalesce(max(id), 0) from calls)`;

/** What could not be merged with an account's next calls (`last-calls.ts`). */
const NO_LAST_CALLS = "select 1 from last_calls where not json_valid(ids) limit 1";

/** Of tables whose shape is ours by then: what says which column of a row holds another kind of value, else ''. */
const COLUMNS = `
  select "table", 'case ' || group_concat(
    'when typeof("' || column || '") not in (''' || kind || ''', ''null'') then ''"' || column || '" is no ' || kind || '''', ' '
  ) || ' else '''' end' as misfit
  from (
    select m.name as "table", c.name as column, iif(lower(c.type) = 'text', 'text', 'integer') as kind
    from sqlite_schema m join pragma_table_xinfo(m.name) c
    where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'
      and lower(c.type) in ('text', 'integer', 'bigint')
  ) group by "table"`;
