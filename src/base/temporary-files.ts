import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "./caught.ts";

/** Files that this process writes now. */
const current = new Set<string>();
let made = 0;

/**
 * Gives `work` a name beside `path` to write a file under. What a killed process leaves there is swept by the next process
 * on the folder. Whether the file is put in place or removed is decided by `work`.
 */
export async function withTemporaryName<T>(
  path: string,
  work: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = `${resolve(path)}.${process.pid}-${++made}.tmp`;
  current.add(temporary);
  try {
    return await work(temporary);
  } finally {
    current.delete(temporary);
  }
}

/** With what SQLite lays beside a database. */
const TEMPORARY = /^(.*\.(\d+)-\d+\.tmp)(?:-wal|-shm|-journal)?$/;

/**
 * Takes away what killed processes left half written in a folder. `before`: only what was last written before it, where other
 * machines write as well, whose processes cannot be seen.
 */
export function sweepLeftovers(dir: string, { before = null }: { readonly before?: Date | null } = {}): void {
  for (const name of readdirSync(dir)) {
    const [, temporary = "", pid] = TEMPORARY.exec(name) ?? [];
    if (pid === undefined || isBeingWritten(resolve(dir, temporary), Number(pid))) continue;
    const path = join(dir, name);
    if (before === null || isOlder(path, before)) rmSync(path, { force: true });
  }
}

// One with our own number that we do not write is of a process before us: containers begin with pid 1 again.
const isBeingWritten = (path: string, pid: number): boolean =>
  pid === process.pid ? current.has(path) : isAlive(pid);

function isOlder(path: string, before: Date): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < before.getTime();
}

/** Whether a process of this machine has the number. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // ESRCH: no process has this number. EPERM: another user's process has it, so it lives.
    return errorCode(error) === "EPERM";
  }
}

/**
 * When a process of this machine began, in ticks since that did; null where it is not told, as of one that has ended. With its number it
 * is one process and no other: after a restart of the machine a number may be another's.
 */
export function startOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // proc_pid_stat(5): the name in brackets may hold anything; what follows it begins with the third field.
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD]);
    return Number.isSafeInteger(ticks) ? ticks : null;
  } catch {
    return null;
  }
}

const START_FIELD = 22 - 3;
