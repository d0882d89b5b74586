import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const keptSchema = z.object({
  contentHash: z.string(),
  /** The part of the definition that the counts depend on. */
  definitionHash: z.string(),
  entries: z.number(),
  retrievedAt: z.string(),
  publishedAt: z.string().nullable(),
  changedAt: z.string(),
});

/** What is known of the last accepted content of a list. */
export type KeptState = z.infer<typeof keptSchema>;

/** The last accepted content of a list together with its state. */
export type Kept = { readonly state: KeptState; readonly bytes: Uint8Array };

/** Hash by which contents are compared, hex. */
export const contentHashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * The last accepted content of a list. Null: none, or content and state do not belong together, as after a
 * crash between the two writes. Source: security P21. `key` is one by the schema, so a safe file name.
 */
export function readKept(dir: string, key: string): Kept | null {
  const raw = readOrNull(join(dir, `${key}.json`));
  const bytes = readOrNull(join(dir, `${key}.list`));
  if (raw === null || bytes === null) return null;
  const state = keptSchema.safeParse(parseOrNull(raw.toString("utf8")));
  return state.success && state.data.contentHash === contentHashOf(bytes)
    ? { state: state.data, bytes }
    : null;
}

/** Keeps accepted content: each file under a temporary name, flushed, then renamed; the state last. */
export function writeKept(dir: string, key: string, { state, bytes }: Kept): void {
  mkdirSync(dir, { recursive: true });
  writeDurably(join(dir, `${key}.list`), bytes);
  writeKeptState(dir, key, state);
}

/** Writes the state alone, for content that did not change. */
export function writeKeptState(dir: string, key: string, state: KeptState): void {
  writeDurably(join(dir, `${key}.json`), Buffer.from(JSON.stringify(state)));
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
