import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, systemRandom } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { ListMetrics } from "../base/metrics.ts";
import { emptyListings, openListings, openListingsAside } from "../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../blocklist-index/types.ts";
import { hasTexts } from "../exports/texts.ts";
import { feedsFingerprint, hasSameRules } from "../feeds/compile.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import { createIndexBuilds, type IndexBuilds } from "../feeds/index-builds.ts";
import { readSeedManifest } from "../feeds/retrieval/manifest.ts";
import type { DownloadProgress } from "../feeds/retrieval/progress.ts";
import type { PublisherKeys } from "../feeds/retrieval/publisher-key.ts";
import { createUpdater, type UpdateOutcome, type Updater } from "../feeds/retrieval/updater.ts";
import type { JudgeBatch } from "../feeds/retrieval/validation-queue.ts";
import { withRetrievals } from "../feeds/retrievals.ts";
import type { FeedExchange } from "../feeds/sharing/exchange.ts";
import { doForAll } from "../feeds/sharing/file-locks.ts";
import type { FeedState } from "../feeds/state.ts";
import type { TableDefinition } from "../feeds/table.ts";
import type { Http } from "../net/http/http-types.ts";
import { prepareInChild, snapshotFile, textsFile } from "./snapshots.ts";

/** The lists of the data folder: the index in force, and what keeps it fresh. */
export type Lists = {
  /** The index in force, with what is known of each list's retrievals now. */
  readonly listings: () => Listings;
  /** Whether there is no index that may answer. */
  readonly isMissing: () => boolean;
  /** Reads what the operator's files hold now, and compiles the index unless it is made of just that. */
  readonly prepare: () => Promise<void>;
  /** Retrieves what is due and swaps the index, until the signal aborts. Never rejects. */
  readonly run: () => Promise<void>;
  /** Takes over what processes on other data folders retrieved, and compiles the index if it is of other content. Rejects when that fails. */
  readonly takeOver: () => Promise<void>;
  /** Retrieves these lists now and compiles the index; `onDone` is called as each was tried. Rejects when that fails. */
  readonly update: (keys: readonly string[], onDone?: () => void) => Promise<readonly ListOutcome[]>;
  /** How many of the lists that are downloaded were ever retrieved, and how many answer without. */
  readonly progress: () => DownloadProgress;
  /** Keys of all lists and tables that can be retrieved. */
  readonly keys: readonly string[];
  /** What is known of the retrievals of a list or table; null: there was no attempt. */
  readonly stateOf: (key: string) => FeedState | null;
  /** Counts changes of states. */
  readonly version: () => number;
  /** Calls `listener` after changes of states, while `run` goes on. */
  readonly onChange: (listener: () => void) => void;
};

/** What became of one list or table of `update`, and how it stands after it. */
export type ListOutcome = Pick<UpdateOutcome, "key" | "last"> & { readonly list: Standing };

/** A list as it stands in the index, or a table by its retrievals. */
type Standing = Pick<
  ListState,
  "entries" | "dropped" | "retrievedAt" | "changedAt" | "lastAttempt" | "lastError" | "nextAttempt"
>;

export type ListsDeps = {
  readonly dataDir: string;
  readonly feeds: readonly FeedDefinition[];
  /** What is retrieved beside the lists, and is no part of the index. Default: nothing. */
  readonly tables?: readonly TableDefinition[];
  readonly http: Pick<Http, "download">;
  /** Publishers' keys; default: none is configured. */
  readonly keys?: PublisherKeys;
  /** Which lists matter first at a first start: the least number. Default: their order. */
  readonly urgencyOf?: (key: string) => number;
  readonly exchange: FeedExchange | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Default: not counted. */
  readonly metrics?: ListMetrics | null;
  /** Whether the names, URLs and mailboxes of the lists are needed beside the index. Default: false. */
  readonly needsTexts?: boolean;
  /** Called when another index is in force. */
  readonly onIndex?: () => void;
};

