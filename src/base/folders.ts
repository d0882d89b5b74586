import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "./caught.ts";

/**
 * Makes a folder with those above it, for its owner alone; the first one made, undefined when all were there. Node's
 * own recursive `mkdir` tries for ever where the system says of a folder that it is there and takes nothing (`/proc`).
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  // What stands there may be no folder: that is said here.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
  for (const folder of missing) makeOne(folder);
  return missing[0];
}

const SHARED_MODE = 0o1000;

/** The same for the data folder, which is its owner's alone also where it was laxer before (security P24). */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  const { mode } = statSync(path);
  // A folder that is sticky, as /tmp, belongs to everybody, and its files are closed all the same.
  if ((mode & 0o077) !== 0 && (mode & SHARED_MODE) === 0) chmodSync(path, 0o700);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
