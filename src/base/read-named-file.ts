import { readFileSync, statSync } from "node:fs";

/** A file that a key of the configuration names. Throws in words; a device or a pipe may never end, and is not read. */
export function readNamedFile(path: string, key: string): Buffer {
  try {
    if (statSync(path).isFile()) return readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable";
    throw new Error(`Cannot use "${key}": cannot read "${path}" (${code})`, { cause });
  }
  throw new Error(`Cannot use "${key}": "${path}" is not a file`);
}
