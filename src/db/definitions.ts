import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Clock } from "../base/clock.ts";
import { migrate, STEPS_TABLE } from "./migrate.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";
import type { Schema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";

/** The tables, indexes, views and triggers of a database: `table "accounts"` to its normalised definition. */
type Definitions = ReadonlyMap<string, string>;

// What SQLite makes by itself (indexes of constraints, statistics) has names that begin with "sqlite_".
// Tables come first: without its table, an index is missing as well.
const DEFINITIONS = `
  select type || ' "' || name || '"' as object, coalesce(sql, '') as sql
  from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by type <> 'table', 1`;

/**
 * What is wrong with the definitions in the SQLite database at `path`, as the end of a sentence; null when they are
 * those that the database's own schema steps make. The whole text counts: columns, CHECK, NOT NULL, defaults, keys,
 * foreign keys, indexes, views and triggers. A database with steps that this program does not know is not judged.
 */
export async function definitionFault(path: string, clock: Clock): Promise<string | null> {
  const { steps, found } = readDatabase(path);
  if (steps.some((step) => !ALL_MIGRATIONS.some(({ name }) => name === step))) return null;
  return firstDifference(found, await definitionsAfter(steps, clock));
}

function readDatabase(path: string): { readonly steps: readonly string[]; readonly found: Definitions } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare(`select name from ${STEPS_TABLE}`).all();
    return { steps: rows.map(({ name }) => String(name)), found: definitionsOf(database) };
  } finally {
    database.close();
  }
}

const definitionsOf = (database: Pick<DatabaseSync, "prepare">): Definitions =>
  new Map(
    database
      .prepare(DEFINITIONS)
      .all()
      .map(({ object, sql }) => [String(object), normalise(String(sql))]),
  );

/** Takes the steps in a database of its own, in memory. */
async function definitionsAfter(steps: readonly string[], clock: Clock): Promise<Definitions> {
  const sqlite = await openSqlite(":memory:", { clock });
  const kysely = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });
  try {
    const migrations = ALL_MIGRATIONS.filter(({ name }) => steps.includes(name));
    await migrate(kysely, { dialect: "sqlite", migrations });
    return await sqlite.exclusive(() => definitionsOf(sqlite));
  } finally {
    await kysely.destroy();
    await sqlite.close();
  }
}

/** White space between tokens, and case outside strings, say nothing. */
const normalise = (sql: string): string =>
  (sql.match(/'[^']*'|"[^"]*"|[\w$]+|[^\s]/g) ?? [])
    .map((token) => (token.startsWith("'") ? token : token.toLowerCase()))
    .join(" ");

function firstDifference(found: Definitions, expected: Definitions): string | null {
  for (const [object, sql] of expected) {
    const own = found.get(object);
    if (own === undefined) return `it has no ${object}`;
    if (own !== sql) return `its ${object} is not defined as Repute defines it`;
  }
  const foreign = [...found.keys()].find((object) => !expected.has(object));
  return foreign === undefined ? null : `its ${foreign} is not one of Repute's`;
}
