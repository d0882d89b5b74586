/** A handle that was closed, or a wait for the database that was given up. Always "unavailable". */
export class DatabaseClosed extends Error {
  constructor(message = "The database is closed") {
    super(message);
    this.name = "DatabaseClosed";
  }
}

/** A file of the open database is not under its name any more. "Unavailable" until it is there again. */
export class DatabaseMoved extends Error {
  constructor(name: string) {
    super(`${name} was moved, removed or replaced while it was open: put it back, or restart`);
    this.name = "DatabaseMoved";
  }
}

/** A newer version has changed the schema while this process runs. "Unavailable" to what needs those tables, until it is replaced. */
export class DatabaseOutgrown extends Error {
  constructor(cause: unknown) {
    super("A newer version of Repute has changed the database: replace this process", { cause });
    this.name = "DatabaseOutgrown";
  }
}

/** Another database answers than the one that was opened, as after a failover. "Unavailable" until the right one is there again. */
export class DatabaseReplaced extends Error {
  constructor(cause: unknown) {
    super(
      "The database lacks tables of this version of Repute: an empty or older one, or another search_path, has taken its place",
      { cause },
    );
    this.name = "DatabaseReplaced";
  }
}

/** A standby: it would answer with what was true some time ago, such as a key that is revoked, and takes no writes. */
export class DatabaseStandby extends Error {
  constructor() {
    super("This PostgreSQL is a standby: the address in DATABASE_URL must lead to the primary");
    this.name = "DatabaseStandby";
  }
}

/** Undefined table, undefined column, a column without the value that it needs now. */
const CHANGED_SCHEMA: readonly unknown[] = ["42P01", "42703", "23502"];

/** Whether an error of PostgreSQL may come from a schema that is another than the program's. */
export const mayBeOutgrown = (error: unknown): boolean =>
  error instanceof Error && "code" in error && CHANGED_SCHEMA.includes(error.code);

// Primary result codes, https://www.sqlite.org/rescode.html: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT,
// FULL, CANTOPEN, PROTOCOL, NOTADB.
const SQLITE_CODES: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const POSTGRES_CLASSES: readonly string[] = ["08", "28", "53", "58"];
const POSTGRES_CODES: ReadonlySet<string> = new Set([
  "25006", // read-only transaction: a standby, or default_transaction_read_only
  "25P04", // transaction timeout
  "25P03", // idle in a transaction for too long: this process stood still
  "3D000", // the database does not exist (any more)
  "40001", // serialisation failure
  "40P01", // deadlock
  "42501", // insufficient privilege: rights of the role were taken away
  "55000", // the database accepts no connections: ALTER DATABASE … ALLOW_CONNECTIONS false
  "55P03", // lock not available
  "57014", // query canceled: statement_timeout
  "57P01", // admin shutdown
  "57P02", // crash shutdown
  "57P03", // cannot connect now
  "57P04", // database dropped
  "57P05", // idle session timeout
  "XX001", // data corrupted
  "XX002", // index corrupted
]);

const SYSTEM_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EMFILE",
  "ENFILE",
  "ENOSPC",
  "EROFS",
  "EDQUOT",
  "EIO",
]);

// The pg driver gives these no code.
const DRIVER_TEXTS =
  /^(Connection terminated|Query read timeout|timeout e?xceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|driver has already been destroyed|The server does not support SSL)/;

/**
 * Whether an error means that the database is away, full, read-only, locked or broken, so that the same call may
 * succeed later: HTTP answers 503. Causes are looked through.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (isOurs(current) || isUnavailableError(current)) return true;
    current = current.cause;
  }
  return false;
}

const OURS = [DatabaseClosed, DatabaseMoved, DatabaseOutgrown, DatabaseReplaced, DatabaseStandby];
const isOurs = (error: Error): boolean => OURS.some((kind) => error instanceof kind);

function isUnavailableError(error: Error): boolean {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ERR_SQLITE_ERROR") return "errcode" in error && isSqliteCode(error.errcode);
  // node:sqlite on a handle that was closed.
  if (code === "ERR_INVALID_STATE")
    return /database is not open|statement has been finalized/.test(error.message);
  if (SYSTEM_CODES.has(code) || hasEndedConnection(error)) return true;
  if (/^[0-9A-Z]{5}$/.test(code))
    return POSTGRES_CODES.has(code) || POSTGRES_CLASSES.includes(code.slice(0, 2));
  return DRIVER_TEXTS.test(error.message);
}

/** PostgreSQL's word, in most languages, for what ends a connection or refuses it: no fault of one statement. */
const hasEndedConnection = (error: Error): boolean =>
  "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");

// The low byte is the primary code; the rest says more about it.
const isSqliteCode = (errcode: unknown): boolean =>
  typeof errcode === "number" && SQLITE_CODES.has(errcode & 0xff);

/** Whether a wait for PostgreSQL was given up. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && /^(Query read timeout|timeout e)/.test(error.message);

/** Whether SQLite said that another connection holds the lock (SQLITE_BUSY). */
export function isSqliteBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === 5
  );
}
