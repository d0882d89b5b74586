import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { printable } from "../base/clean-text.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { replaceFile } from "../blocklist-index/replace-file.ts";

/** The last fetch of a format by one consumer: a token at an address. */
export const exportFetch = z.object({
  token: z.string().describe("Beginning of the token"),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  format: z.string(),
  at: z.string(),
  generation: z.int().describe("Generation that the consumer has since then"),
  unchanged: z.boolean().describe("It had that generation before: 304"),
});
type ExportFetch = z.infer<typeof exportFetch>;

/** Who fetched which export, kept in the data folder: processes on it see each other's. */
export type ExportFetches = {
  /** Notes a fetch; the file is written behind it, and a failure to write is none of the fetch. */
  readonly note: (name: string, fetch: Omit<ExportFetch, "at">) => void;
  /** Of the last thirty days, the newest first. */
  readonly of: (name: string) => readonly ExportFetch[];
};

/** Consumers that are kept of an export. */
const MAX_CONSUMERS = 100;
const KEPT_MS = 30 * 86_400_000;
/** A consumer that asks all the time is written down this often. */
const WRITE_EVERY_MS = 60_000;
const MAX_AGENT = 200;

/** Over the folder `exports` of a data folder. */
export function createExportFetches(dir: string, clock: Pick<Clock, "now">): ExportFetches {
  const folderOf = (name: string) => join(dir, name, "fetches");
  const written = new Map<string, { readonly atMs: number; readonly generation: number }>();
  return {
    note: (name, fetch) => {
      const now = clock.now();
      const consumer = JSON.stringify([fetch.token, fetch.address, fetch.format]);
      const key = `${name} ${consumer}`;
      const last = written.get(key);
      const isKnown = last?.generation === fetch.generation && now.getTime() - last.atMs < WRITE_EVERY_MS;
      if (isKnown) return;
      written.delete(key);
      written.set(key, { atMs: now.getTime(), generation: fetch.generation });
      const [oldest] = written.keys();
      if (written.size > 10 * MAX_CONSUMERS && oldest !== undefined) written.delete(oldest);
      const path = join(folderOf(name), `${fileNameOf(consumer)}.json`);
      void keep(folderOf(name), path, seen(fetch, now)).catch(() => written.delete(key));
    },
    of: (name) => {
      const sinceMs = clock.now().getTime() - KEPT_MS;
      return readAll(folderOf(name))
        .map(({ fetch }) => fetch)
        .filter(({ at }) => Date.parse(at) > sinceMs);
    },
  };
}

/** What a consumer says of itself is a stranger's text. */
const seen = (fetch: Omit<ExportFetch, "at">, now: Date): ExportFetch => ({
  ...fetch,
  user_agent: fetch.user_agent && printable(fetch.user_agent.slice(0, MAX_AGENT)),
  at: isoSeconds(now),
});

const fileNameOf = (consumer: string): string =>
  createHash("sha256").update(consumer).digest("hex").slice(0, 24);

async function keep(folder: string, path: string, fetch: ExportFetch): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await replaceFile(path, [Buffer.from(JSON.stringify(fetch))]);
  for (const { path: old } of readAll(folder).slice(MAX_CONSUMERS)) rmSync(old, { force: true });
}

type Kept = { readonly path: string; readonly fetch: ExportFetch };

/** The newest first. What cannot be read is left out: it is written anew with the next fetch. */
function readAll(folder: string): readonly Kept[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readOne(join(folder, name)) ?? [])
    .sort((a, b) => (a.fetch.at < b.fetch.at ? 1 : -1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function readOne(path: string): Kept | null {
  try {
    return { path, fetch: exportFetch.parse(JSON.parse(readFileSync(path, "utf8"))) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    // Another process may have taken it away since the folder was read.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
