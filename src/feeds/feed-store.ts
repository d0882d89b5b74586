import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { nullIfAbsent } from "../base/caught.ts";
import { parseOrNull } from "../base/parse-json.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";
import { contentHashOf } from "./retrieval/content-hash.ts";
import { type FeedState, feedStateSchema } from "./state.ts";

/*
 * The folder of retrieved lists, `feeds` in the data folder: for each list its state, `KEY.json`, and the content that
 * the state names by its hash, `KEY.<hash>.zst`. The content is there before the state and goes after it, so a reader who
 * reads a state finds its content, whatever was killed when. Keys are safe file names by their schema.
 */

/** Largest list, unpacked: about ten times the largest public one. */
export const MAX_LIST_BYTES = 256 * 1024 * 1024;

const contentPath = (dir: string, key: string, hash: string): string =>
  join(dir, `${key}.${hash.slice(0, 16)}.zst`);

/** The state of a list, or null when there is none that can be read. */
export function readState(dir: string, key: string): FeedState | null {
  const raw = readOrNull(join(dir, `${key}.json`));
  const state = raw === null ? null : feedStateSchema.safeParse(parseOrNull(raw.toString("utf8")));
  return state?.success ? state.data : null;
}

/** Another text after each `writeState`, by any process; empty where there is no state. */
export function stateSignature(dir: string, key: string): string {
  const found = statSync(join(dir, `${key}.json`), { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino}-${found.mtimeMs}-${found.size}`;
}

/** Writes a state, atomically. Rejects with the file system's error. */
export const writeState = (dir: string, key: string, state: FeedState): Promise<void> =>
  writeDurably(dir, join(dir, `${key}.json`), Buffer.from(JSON.stringify(state)));

/** Whether the content that a state names is there; whether it is whole is seen when it is read. */
export function hasContent(dir: string, key: string, hash: string): boolean {
  return statSync(contentPath(dir, key, hash), { throwIfNoEntry: false }) !== undefined;
}

/** The unpacked content of a list, or null when it is not there or is not the one of that hash. */
export function readContent(dir: string, key: string, hash: string): Uint8Array | null {
  const packed = readOrNull(contentPath(dir, key, hash));
  if (packed === null) return null;
  const bytes = unpackOrNull(packed);
  return bytes !== null && contentHashOf(bytes) === hash ? bytes : null;
}

/** The content of a list as it is kept, packed; null when it is not there. */
export const readPacked = (dir: string, key: string, hash: string): Promise<Buffer | null> =>
  readFile(contentPath(dir, key, hash)).catch(nullIfAbsent);

/** Keeps content, packed, and returns its hash. Nothing names it before `writeState`. */
export async function writeContent(dir: string, key: string, bytes: Uint8Array): Promise<string> {
  const hash = contentHashOf(bytes);
  if (!hasContent(dir, key, hash)) {
    const params = { [constants.ZSTD_c_compressionLevel]: 3 };
    await writePacked(dir, key, { hash, packed: zstdCompressSync(bytes, { params }) });
  }
  return hash;
}

/** Keeps content that is packed already, as another process kept it. */
export const writePacked = (
  dir: string,
  key: string,
  { hash, packed }: { readonly hash: string; readonly packed: Uint8Array },
): Promise<void> => writeDurably(dir, contentPath(dir, key, hash), packed);

/** Takes away contents of a list other than the one that its state names now; all of them for null. */
export function dropOtherContents(dir: string, key: string, hash: string | null): void {
  const current = hash === null ? null : contentPath(dir, key, hash);
  for (const name of folderChangedMs(dir) === 0 ? [] : readdirSync(dir)) {
    const path = join(dir, name);
    if (name.startsWith(`${key}.`) && name.endsWith(".zst") && path !== current)
      rmSync(path, { force: true });
  }
}

/** What is kept of a list: its state, and its content when it is there whole. */
export type Kept = { readonly state: FeedState; readonly bytes: Uint8Array | null };

/** The content of a list as its state names it, both as they are now; null when it was never tried. */
export function readKept(dir: string, key: string): Kept | null {
  const state = readState(dir, key);
  if (state?.contentHash == null) return state && { state, bytes: null };
  const bytes = readContent(dir, key, state.contentHash);
  if (bytes !== null) return { state, bytes };
  // Another process may have replaced it between the two reads: then its state is another by now.
  const again = readState(dir, key);
  if (again?.contentHash == null || again.contentHash === state.contentHash) {
    // Damaged, as by the disk. Gone, it is seen as missing, and retrieved again whatever its publisher says of it.
    dropOtherContents(dir, key, null);
    return { state, bytes: null };
  }
  return { state: again, bytes: readContent(dir, key, again.contentHash) };
}

/** Milliseconds of the folder's last change, 0 when there is none: another process may have written. */
export const folderChangedMs = (dir: string): number =>
  statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function writeDurably(dir: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replaceFile(path, [bytes]);
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    return nullIfAbsent(error);
  }
}

function unpackOrNull(packed: Uint8Array): Uint8Array | null {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_LIST_BYTES });
  } catch (error) {
    // Cut short or damaged by the disk: as good as absent.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