export const SEED_DIR = fileURLToPath(new URL("../../seed", import.meta.url));

/** Longest that judging a batch may take before the child is ended. */
const MAX_JUDGING_MS = 300_000;

/** Opens the index if it may answer, and the states of the lists; begins nothing. */
export function openLists(deps: ListsDeps): Lists {
  const { feeds, dataDir } = deps;
  const keptDir = join(dataDir, "feeds");
  const fingerprintOf = feedsFingerprint(feeds, readSeedManifest(SEED_DIR));
  let isRunning = false;
  const listeners: (() => void)[] = [];
  const tellAll = () => {
    for (const listener of listeners) listener();
  };
  const onChange = () => (isRunning ? tellAll() : undefined);
  const updater = openUpdater(deps, keptDir, {
    onChange,
    isAnswering: () => isAnswering(),
    shipped: () => shippedIn(index.listings()),
  });
  const { keys, stateOf, version } = updater;
  const wanted = () => fingerprintOf((key) => stateOf(key)?.contentHash ?? null);
  const index = openIndex(snapshotFile(dataDir, "lists"), wanted());
  const isAnswering = () => index.fingerprint() !== "";
  const hasAllTexts = () => deps.needsTexts !== true || hasTexts(textsFile(dataDir), index.fingerprint());
  const builds: IndexBuilds = createIndexBuilds(deps, async () => {
    await renewIndex(deps, { index, keptDir, wanted, hasAllTexts });
    if (index.fingerprint() !== wanted()) builds.request();
  });
  listeners.push(() => (index.fingerprint() === wanted() ? undefined : builds.request()));
  const view = createView(index.listings, updater);
  return {
    listings: view,
    isMissing: () => index.fingerprint() === "" || updater.hasChangedFiles(),
    prepare: async () => {
      await updater.refreshFiles();
      const isGood = index.fingerprint() !== "" && hasSameRules(index.fingerprint(), wanted());
      if (!isGood || !hasAllTexts()) await builds.now();
    },
    run: async () => {
      isRunning = true;
      builds.request();
      tellAll();
      await updater.run();
    },
    takeOver: async () => {
      if (deps.exchange !== null) await updater.takeOver().then(builds.now);
    },
    update: (asked, onDone) =>
      updater.update(asked, onDone).then((outcomes) => builds.now().then(() => withStates(outcomes, view()))),
    ...{ keys, stateOf, version, progress: updater.progress },
    onChange: (listener) => void listeners.push(listener),
  };
}

type Watched = {
  readonly onChange: () => void;
  readonly isAnswering: () => boolean;
  readonly shipped: () => ReadonlySet<string>;
};

/** Lists that answer from their shipped copy. */
const shippedIn = ({ lists }: Listings): ReadonlySet<string> =>
  new Set(lists.flatMap(({ key, loaded, seed }) => (loaded && seed ? [key] : [])));

/** What retrieves lists and tables. */
const openUpdater = (
  deps: ListsDeps,
  keptDir: string,
  { onChange, isAnswering, shipped }: Watched,
): Updater =>
  createUpdater({
    ...deps,
    feeds: [...deps.feeds, ...(deps.tables ?? [])],
    keptDir,
    random: systemRandom,
    judge: judgeInChild(deps, keptDir, isAnswering),
    ...{ onChange, shipped },
  });

type Renewal = {
  readonly index: ReturnType<typeof openIndex>;
  readonly keptDir: string;
  readonly wanted: () => string;
  readonly hasAllTexts: () => boolean;
};

/** Opens the index that is wanted, which another process may have compiled, or compiles it. */
async function renewIndex(deps: ListsDeps, { index, keptDir, wanted, hasAllTexts }: Renewal): Promise<void> {
  const isWanted = () => index.fingerprint() === wanted() && hasAllTexts();
  if (isWanted()) return;
  await doForAll({
    ...{ path: snapshotFile(deps.dataDir, "lists"), clock: deps.clock, signal: deps.signal },
    isDone: async () => {
      await index.takeOver(wanted());
      return isWanted();
    },
    work: async () => {
      await timed(deps, () => compileInChild(deps, keptDir, index.fingerprint() !== ""));
      await index.open();
    },
  });
  deps.onIndex?.();
}

