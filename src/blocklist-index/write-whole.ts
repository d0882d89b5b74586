import { lstat, realpath, stat, writeFile } from "node:fs/promises";
import { errorCode, nullIfAbsent } from "../base/caught.ts";
import { replaceFile } from "./replace-file.ts";

/** Where a file beside the one that is there cannot be made, or not with its owner: it can only be written over. */
const CANNOT_REPLACE = new Set(["EACCES", "EPERM", "EBUSY", "EROFS"]);

/**
 * Writes a file that other programs read, whole or not at all: one that is there keeps its owner and permissions, of a link
 * the file that it leads to. Pipes and devices are written into, as is a file whose folder takes no other one.
 */
export async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const there = await stat(file).catch(nullIfAbsent);
  if (there === null ? await isLink(file) : !there.isFile()) return writeFile(file, content);
  const path = there === null ? file : await realpath(file);
  try {
    await replaceFile(path, [content], there === null ? { mode: 0o666 } : { like: there });
  } catch (error) {
    if (there !== null && CANNOT_REPLACE.has(errorCode(error))) return writeFile(path, content);
    // Told is the file that was asked for, not the one beside it.
    if (error instanceof Error && "path" in error) error.path = file;
    throw error;
  }
}

/** A link to a file that is not there yet. */
const isLink = async (file: string): Promise<boolean> =>
  (await lstat(file).catch(nullIfAbsent))?.isSymbolicLink() === true;
