import { type DatabaseIntrospector, type Kysely, PostgresDialect, PostgresIntrospector, sql } from "kysely";

/**
 * Kysely on PostgreSQL, knowing only the current schema. Kysely's own introspection reads all schemas of the database:
 * its migrator then takes another program's table for ours, and fails when a schema is dropped meanwhile.
 */
export class OwnSchemaPostgresDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new OwnSchemaIntrospector(db);
  }
}

class OwnSchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  /** Tables without their columns: the migrator asks for names. */
  override async getTables(): ReturnType<PostgresIntrospector["getTables"]> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables where schemaname = current_schema()`.execute(
      this.#db,
    );
    return rows.map(({ name, schema }) => ({ name, schema, isView: false, isForeign: false, columns: [] }));
  }
}
