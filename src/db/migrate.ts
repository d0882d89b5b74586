import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { messageOf } from "../base/caught.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";
import type { DatabaseMigration } from "./migrations/migration.ts";
import type { Schema } from "./schema.ts";
import { takeTables } from "./take-tables.ts";

/** The database's schema has steps that this program does not know. The message says it all. */
export class NewerSchema extends Error {
  constructor(step: string) {
    super(`The database was made by a newer version of Repute (schema step "${step}"): upgrade Repute`);
    this.name = "NewerSchema";
  }
}

/** Where the steps stand that a database has taken. */
export const STEPS_TABLE = "schema_steps";
const LOCK_TABLE = "schema_steps_lock";

export type MigrateOptions = {
  readonly dialect: "sqlite" | "postgres";
  readonly migrations?: readonly DatabaseMigration[];
};

/**
 * Brings the schema to the newest step, all in one transaction, and returns the names of the steps it applied. Safe
 * when several processes do it at once, and while others answer calls: BEGIN IMMEDIATE in SQLite, in PostgreSQL an advisory lock
 * and all tables. Throws NewerSchema.
 */
export async function migrate(db: Kysely<Schema>, options: MigrateOptions): Promise<readonly string[]> {
  const migrations = options.migrations ?? ALL_MIGRATIONS;
  if (options.dialect === "postgres") await refuseNoSchema(db);
  const applied = await appliedSteps(db, options.dialect);
  refuseNewer(applied, migrations);
  if (migrations.every(({ name }) => applied.includes(name))) return [];
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => toKyselyMigrations(migrations, options.dialect) },
    migrationTableName: STEPS_TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    // Another process may have been newer and faster.
    refuseNewer(await appliedSteps(db, options.dialect), migrations);
    throw new Error(`Cannot migrate the database: ${messageOf(error)}`, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}

function toKyselyMigrations(
  migrations: readonly DatabaseMigration[],
  dialect: MigrateOptions["dialect"],
): Record<string, Migration> {
  const upOf =
    ({ up }: DatabaseMigration): Migration["up"] =>
    async (transaction) => {
      // Of those that are taken together, the first has to wait.
      if (dialect === "postgres") await takeTables(transaction);
      await up(transaction, { dialect });
    };
  return Object.fromEntries(migrations.map((step) => [step.name, { up: upOf(step) }]));
}

/** What the schema is beside what this program makes: one that lacks steps is of an empty or older database that took its place. */
export async function compareSteps(
  db: Kysely<Schema>,
  { dialect, migrations = ALL_MIGRATIONS }: MigrateOptions,
): Promise<"newer" | "older" | "same"> {
  const applied = await appliedSteps(db, dialect);
  if (newerStep(applied, migrations) !== undefined) return "newer";
  return migrations.every(({ name }) => applied.includes(name)) ? "same" : "older";
}

const newerStep = (
  applied: readonly string[],
  migrations: readonly DatabaseMigration[],
): string | undefined => applied.find((step) => !migrations.some(({ name }) => name === step));

function refuseNewer(applied: readonly string[], migrations: readonly DatabaseMigration[]): void {
  const unknown = newerStep(applied, migrations);
  if (unknown !== undefined) throw new NewerSchema(unknown);
}

async function refuseNoSchema(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  if (rows[0]?.name == null)
    throw new Error("Cannot migrate the database: no schema of its search_path exists");
}

async function appliedSteps(
  db: Kysely<Schema>,
  dialect: MigrateOptions["dialect"],
): Promise<readonly string[]> {
  const found =
    dialect === "sqlite"
      ? sql<{
          found: number;
        }>`select count(*) as found from sqlite_master where type = 'table' and name = ${STEPS_TABLE}`
      : sql<{ found: number }>`select count(*) as found from pg_tables
          where schemaname = current_schema() and tablename = ${STEPS_TABLE}`;
  if (Number((await found.execute(db)).rows[0]?.found ?? 0) === 0) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(STEPS_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
