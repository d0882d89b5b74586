import { createHash } from "node:crypto";
import type { ListingsBuilder, ListState } from "../blocklist-index/types.ts";
import type { FeedDefinition, FeedSeed } from "./feed.ts";
import { readKept } from "./feed-store.ts";
import type { LoadCounts } from "./load.ts";
import { contentHashOf } from "./retrieval/content-hash.ts";
import { readSeedManifest, type SeedManifest } from "./retrieval/manifest.ts";
import { readSeed } from "./retrieval/read-source.ts";
import { judgeContent } from "./retrieval/validate-content.ts";
import { type FeedState, NEVER_TRIED, NO_PREVIOUS, type Previous, previousOf } from "./state.ts";

/** Changes when the same definitions and contents come to other entries than before. */
const COMPILER_VERSION = 7;

/** Everything a compilation reads and writes. */
export type CompileOptions = {
  /** Their order is the order of the lists in the index. */
  readonly feeds: readonly FeedDefinition[];
  /** An empty one; `createListingsBuilder()`. */
  readonly builder: ListingsBuilder;
  readonly seedDir: string;
  /** Where retrieved lists are kept: `feeds` in the data folder. */
  readonly keptDir: string;
  readonly outFile: string;
};

/** What a compilation came to. */
export type Compiled = {
  readonly lists: readonly ListState[];
  readonly fingerprint: string;
  readonly bytes: number;
};

type Task = Omit<CompileOptions, "outFile"> & { readonly manifest: SeedManifest };

/**
 * Reads every list, as it was last accepted or from the seed, and writes the compiled index. Throws when the seed is
 * damaged or the index cannot be written. Runs in a process of its own. Source: design 3.4.
 */
export async function compileFeeds(options: CompileOptions): Promise<Compiled> {
  const { feeds, builder, outFile, seedDir } = options;
  const task: Task = { ...options, manifest: readSeedManifest(seedDir) };
  const compiled = feeds.map((feed, list) => compileFeed(feed, list, task));
  const lists = compiled.map(({ state }) => state);
  const contents = new Map(compiled.map(({ state, content }) => [state.key, content]));
  const fingerprint = feedsFingerprint(feeds, task.manifest)((key) => contents.get(key) ?? null);
  const bytes = await builder.write(outFile, lists, fingerprint);
  return { lists, fingerprint, bytes };
}

/**
 * What the index depends on, as a function of what gives the hashes of retrieved contents: one text of two halves, what it was made by (definitions, seed, the operator's
 * files), and which downloads it was made of. An index of other downloads still answers until the new one is there.
 */
export function feedsFingerprint(
  feeds: readonly FeedDefinition[],
  manifest: SeedManifest,
): (contentOf: (key: string) => string | null) => string {
  const definitions = feeds.map((feed) => `${JSON.stringify(feed)}\n${seedHash(feed, manifest)}\n`);
  return (contentOf) => {
    const rules = createHash("sha256").update(`compiler ${COMPILER_VERSION}\n`);
    const downloads = createHash("sha256");
    for (const [i, { key, source }] of feeds.entries()) {
      rules.update(definitions[i] ?? "");
      (source.kind === "web" ? downloads : rules).update(`${contentOf(key) ?? "none"}\n`);
    }
    return `${rules.digest("hex")} ${downloads.digest("hex")}`;
  };
}

/** Whether two indexes differ in nothing but downloads. */
export const hasSameRules = (one: string, other: string): boolean =>
  one !== "" && one.split(" ")[0] === other.split(" ")[0];

function seedHash(feed: FeedDefinition, manifest: SeedManifest): string {
  const seed = seedOf(feed);
  return manifest.find(({ file }) => file === seed?.file)?.sha256 ?? "none";
}

/** The packed list that a feed may answer from; null when there is none. */
function seedOf({ source, seed, format, options }: FeedDefinition): FeedSeed | null {
  return source.kind === "seed" ? { file: source.file, format, options } : seed;
}

/** A list in the index, and the hash of the retrieved content that it was made of. */
type CompiledFeed = { readonly state: ListState; readonly content: string | null };

function compileFeed(feed: FeedDefinition, list: number, task: Task): CompiledFeed {
  const kept = feed.source.kind === "seed" ? null : readKept(task.keptDir, feed.key);
  const { state, bytes } = kept ?? { state: NEVER_TRIED, bytes: null };
  const own = bytes === null ? null : compileKept(feed, { state, bytes }, list, task);
  const compiled = own?.loaded ? own : compileSeed(feed, list, task);
  const { lastAttempt, lastError } = state;
  const fault = own?.fault ?? compiled.fault ?? null;
  return {
    state: { ...compiled, lastAttempt, lastError: lastError ?? fault, fault },
    content: bytes === null ? null : state.contentHash,
  };
}

const NOTHING = {
  entries: 0,
  dropped: 0,
  seed: false,
  retrievedAt: null,
  publishedAt: null,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  fault: null,
  loaded: false,
  contentHash: null,
  families: [],
} as const;

type Content = { readonly state: FeedState; readonly bytes: Uint8Array };
function compileSeed(feed: FeedDefinition, list: number, task: Task): ListState {
  const seed = seedOf(feed);
  if (seed === null) return { ...NOTHING, key: feed.key };
  const { bytes, publishedAt } = readSeed(task.seedDir, task.manifest, seed.file);
  const { format, options } = seed;
  const source = { seed: true, retrievedAt: null, publishedAt, changedAt: publishedAt };
  const content = { bytes, previous: NO_PREVIOUS, contentHash: contentHashOf(bytes) };
  return compileContent({ ...feed, format, options }, { ...source, ...content }, list, task);
}

function compileKept(feed: FeedDefinition, { state, bytes }: Content, list: number, task: Task): ListState {
  const { retrievedAt, publishedAt, changedAt, contentHash } = state;
  const before = previousOf(state, feed);
  // Content that its own definition accepted was compared with what was there before it.
  const previous = before.isSameDefinition ? NO_PREVIOUS : before;
  const source = { seed: false, retrievedAt, publishedAt, changedAt, contentHash };
  return compileContent(feed, { ...source, bytes, previous }, list, task);
}

type Judgeable = Pick<ListState, "seed" | "retrievedAt" | "publishedAt" | "changedAt" | "contentHash"> & {
  readonly bytes: Uint8Array;
  readonly previous: Previous;
};

/** Adds the entries of content that passes. Of content that does not, nothing gets into the index. */
function compileContent(
  feed: FeedDefinition,
  { bytes, previous, ...source }: Judgeable,
  list: number,
  { builder }: Task,
): ListState {
  const takeBack = builder.checkpoint();
  const judged = judgeContent(feed, bytes, { previous, sink: { builder, list } });
  if (judged.state === "passed") {
    return { ...NOTHING, ...source, ...countsOf(judged.counts), key: feed.key, loaded: true };
  }
  takeBack();
  return { ...NOTHING, key: feed.key, fault: judged.reason };
}

const countsOf = ({ entries, dropped, families }: LoadCounts) => ({
  entries,
  dropped,
  families,
});
