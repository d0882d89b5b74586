import { chmodSync, closeSync, existsSync, openSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { Clock } from "../base/clock.ts";
import { makeFolder } from "../base/folders.ts";
import { createMutex, type Mutex } from "./mutex.ts";
import { watchOpenedFiles } from "./opened-files.ts";
import { DatabaseClosed, isSqliteBusy } from "./unavailable.ts";
import { createWal, type Wal } from "./wal.ts";

export type SqliteValue = SQLInputValue;
export type SqliteRow = Record<string, SQLOutputValue>;

/** The one connection to the file. Kysely and the ledger's prepared statements share it under `mutex`. */
export type Sqlite = {
  readonly file: string;
  readonly mutex: Mutex;
  /** The statement behind a text, prepared once. The caller holds the connection. */
  readonly prepare: (sql: string) => StatementSync;
  /**
   * Runs `work` with the connection to itself. `work` is synchronous: nothing of this process comes between.
   * Outside a transaction of Kysely's, so what it reads is committed.
   */
  readonly exclusive: <T>(work: () => T) => Promise<T>;
  /**
   * `exclusive` inside BEGIN IMMEDIATE … COMMIT; on disk when it resolves. `committed` is told of it before anybody else
   * here gets the connection, when it can be read but may not be on disk. A throw of `work` rolls all of it back.
   */
  readonly transaction: <T>(work: () => T, committed?: (value: T) => void) => Promise<T>;
  readonly isInTransaction: () => boolean;
  /**
   * Runs `work`, and again after turns for others while another process writes, five seconds at most. What is begun by
   * `work` must be undone where it throws.
   */
  readonly untilFree: <T>(work: () => T | Promise<T>) => Promise<T>;
  /**
   * A number that is another one after anybody else has committed, another process or Kysely here; what is written with
   * `transaction` leaves it. Read from the file once for all who ask in one go.
   */
  readonly version: () => number;
  /** The same, but of what other processes committed it knows only what was there when this turn of the event loop first asked. */
  readonly versionInTurn: () => number;
  /** To be told of every statement that may have written, also outside `transaction`. */
  readonly noteWrite: () => void;
  /** Throws DatabaseMoved while the file is not under its name; `transaction` and Kysely ask before they begin. */
  readonly checkPlace: () => void;
  /** Resolves when all that was committed before is on disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** How long is waited for another process that writes. */
const BUSY_MS = 5000;
/** How long a statement waits for it by itself: the event loop stands still meanwhile. */
const SPIN_MS = 5;
/** Turns for all others until it is tried again. */
const PAUSE_MS = 10;
const MAX_STATEMENTS = 500;

/** Checkpoints are made in a thread; should it be unable to, a commit makes one before the log grows over 160 MB. */
const LAST_RESORT_FRAMES = 40_000;

/**
 * Opens (creates) the file: WAL, a commit is on disk before its caller hears of it, file 0600 and a folder it
 * has to create 0700, whatever the umask. Throws what node:sqlite throws, and where the file is gone and its log is not.
 */
export async function openSqlite(file: string, { clock }: { clock: Clock }): Promise<Sqlite> {
  prepareFile(file);
  const connection = new DatabaseSync(file, { timeout: SPIN_MS });
  try {
    await setUp(connection, clock);
  } catch (error) {
    connection.close();
    throw error;
  }
  return wrap(file, connection, clock);
}

function prepareFile(file: string): void {
  if (file === ":memory:") return;
  const folder = dirname(file);
  // Only the last folder created gets its mode by chmod: an existing one may belong to another user.
  if (makeFolder(folder) !== undefined) chmodSync(folder, 0o700);
  assertWhole(placeOf(file));
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  // SQLite gives -wal and -shm the mode of the main file, past the umask.
  const place = placeOf(file);
  for (const path of [place, `${place}-wal`, `${place}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
}

/** What a link points at: SQLite puts the log beside that. */
const placeOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

/** SQLite removes the log that it finds beside an empty file, and with it the last commits of a file that was only moved. */
function assertWhole(file: string): void {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) === 0) return;
  const name = basename(file);
  throw new Error(
    `${name} is missing or empty, while its log ${name}-wal is not: put the file back, or remove the log to begin anew`,
  );
}

async function setUp(connection: DatabaseSync, clock: Clock): Promise<void> {
  // Going to WAL needs the file alone for a moment and does not call the busy handler: two first starts may meet.
  await untilFree(() => connection.exec("PRAGMA journal_mode = WAL"), clock);
  connection.exec(
    `PRAGMA synchronous = ${hasLog(connection) ? "NORMAL" : "FULL"}; PRAGMA wal_autocheckpoint = ${LAST_RESORT_FRAMES};
     PRAGMA journal_size_limit = 67108864; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
     PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384`,
  );
}

async function untilFree<T>(work: () => T | Promise<T>, clock: Clock): Promise<T> {
  const until = clock.monotonicMs() + BUSY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isSqliteBusy(error) || clock.monotonicMs() > until) throw error;
      await clock.sleep(PAUSE_MS);
    }
  }
}

/** Where there is a write-ahead log it is brought to the disk without holding the event loop; a database in memory has none. */
const hasLog = (connection: DatabaseSync): boolean =>
  connection.prepare("PRAGMA journal_mode").get()?.["journal_mode"] === "wal";

function wrap(file: string, connection: DatabaseSync, clock: Clock): Sqlite {
  const mutex = createMutex();
  const prepare = statementCache(connection);
  const place = placeOf(file);
  const look = file === ":memory:" ? () => undefined : watchOpenedFiles(file, place);
  // One that is closed says so itself: its log went with it.
  const checkPlace = () => (connection.isOpen ? look() : undefined);
  const wal = hasLog(connection) ? createWal({ file: place, framesBehind: framesBehindOf(prepare) }) : NO_LOG;
  const exclusive = async <T>(work: () => T): Promise<T> => {
    // It is free, and nothing of this process comes between while `work` runs: a lock would only cost turns.
    if (!mutex.isHeld()) return work();
    const release = await mutex.acquire();
    try {
      return work();
    } finally {
      release();
    }
  };
  return {
    file,
    mutex,
    prepare,
    exclusive,
    transaction: async (work, committed) => {
      await wal.whenOpen();
      checkPlace();
      const begun = () => {
        const value = inTransaction(connection, prepare, work);
        committed?.(value);
        return value;
      };
      const done = await untilFree(() => exclusive(begun), clock);
      await wal.sync();
      return done;
    },
    isInTransaction: () => connection.isOpen && connection.isTransaction,
    untilFree: (work) => untilFree(work, clock),
    ...versionOf(prepare),
    checkPlace,
    sync: wal.sync,
    close: async () => {
      await wal.close();
      await exclusive(() => {
        if (connection.isOpen) connection.close();
      });
    },
  };
}

const NO_LOG: Wal = { sync: async () => undefined, whenOpen: () => undefined, close: async () => undefined };

/** NOOP copies nothing. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
const framesBehindOf = (prepare: Sqlite["prepare"]) => (): number => {
  const found = prepare("PRAGMA wal_checkpoint(NOOP)").get();
  return Number(found?.["log"]) - Number(found?.["checkpointed"]);
};

// What this connection commits does not count in `data_version`.
function versionOf(prepare: Sqlite["prepare"]): Pick<Sqlite, "version" | "versionInTurn" | "noteWrite"> {
  let version = 0;
  let ofOthers: unknown = null;
  let isKnown = false;
  let isKnownInTurn = false;
  const forget = (): void => {
    isKnown = false;
  };
  const forgetInTurn = (): void => {
    isKnownInTurn = false;
  };
  const ask = (): number => {
    if (isKnown) return version;
    const found = prepare("PRAGMA data_version").get()?.["data_version"];
    if (found !== ofOthers) version++;
    ofOthers = found;
    // Good for those who ask in this very go; later callers ask again.
    isKnown = true;
    queueMicrotask(forget);
    return version;
  };
  return {
    version: ask,
    versionInTurn: () => {
      if (isKnownInTurn) return version;
      ask();
      isKnownInTurn = true;
      setImmediate(forgetInTurn);
      return version;
    },
    noteWrite: () => {
      version++;
    },
  };
}

function statementCache(connection: DatabaseSync): Sqlite["prepare"] {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    if (!connection.isOpen) throw new DatabaseClosed();
    const known = statements.get(sql);
    if (known !== undefined) return known;
    // Texts are few, but `in (…)` lists make more of them: forget the oldest rather than grow.
    if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? "");
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

function inTransaction<T>(connection: DatabaseSync, prepare: Sqlite["prepare"], work: () => T): T {
  // IMMEDIATE: a read that turns into a write gets SQLITE_BUSY at once when another process wrote between.
  prepare("BEGIN IMMEDIATE").run();
  try {
    const value = work();
    prepare("COMMIT").run();
    return value;
  } catch (error) {
    // A full disk rolls back by itself.
    if (connection.isTransaction) prepare("ROLLBACK").run();
    throw error;
  }
}
