import { createHash } from "node:crypto";
import { isoSeconds } from "../clock.ts";
import { InvalidValue } from "../failure.ts";
import type { ListingsBuilder, ListState } from "../listings/listings.ts";
import type { FeedDefinition } from "./feed.ts";
import { feedTextOf } from "./feed-text.ts";
import type { FeedText } from "./formats/format.ts";
import { contentHashOf, type Kept, readKept, writeKept, writeKeptState } from "./kept.ts";
import { type LoadCounts, loadFeed } from "./load.ts";
import { readSeedManifest, type SeedManifest } from "./manifest.ts";
import { publishedDate } from "./published-date.ts";
import { fileSignature, readListFile, readSeed } from "./read-source.ts";

/** Changes when the same definitions and files come to other entries than before. */
const COMPILER_VERSION = 1;

/** Everything a compilation reads and writes. */
export type CompileOptions = {
  /** Their order is the order of the lists in the index. */
  readonly feeds: readonly FeedDefinition[];
  /** An empty one; `createListingsBuilder()`. */
  readonly builder: ListingsBuilder;
  readonly seedDir: string;
  /** Where the last accepted content of the operator's lists is kept: `feeds` in the data folder. */
  readonly keptDir: string;
  readonly now: Date;
  readonly outFile: string;
};

/** What a compilation came to. */
export type Compiled = {
  readonly lists: readonly ListState[];
  readonly fingerprint: string;
  readonly bytes: number;
};

type Task = Omit<CompileOptions, "feeds" | "outFile"> & { readonly manifest: SeedManifest };

/**
 * Reads every list and writes the compiled index. One list's trouble stays its own: its previous content
 * stands in, and `lastError` says why. Throws when the seed is damaged or the index cannot be written.
 * Runs in a process of its own. Source: design 3.4, security P21.
 */
export async function compileFeeds(options: CompileOptions): Promise<Compiled> {
  const { feeds, builder, outFile, seedDir } = options;
  // First, so that a file that changes meanwhile is read again at the next start.
  const fingerprint = feedsFingerprint(feeds, seedDir);
  const task: Task = { ...options, manifest: readSeedManifest(seedDir) };
  const lists = feeds.map((feed, list) => compileFeed(feed, list, task));
  const bytes = await builder.write(outFile, lists, fingerprint);
  return { lists, fingerprint, bytes };
}

/** What the index depends on, as one text: definitions, seed files, and time and size of `file:` lists. */
export function feedsFingerprint(feeds: readonly FeedDefinition[], seedDir: string): string {
  const hash = createHash("sha256").update(`compiler ${COMPILER_VERSION}\n`);
  const manifest = readSeedManifest(seedDir);
  for (const feed of feeds) {
    hash.update(`${JSON.stringify(feed)}\n${sourceSignature(feed, manifest)}\n`);
  }
  return hash.digest("hex");
}

/** A text that changes with the content behind a list: the seed's hash, a file's time and size. */
export function sourceSignature({ source }: FeedDefinition, manifest: SeedManifest): string {
  switch (source.kind) {
    case "seed":
      return manifest.find(({ file }) => file === source.file)?.sha256 ?? "missing";
    case "file":
      return fileSignature(source.path);
    case "https":
      return "";
  }
}

function compileFeed(feed: FeedDefinition, list: number, task: Task): ListState {
  switch (feed.source.kind) {
    case "seed":
      return compileSeed(feed, feed.source.file, list, task);
    case "file":
      return compileFile(feed, feed.source.path, list, task);
    case "https":
      return { ...NOTHING, key: feed.key };
  }
}

const NOTHING = {
  entries: 0,
  dropped: 0,
  droppedSamples: [],
  seed: false,
  retrievedAt: null,
  publishedAt: null,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: false,
  contentHash: null,
  families: [],
} as const;

