import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { MAX_LIST_BYTES } from "../feed-store.ts";
import { contentHashOf } from "./content-hash.ts";
import type { SeedManifest } from "./manifest.ts";
import { instantOf } from "./manifest.ts";

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