const withStates = (outcomes: readonly UpdateOutcome[], { lists }: Listings): readonly ListOutcome[] =>
  outcomes.map(({ key, last, state }) => ({
    key,
    last,
    list: lists.find((list) => list.key === key) ?? state,
  }));

function compileInChild(
  { dataDir, feeds, signal, needsTexts }: ListsDeps,
  keptDir: string,
  isAside: boolean,
) {
  const outFile = snapshotFile(dataDir, "lists");
  const texts = needsTexts === true ? textsFile(dataDir) : null;
  const order = { part: "lists", outFile, feeds, seedDir: SEED_DIR, keptDir, textsFile: texts } as const;
  return prepareInChild(order, { signal, isAside });
}

async function timed({ clock, log, metrics }: ListsDeps, compile: () => Promise<unknown>): Promise<void> {
  const startMs = clock.monotonicMs();
  try {
    await compile();
  } catch (error) {
    metrics?.compiled(clock.monotonicMs() - startMs, "failed");
    throw error;
  }
  const tookMs = clock.monotonicMs() - startMs;
  metrics?.compiled(tookMs, "ok");
  log.info({ took_ms: Math.round(tookMs) }, "Compiled the lists");
}

/** The snapshot of the index and the one opened last. */
function openIndex(path: string, wanted: string) {
  const changedMs = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  let openedMs = changedMs();
  const found = openListings(path);
  let listings = found !== null && hasSameRules(found.fingerprint, wanted) ? found : emptyListings();
  const open = async (): Promise<void> => {
    openedMs = changedMs();
    const opened = await openListingsAside(path);
    if (opened === null) throw new Error("The snapshot of lists cannot be read right after it was written");
    listings = opened;
  };
  return {
    listings: () => listings,
    /** Empty when there is none that may answer. */
    fingerprint: () => listings.fingerprint,
    open,
    /** Takes over what another process on this folder compiled, if it is the index wanted. */
    takeOver: async (fingerprint: string): Promise<void> => {
      if (changedMs() === openedMs) return;
      openedMs = changedMs();
      const opened = await openListingsAside(path);
      if (opened?.fingerprint === fingerprint) listings = opened;
    },
  };
}

function judgeInChild(
  { feeds, tables = [], clock, signal }: ListsDeps,
  keptDir: string,
  isAnswering: () => boolean,
): JudgeBatch {
  const byKey = new Map([...feeds, ...tables].map((feed) => [feed.key, feed]));
  return async (candidates) => {
    const end = new AbortController();
    const tooLong = clock.sleep(MAX_JUDGING_MS, end.signal).then(
      () => end.abort(new Error("it took too long")),
      () => undefined,
    );
    const downloads = candidates.flatMap((candidate) => {
      const feed = byKey.get(candidate.key);
      return feed === undefined ? [] : [{ feed, candidate }];
    });
    const either = AbortSignal.any([signal, end.signal]);
    try {
      return await prepareInChild(
        { part: "downloads", downloads, keptDir },
        { signal: either, isAside: isAnswering() },
      );
    } finally {
      end.abort();
      await tooLong;
    }
  };
}

/** The index with each list's state as it is now, made anew when either changed. */
function createView(index: () => Listings, { stateOf, version }: Updater): () => Listings {
  let view: { readonly index: Listings; readonly version: number; readonly listings: Listings } | null = null;
  return () => {
    const now = index();
    if (view === null || view.index !== now || view.version !== version()) {
      view = { index: now, version: version(), listings: withRetrievals(now, stateOf) };
    }
    return view.listings;
  };
}
