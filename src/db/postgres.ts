import type { ClientBase, Pool, PoolClient, PoolConfig } from "pg";
import { driverUrl } from "./postgres-url.ts";
import { DatabaseClosed, DatabaseStandby, isDatabaseUnavailable, isSilence } from "./unavailable.ts";

export type PostgresRow = Record<string, unknown>;

/** A statement the server parses once per connection. */
export type NamedStatement = { readonly name: string; readonly text: string };

export type PreparedQuery = readonly [statement: NamedStatement, values: readonly unknown[]];

/** Runs one prepared statement and gives its rows. */
type RunStatement = (
  statement: NamedStatement,
  values: readonly unknown[],
) => Promise<readonly PostgresRow[]>;

export type Transaction = {
  /** Statements that run side by side are executed in their order. */
  readonly run: RunStatement;
  /**
   * The last statement, and COMMIT behind it without waiting for its rows: no lock is held while this process gets round
   * to reading them. Whatever must not be committed has to fail in the statement itself.
   */
  readonly runLast: RunStatement;
};

/** The pool. Kysely draws from it; the ledger's hot path runs named statements on it. */
export type Postgres = {
  readonly pool: Pool;
  /** One statement that changes nothing; asked a second time when its connection turns out to be dead. */
  readonly read: RunStatement;
  /**
   * BEGIN … COMMIT on one connection; on disk when it resolves. A throw rolls all of it back. `reads` go out with BEGIN and
   * are executed in their order; `work` gets the rows of each.
   */
  readonly transaction: <T>(
    reads: readonly PreparedQuery[],
    work: (rows: readonly (readonly PostgresRow[])[], transaction: Transaction) => Promise<T>,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
};

const CONNECT_TIMEOUT_MS = 5000;
const QUERY_TIMEOUT_MS = 30_000;
/** One indexed read: a server that needs longer stands still, and the caller is told so. */
const READ_TIMEOUT_MS = 5000;
/** Between the statements of one transaction. */
const IDLE_TIMEOUT_MS = 5000;
const MAX_CONNECTIONS = 10;
const INT8 = 20;

/**
 * Opens a pool; connects when first used and again after every loss. `pg` is loaded only here: the embedded database
 * does not pay for it. Throws when the URL cannot be read.
 */
export async function openPostgres(url: string, { isPatient = false } = {}): Promise<Postgres> {
  const { default: pg } = await import("pg");
  const options: PoolConfig = {
    connectionString: driverUrl(url),
    max: isPatient ? 1 : MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    onConnect: prepareSession,
    application_name: "repute",
    types: { getTypeParser: createTypeParsers(pg.types.getTypeParser) },
  };
  // A silent server must not hold calls for ever; a migration may take its time.
  if (!isPatient) options.query_timeout = QUERY_TIMEOUT_MS;
  const pool = new pg.Pool(options);
  pool.on("error", () => undefined); // the pool has dropped the connection and opens another when one is needed
  const state = { isClosed: false };
  const inOnePiece: InOnePiece = (client, send) => {
    const stream = client instanceof pg.Client ? client.connection.stream : null;
    stream?.cork();
    try {
      return send();
    } finally {
      stream?.uncork();
    }
  };
  return {
    pool,
    read: async (statement, values) => {
      if (state.isClosed) throw new DatabaseClosed();
      const query = { ...statement, values: [...values], query_timeout: READ_TIMEOUT_MS };
      return twice(async () => rowsOf(await pool.query(query)));
    },
    transaction: async (reads, work) => {
      if (state.isClosed) throw new DatabaseClosed();
      const begun = await twice(() => begin(pool, reads, inOnePiece));
      return inTransaction(begun, work, inOnePiece);
    },
    close: async () => {
      if (state.isClosed) return;
      state.isClosed = true;
      await pool.end();
    },
  };
}

/** Counts and milliseconds are bigint columns; all of them fit a double exactly. */
function createTypeParsers(standard: typeof import("pg").types.getTypeParser): typeof standard {
  function getTypeParser(oid: number, format?: "text" | "binary") {
    return oid === INT8 && format !== "binary" ? Number : standard(oid, "text");
  }
  return getTypeParser;
}

// What every charge relies on, whatever the server's or the role's defaults are: it is on disk before its answer leaves,
// and a statement sees what was committed before it began. A process that stands still in the middle of a transaction,
// or whose machine is gone, must not keep the others from its accounts: the server ends it. A primary becomes a standby only by
// a restart, which ends its connections.
const SESSION = `
  select pg_is_in_recovery() as is_standby, set_config('default_transaction_isolation', 'read committed', false),
    set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', false),
    set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on'
      else current_setting('synchronous_commit') end, false)`;

async function prepareSession(client: ClientBase): Promise<void> {
  // A lost connection without a listener ends the process. What runs on it rejects by itself; an idle one is no loss.
  client.on("error", () => undefined);
  const { rows } = await client.query(SESSION);
  if (rows[0]?.is_standby !== false) throw new DatabaseStandby();
}

/**
 * Asks again, once, after a failure that a dead connection explains: a server that restarted or dropped idle
 * connections leaves some in the pool until their sockets are read. Only for what changes nothing; a server that said
 * nothing for too long is not waited for a second time.
 */
export async function twice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isDatabaseUnavailable(error) || isSilence(error)) throw error;
    return ask();
  }
}

/** What `send` sends leaves together: each piece of its own costs a system call here and wakes the server. */
type InOnePiece = <T>(client: PoolClient, send: () => T) => T;

type Begun = { readonly client: PoolClient; readonly reading: Promise<readonly (readonly PostgresRow[])[]> };

async function begin(pool: Pool, reads: readonly PreparedQuery[], inOnePiece: InOnePiece): Promise<Begun> {
  const client = await pool.connect();
  try {
    const [begun, reading] = inOnePiece(client, () => [
      client.query("begin"),
      Promise.all(reads.map((asked) => ask(client, ...asked))),
    ]);
    reading.catch(() => undefined); // the rows' reader is told of it, and has gone where BEGIN fails
    await begun;
    return { client, reading };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function inTransaction<T>(
  { client, reading }: Begun,
  work: (rows: Awaited<Begun["reading"]>, transaction: Transaction) => Promise<T>,
  inOnePiece: InOnePiece,
): Promise<T> {
  let isBroken = true;
  let isCommitted = false;
  const run: RunStatement = (statement, values) => ask(client, statement, values);
  const commit = () => {
    isCommitted = true;
    return client.query("commit");
  };
  const runLast: RunStatement = async (statement, values) => {
    // Behind a statement that failed, COMMIT rolls back.
    const [rows] = await inOnePiece(client, () => Promise.all([run(statement, values), commit()]));
    return rows;
  };
  try {
    const value = await work(await reading, { run, runLast });
    if (!isCommitted) await commit();
    isBroken = false;
    return value;
  } catch (error) {
    // Ending the connection rolls back as well, and does not wait for a server that is silent.
    if (!isDatabaseUnavailable(error)) {
      await client.query("rollback");
      isBroken = false;
    }
    throw error;
  } finally {
    client.release(isBroken);
  }
}

const ask = async (
  client: PoolClient,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<readonly PostgresRow[]> => rowsOf(await client.query({ ...statement, values: [...values] }));

function rowsOf(result: { readonly rows: readonly PostgresRow[] }): readonly PostgresRow[] {
  return result.rows;
}