function compileSeed(feed: FeedDefinition, file: string, list: number, task: Task): ListState {
  const { bytes, publishedAt } = readSeed(task.seedDir, task.manifest, file);
  const counts = loadFeed(feed, feedTextOf(bytes), { builder: task.builder, list });
  const contentHash = contentHashOf(bytes);
  const dates = { publishedAt, changedAt: publishedAt };
  return { ...NOTHING, key: feed.key, ...counts, ...dates, seed: true, loaded: true, contentHash };
}

function compileFile(feed: FeedDefinition, path: string, list: number, task: Task): ListState {
  const kept = readKept(task.keptDir, feed.key);
  const look = readListFile(path);
  const verdict = look.state === "failed" ? { error: look.reason } : accept(feed, look.bytes, kept, task.now);
  const lastAttempt = isoSeconds(task.now);
  if ("error" in verdict) {
    const state = kept === null ? { ...NOTHING, key: feed.key } : addKept(feed, kept, list, task);
    return { ...state, lastAttempt, lastError: state.lastError ?? verdict.error };
  }
  if (kept?.state.contentHash === verdict.state.contentHash) {
    writeKeptState(task.keptDir, feed.key, verdict.state);
  } else writeKept(task.keptDir, feed.key, verdict);
  return { ...addKept(feed, verdict, list, task), lastAttempt };
}

/**
 * Adds accepted content. What a changed definition cannot read any more is an error and no content; entries
 * added until then are harmless, as nobody asks a list that is not loaded.
 */
function addKept(feed: FeedDefinition, { state, bytes }: Kept, list: number, task: Task): ListState {
  const { retrievedAt, publishedAt, changedAt, contentHash } = state;
  const text = feedTextOf(bytes);
  try {
    const counts = loadFeed(feed, text, { builder: task.builder, list });
    const dates = { retrievedAt, publishedAt, changedAt };
    return { ...NOTHING, key: feed.key, ...counts, ...dates, loaded: true, contentHash };
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    return { ...NOTHING, key: feed.key, lastError: error.message };
  }
}

/** The guards of design 3.4: what a retrieval must pass before it replaces the content before it. */
function accept(
  feed: FeedDefinition,
  bytes: Uint8Array,
  kept: Kept | null,
  now: Date,
): Kept | { readonly error: string } {
  const text = feedTextOf(bytes);
  const error = isMarkup(text.text()) ? "The file is a web page, not a list" : null;
  const counts = error === null ? count(feed, text) : { error };
  if ("error" in counts) return counts;
  const definitionHash = definitionHashOf(feed);
  const previous = kept?.state.definitionHash === definitionHash ? kept.state.entries : 0;
  const { entries } = counts;
  if (entries === 0 && !feed.allowEmpty) return { error: emptyReason(counts) };
  if (previous > 100 && entries * 2 < previous && entries > 0) {
    return { error: `The list shrank from ${previous} to ${entries} entries` };
  }
  const contentHash = contentHashOf(bytes);
  const retrievedAt = isoSeconds(now);
  const isSame = kept?.state.contentHash === contentHash;
  const changedAt = isSame ? kept.state.changedAt : retrievedAt;
  const publishedAt = publishedDate(text.text(), now);
  return { bytes, state: { contentHash, definitionHash, entries, retrievedAt, publishedAt, changedAt } };
}

function count(feed: FeedDefinition, text: FeedText): LoadCounts | { readonly error: string } {
  try {
    return loadFeed(feed, text, null);
  } catch (error) {
    if (error instanceof InvalidValue) return { error: error.message };
    throw error;
  }
}

function emptyReason({ dropped, droppedSamples }: LoadCounts): string {
  if (dropped === 0) return "The list is empty";
  return `No row of the list was understood, the first is "${droppedSamples[0] ?? ""}"`;
}

const isMarkup = (text: string): boolean => text.trimStart().startsWith("<");

/** What the entries of one content depend on beside it. */
const definitionHashOf = ({ target, format, options, builtin }: FeedDefinition): string =>
  contentHashOf(Buffer.from(JSON.stringify({ target, format, options, builtin })));
