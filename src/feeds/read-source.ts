import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { contentHashOf } from "./kept.ts";
import type { SeedManifest } from "./manifest.ts";
import { instantOf } from "./manifest.ts";

/** Largest list, decoded: about ten times the largest public one. */
export const MAX_LIST_BYTES = 256 * 1024 * 1024;

/** A packed list of the seed, unpacked. */
export type SeedContent = { readonly bytes: Uint8Array; readonly publishedAt: string };

/** Unpacks a seed file. Throws when it is missing or is not the one of the manifest: the package is then damaged. */
export function readSeed(seedDir: string, manifest: SeedManifest, file: string): SeedContent {
  const row = manifest.find((candidate) => candidate.file === file);
  if (row === undefined) throw new Error(`Cannot read the seed: "${file}" is not in its manifest`);
  const packed = readFileSync(join(seedDir, `${file}.br`));
  if (contentHashOf(packed) !== row.sha256) {
    throw new Error(`Cannot read the seed: "${file}.br" is not the file of the manifest`);
  }
  const bytes = brotliDecompressSync(packed, { maxOutputLength: MAX_LIST_BYTES });
  return { bytes, publishedAt: instantOf(row.date) };
}

/** What a look at an operator's file brought: its content, or why there is none. */
export type FileLook =
  | { readonly state: "read"; readonly bytes: Uint8Array }
  | { readonly state: "failed"; readonly reason: string };

/** Reads a `file:` list. A missing or unreadable file is an upstream's failure, so a value. */
export function readListFile(path: string): FileLook {
  try {
    const { size } = statSync(path);
    if (size > MAX_LIST_BYTES) {
      return { state: "failed", reason: `The file is larger than ${MAX_LIST_BYTES} bytes` };
    }
    return { state: "read", bytes: readFileSync(path) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { state: "failed", reason: `Cannot read the file: ${error.code}` };
  }
}

/** A short text that changes when the file does: time of change and size, or `missing`. */
export function fileSignature(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return "missing";
  }
}

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
