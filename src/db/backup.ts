import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { messageOf } from "../base/caught.ts";
import type { Clock } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import { sweepLeftovers, withTemporaryName } from "../base/temporary-files.ts";
import { assertBackup, assertValues, bringToNewest } from "./check-backup.ts";
import { openDatabase } from "./database.ts";
import { NewerSchema } from "./migrate.ts";
import { isSqliteBusy } from "./unavailable.ts";

export type BackupDeps = { readonly clock: Clock };

/** Pages of a step: all of them, so that no change comes between and the copy need not begin anew. */
const ALL_PAGES = 2_147_483_647;

/** How long the database may be busy before a restore gives up. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 20;

/**
 * Writes the SQLite database at `database` as it is at one instant into `file` (0600), which is replaced as a whole or not at all.
 * Others may read and write meanwhile. Throws an Error whose message is the reason. Source: security P24.
 */
export async function backUp(
  { database, file }: { readonly database: string; readonly file: string },
  deps: BackupDeps,
): Promise<void> {
  assertThere(database);
  refuseLiveFile(database, file);
  const folder = dirname(file);
  // Renaming would put a file in the place of a device or a pipe.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new Error(`"${file}" is not a file`);
  }
  if (!existsSync(folder)) throw new Error(`There is no folder "${folder}"`);
  await withDraft(folder, deps, async (draft) => {
    await copyOut(database, draft);
    assertBackup(draft, database);
    sync(draft);
    renameSync(draft, file);
    sync(folder);
  });
}

/**
 * Puts the content of a backup into the SQLite database at `database`, in one transaction: who has it open goes on with the
 * restored content. Everything that can be wrong with the backup is found, and an older schema is brought to the newest one, in a copy,
 * before the database is touched. So a database of a newer version becomes one of this version, unless a process has it open.
 * Throws an Error whose message is the reason; then nothing has changed.
 * Resolves to the schema steps that the content was given. `plans` are those that an account may have.
 */
export async function restore(
  {
    database,
    file,
    plans,
  }: { readonly database: string; readonly file: string; readonly plans: readonly string[] },
  deps: BackupDeps,
): Promise<readonly string[]> {
  if (!statSync(file).isFile()) throw new Error(`"${file}" is not a file`);
  refuseLiveFile(database, file);
  // What stands there is part of the database, and no copy of the file alone has it.
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) {
    throw new Error(`"${file}" is a database in use: restore takes what \`repute backup\` wrote`);
  }
  await prepareDatabase(database, deps);
  return withDraft(dirname(database), deps, async (draft) => {
    copyFileSync(file, draft);
    // The copy took the mode as well.
    chmodSync(draft, 0o600);
    assertBackup(draft, file);
    const migrated = await bringToNewest(draft, { name: file, clock: deps.clock });
    assertValues(draft, file, plans);
    const source = new DatabaseSync(draft, { readOnly: true });
    try {
      await copyInto(source, database, deps.clock);
    } finally {
      source.close();
    }
    return migrated;
  });
}

/** Made when it is missing, and never older than what goes in. */
async function prepareDatabase(database: string, { clock }: BackupDeps): Promise<void> {
  try {
    await (await openDatabase({ url: database, clock })).close();
  } catch (error) {
    if (!(error instanceof NewerSchema)) throw error;
    assertUnused(database);
  }
}

/** A process of a newer version would go on with tables that it does not know. Throws where one has the database open. */
function assertUnused(database: string): void {
  const connection = new DatabaseSync(database);
  try {
    // With a write-ahead log each connection has a lock on the file as long as it is open.
    connection.exec("pragma locking_mode = exclusive; begin exclusive; rollback");
  } catch (error) {
    if (!isSqliteBusy(error)) throw failedTo(`open "${database}"`, error);
    throw new Error("A newer version of Repute has the database open: stop it before you go back", {
      cause: error,
    });
  } finally {
    connection.close();
  }
}

/** Throws where there is no database, or no way to it. */
export function assertThere(database: string): void {
  if (statSync(database, { throwIfNoEntry: false }) !== undefined) return;
  throw new Error(`There is no database yet at "${database}"`);
}

async function copyOut(database: string, draft: string): Promise<void> {
  const source = open(database);
  try {
    await backup(source, draft, { rate: ALL_PAGES });
  } catch (error) {
    throw failedTo(`copy "${database}" into "${dirname(draft)}"`, error);
  } finally {
    source.close();
  }
}

function open(database: string): DatabaseSync {
  try {
    return new DatabaseSync(database, { timeout: PATIENCE_MS });
  } catch (error) {
    throw failedTo(`open "${database}"`, error);
  }
}

/** SQLite does not say which file it failed at. */
function failedTo(what: string, error: unknown): Error {
  const reason = messageOf(error);
  return new Error(`Cannot ${what}: ${reason}`, { cause: error });
}

// The driver does not wait for a database that is being written, and gives that failure no code of its own.
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (error.errcode === 0 || isSqliteBusy(error));

async function copyInto(source: DatabaseSync, database: string, clock: Clock): Promise<void> {
  const until = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    try {
      await backup(source, database, { rate: ALL_PAGES });
      return;
    } catch (error) {
      if (!isBusy(error)) throw failedTo(`write "${database}"`, error);
      if (clock.monotonicMs() > until) {
        throw new Error("Cannot write the database: it stays busy", { cause: error });
      }
      await clock.sleep(RETRY_MS);
    }
  }
}

/** An empty file of ours in the folder, and what SQLite lays beside it, for as long as `work` takes. */
export async function withDraft<T>(
  folder: string,
  { clock }: BackupDeps,
  work: (path: string) => Promise<T>,
): Promise<T> {
  sweepDrafts(folder, clock);
  return withTemporaryName(join(folder, ".repute"), async (draft) => {
    try {
      closeSync(openSync(draft, "wx", 0o600));
      chmodSync(draft, 0o600);
      return await work(draft);
    } finally {
      for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
    }
  });
}

/** A folder for backups may be other machines' as well: what they write is never untouched for so long. */
const UNTOUCHED_MS = HOUR_MS;

function sweepDrafts(folder: string, clock: Clock): void {
  try {
    sweepLeftovers(folder, { before: new Date(clock.now().getTime() - UNTOUCHED_MS) });
  } catch {
    // It may hold files of others, or may not be listed: whether ours can be written shows right after.
  }
}

function refuseLiveFile(database: string, file: string): void {
  const live = ["", "-wal", "-shm", "-journal"].map((suffix) => realPath(database + suffix));
  if (live.includes(realPath(file))) throw new Error(`"${file}" belongs to the database in use`);
}

/** Of a file that may not exist yet. */
const realPath = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));

function sync(path: string): void {
  // A folder cannot be opened on Windows, and need not be.
  if (process.platform === "win32") return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
