import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { nullIfAbsent } from "../base/caught.ts";
import { printable } from "../base/clean-text.ts";
import { type Clock, isoSeconds } from "../base/clock.ts";
import { DAY_MS } from "../base/durations.ts";
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
export type ExportFetch = z.infer<typeof exportFetch>;

/** Who fetched which export, kept in the data folder: processes on it see each other's. */
export type ExportFetches = {
  /** Notes a fetch; the file is written behind it, and a failure to write is none of the fetch. */
  readonly note: (name: string, fetch: Omit<ExportFetch, "at">) => void;
  /** Of the last thirty days, the newest first. */
  readonly of: (name: string) => readonly ExportFetch[];
};

/** Consumers that are kept of an export. */
const MAX_CONSUMERS = 100;
const KEPT_MS = 30 * DAY_MS;
/** A consumer that asks all the time is written down this often. */
const WRITE_EVERY_MS = 60_000;
const MAX_AGENT = 200;
const MAX_TOKENS = 10_000;

/** Over the folder `exports` of a data folder. */
export function createExportFetches(dir: string, clock: Pick<Clock, "now">): ExportFetches {
  const folderOf = (name: string) => join(dir, name, "fetches");
  const written = new Map<string, { readonly atMs: number; readonly generation: number }>();
  const mayWrite = createAllowance();
  const writers = new Map<string, Writer>();
  return {
    note: (name, fetch) => {
      const nowMs = clock.now().getTime();
      const key = `${name} ${fetch.token} ${fetch.address} ${fetch.format}`;
      const last = written.get(key);
      const isKnown = last?.generation === fetch.generation && nowMs - last.atMs < WRITE_EVERY_MS;
      if (isKnown || !mayWrite(`${name} ${fetch.token}`, nowMs)) return;
      written.delete(key);
      written.set(key, { atMs: nowMs, generation: fetch.generation });
      const [oldest] = written.keys();
      if (written.size > 10 * MAX_CONSUMERS && oldest !== undefined) written.delete(oldest);
      const write = writers.get(name) ?? createWriter(folderOf(name));
      writers.set(name, write);
      write(`${fileNameOf(fetch)}.json`, seen(fetch, new Date(nowMs)), () => written.delete(key));
    },
    of: (name) => {
      const sinceMs = clock.now().getTime() - KEPT_MS;
      return readAll(folderOf(name))
        .map(({ fetch }) => fetch)
        .filter(({ at }) => Date.parse(at) > sinceMs);
    },
  };
}

/** Whether a token may have one more written down: whose addresses are without number would keep the disk busy. */
function createAllowance(): (token: string, nowMs: number) => boolean {
  const used = new Map<string, { readonly sinceMs: number; count: number }>();
  return (token, nowMs) => {
    const known = used.get(token);
    if (known !== undefined && Math.abs(nowMs - known.sinceMs) < WRITE_EVERY_MS)
      return ++known.count <= MAX_CONSUMERS;
    used.delete(token);
    used.set(token, { sinceMs: nowMs, count: 1 });
    const [oldest] = used.keys();
    if (used.size > MAX_TOKENS && oldest !== undefined) used.delete(oldest);
    return true;
  };
}

/** What a consumer says of itself is a stranger's text. */
const seen = (fetch: Omit<ExportFetch, "at">, now: Date): ExportFetch => ({
  ...fetch,
  user_agent: fetch.user_agent && printable(fetch.user_agent.slice(0, MAX_AGENT)),
  at: isoSeconds(now),
});

const fileNameOf = ({ token, address, format }: Omit<ExportFetch, "at">): string =>
  createHash("sha256")
    .update(JSON.stringify([token, address, format]))
    .digest("hex")
    .slice(0, 24);

type Writer = (file: string, fetch: ExportFetch, onFault: () => void) => void;

/** Writes files of a folder one after the other, and takes away what is too many once for all that waited. */
function createWriter(folder: string): Writer {
  const waiting = new Map<string, { readonly fetch: ExportFetch; readonly onFault: () => void }>();
  let isBusy = false;
  const writeAll = async (): Promise<void> => {
    for (const [file, { fetch, onFault }] of waiting) {
      waiting.delete(file);
      await keep(join(folder, file), fetch).catch(onFault);
    }
    try {
      takeAwaySurplus(folder);
    } catch {
      // With the next write.
    }
    isBusy = false;
  };
  return (file, fetch, onFault) => {
    waiting.set(file, { fetch, onFault });
    if (isBusy) return;
    isBusy = true;
    void writeAll();
  };
}

async function keep(path: string, fetch: ExportFetch): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, [Buffer.from(JSON.stringify(fetch))]);
}

/** The token with the most consumers loses its oldest: one that has many addresses hides no other. */
function takeAwaySurplus(folder: string): void {
  if (namesIn(folder).length <= MAX_CONSUMERS) return;
  const byToken = Map.groupBy(readAll(folder), ({ fetch }) => fetch.token);
  const lists = [...byToken.values()];
  for (let left = lists.flat().length; left > MAX_CONSUMERS; left--) {
    const [longest] = lists.sort((a, b) => b.length - a.length);
    const old = longest?.pop();
    if (old !== undefined) rmSync(old.path, { force: true });
  }
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
    return nullIfAbsent(error) ?? [];
  }
}

function readOne(path: string): Kept | null {
  try {
    return { path, fetch: exportFetch.parse(JSON.parse(readFileSync(path, "utf8"))) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    // Another process may have taken it away since the folder was read.
    return nullIfAbsent(error);
  }
}
