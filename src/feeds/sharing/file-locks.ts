import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { errorCode, nullIfAbsent } from "../../base/caught.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { isAlive, startOf } from "../../base/temporary-files.ts";

/** Longest that a claim is believed: longer than any attempt takes. */
const MAX_CLAIM_MS = 15 * 60_000;

/** Who of the processes on one data folder works on a list now. Saves work twice; correctness does not need it. */
export type Claims = {
  /** False when another living process works on it. Throws the file system's error. */
  readonly take: (key: string) => boolean;
  readonly release: (key: string) => void;
};

/** How often a process touches the claims that it has, as a sign of life for those that cannot see it. */
const TOUCH_MS = 1_000;
/** After so long without one it is taken for dead. */
const SILENT_MS = 10_000;

/** Claims of this process, by path: what is in them, and what ends their touching. */
const heldHere = new Map<string, { readonly text: string; readonly over: AbortController }>();

/**
 * Claims as files in a folder, which a killed process may leave behind: those of the dead do not count. A process of this machine is seen
 * by its number; one of another container by its touching its claims every second.
 */
export function createClaims(dir: string, clock: Pick<Clock, "now">): Claims {
  const pathOf = (key: string): string => resolve(dir, `${key}.claim`);
  return {
    take: (key) => {
      const path = pathOf(key);
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const nowMs = clock.now().getTime();
      const text = [process.pid, nowMs, startOf(process.pid) ?? UNTOLD, NAMESPACE].join(" ");
      if (!create(path, text)) {
        if (isHeld(path, nowMs)) return false;
        rmSync(path, { force: true });
        if (!create(path, text)) return false;
      }
      const over = new AbortController();
      heldHere.set(path, { text, over });
      touch(path, over.signal).catch(() => undefined);
      return true;
    },
    release: (key) => {
      const path = pathOf(key);
      heldHere.get(path)?.over.abort();
      if (isOurs(path)) rmSync(path, { force: true });
      heldHere.delete(path);
    },
  };
}

/** Whether a claim that was taken here was taken over by no other process since, as while this one stood still. */
const isOurs = (path: string): boolean =>
  heldHere.has(path) && readOrEmpty(path) === heldHere.get(path)?.text;

/** Until the signal. */
async function touch(path: string, signal: AbortSignal): Promise<void> {
  do {
    await systemClock.sleep(TOUCH_MS, signal);
    const now = systemClock.now();
    if (isOurs(path)) utimesSync(path, now, now);
  } while (isOurs(path));
}

function create(path: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, text);
    return true;
  } catch (error) {
    // A full disk has room for the name alone, which would be taken for a claim that is being written.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

// A claim with our own number that we do not hold is of a process before us: containers begin with pid 1 again.
function isHeld(path: string, nowMs: number): boolean {
  const [pid = 0, writtenMs, start = UNTOLD, namespace = UNTOLD] = readOrEmpty(path).split(" ").map(Number);
  const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // Empty: it is being written, or its writer died at that.
  if (Math.abs(nowMs - (writtenMs ?? touchedMs)) > MAX_CLAIM_MS) return false;
  if (pid === process.pid) return heldHere.has(path);
  // Of another container: its number says nothing here.
  if (namespace !== UNTOLD && namespace !== NAMESPACE)
    return Math.abs(systemClock.now().getTime() - touchedMs) < SILENT_MS;
  const isSame = start === UNTOLD || (startOf(pid) ?? start) === start;
  return pid === 0 || (isAlive(pid) && isSame);
}

/** In place of when a process began, and of its namespace. */
const UNTOLD = 0;

/** In which processes have their numbers: in another container on the same folder a number is another process. */
const NAMESPACE = statSync("/proc/self/ns/pid", { throwIfNoEntry: false })?.ino ?? UNTOLD;

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return nullIfAbsent(error) ?? "";
  }
}

/** Longest that one process waits for the work of another, which may have been stopped. */
const MAX_WAIT_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** What one process on a data folder makes for all. */
export type WorkForAll = {
  /** The file that it makes. */
  readonly path: string;
  /** Whether it is there, made by this process or another. */
  readonly isDone: () => boolean | Promise<boolean>;
  readonly work: () => Promise<unknown>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Does the work unless another living process is at it, which it waits for instead: two at once would keep every processor
 * from the calls. What is there already is taken even where no claim can be written, as on a full disk. Throws the file system's
 * error, and what `work` throws.
 */
export async function doForAll({ path, isDone, work, clock, signal }: WorkForAll): Promise<void> {
  if (await isDone()) return;
  const claims = createClaims(dirname(path), clock);
  const key = basename(path);
  const untilMs = clock.monotonicMs() + MAX_WAIT_MS;
  let isOurs = claims.take(key);
  while (!isOurs && !(await isDone()) && clock.monotonicMs() < untilMs) {
    await clock.sleep(LOOK_EVERY_MS, signal);
    isOurs = claims.take(key);
  }
  try {
    if (!(await isDone())) await work();
  } finally {
    if (isOurs) claims.release(key);
  }
}
