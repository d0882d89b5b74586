import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Sqlite, SqliteValue } from "./sqlite.ts";

/**
 * Kysely on node:sqlite. Kysely's own SQLite dialect expects another driver and begins DEFERRED, so that two processes
 * meet SQLITE_BUSY on the way from reading to writing, whatever the busy timeout (1,329 of 1,500 in a trial).
 */
export function createSqliteDialect(sqlite: Sqlite): Dialect {
  return {
    createAdapter: (): DialectAdapter => new TransactionalSqliteAdapter(),
    createDriver: () => createDriver(sqlite),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

// SQLite's DDL is transactional; saying so puts all migrations into one BEGIN IMMEDIATE, the lock between processes.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(sqlite: Sqlite): Driver {
  const releases = new WeakMap<DatabaseConnection, () => Promise<void> | undefined>();
  const run = (connection: DatabaseConnection, text: string) =>
    connection.executeQuery(CompiledQuery.raw(text)).then(() => undefined);
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const release = await sqlite.mutex.acquire();
      let hasWritten = false;
      const connection = createConnection(sqlite, () => {
        hasWritten = true;
      });
      // Others go on while what was written goes to the disk.
      releases.set(connection, () => {
        release();
        return hasWritten ? sqlite.sync() : undefined;
      });
      return connection;
    },
    releaseConnection: async (connection) => releases.get(connection)?.(),
    beginTransaction: (connection) => run(connection, "BEGIN IMMEDIATE"),
    commitTransaction: (connection) => run(connection, "COMMIT"),
    // A full disk has rolled back already.
    rollbackTransaction: async (connection) => {
      if (sqlite.isInTransaction()) await run(connection, "ROLLBACK");
    },
    destroy: () => sqlite.close(),
  };
}

function createConnection(sqlite: Sqlite, onWrite: () => void): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const values = parameters.map(toSqliteValue);
      const run = (): QueryResult<R> => {
        const statement = sqlite.prepare(sql);
        // Nothing may come between this and the write: what was read before would count as read after it.
        if (!READS.test(sql)) {
          sqlite.noteWrite();
          onWrite();
        }
        if (statement.columns().length > 0) return { rows: statement.all(...values).map(trusted<R>) };
        const { changes, lastInsertRowid } = statement.run(...values);
        return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
      };
      // A transaction that has begun is ended, whatever became of the file, and does not wait.
      if (sqlite.isInTransaction()) return run();
      sqlite.checkPlace();
      return sqlite.untilFree(run);
    },
    // biome-ignore lint/correctness/useYield: it refuses
    streamQuery: async function* () {
      throw new Error("Streaming is not supported: read in pages");
    },
  };
}

const READS = /^\s*select\b/i;

function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "string") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`Cannot bind a ${typeof value} to a statement`);
}

// Kysely types a row by the query it compiled; the driver passes on what the database gave.
function trusted<R>(row: unknown): R;
function trusted(row: unknown): unknown {
  return row;
}
