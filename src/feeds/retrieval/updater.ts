import { type Clock, isoSeconds, type Random } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ListMetrics } from "../../base/metrics.ts";
import type { Http } from "../../net/http/http-types.ts";
import { createDueness, type SharedSource, sourcesOf } from "../shared-downloads.ts";
import type { FeedExchange } from "../sharing/exchange.ts";
import { type FeedStates, openStates } from "../sharing/states.ts";
import { createTakeOver } from "../sharing/sync-from-peers.ts";
import { type FeedState, NEVER_TRIED, type Try } from "../state.ts";
import type { Retrieved } from "../table.ts";
import { type AttemptOptions, createAttempts, type Made, type RetrievalAttempts } from "./attempt.ts";
import { createFailureReport, type FailureReport } from "./failure-report.ts";
import { createProgressLog, type DownloadProgress, progressOf } from "./progress.ts";
import type { PublisherKeys } from "./publisher-key.ts";
import { cannotTry, fileSignature } from "./retrieve.ts";
import { fraction } from "./schedule.ts";
import type { JudgeBatch } from "./validation-queue.ts";

export type UpdaterDeps = {
  readonly feeds: readonly Retrieved[];
  /** `feeds` in the data folder. */
  readonly keptDir: string;
  readonly http: Pick<Http, "download">;
  /** Which lists matter first where several were never retrieved: the least number. Default: their order. */
  readonly urgencyOf?: (key: string) => number;
  /** Keys of lists that answer from their shipped copy; default: none does. */
  readonly shipped?: () => ReadonlySet<string>;
  /** Publishers' keys; default: none is configured. */
  readonly keys?: PublisherKeys;
  readonly judge: JudgeBatch;
  /** Null: there is no other data folder. */
  readonly exchange: FeedExchange | null;
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  readonly log: Log;
  /** Ends everything under way. */
  readonly signal: AbortSignal;
  /** A state changed, by this process or another: the index may be behind. */
  readonly onChange: () => void;
  /** Default: not counted. */
  readonly metrics?: Pick<ListMetrics, "tried"> | null;
  /** Bytes of one download, packed and unpacked; default: 256 MiB. */
  readonly maxBytes?: number;
  /** Time of one download; default: two minutes. */
  readonly timeoutMs?: number;
};

/** What became of one list of `update`. */
export type UpdateOutcome = { readonly key: string; readonly last: Try; readonly state: FeedState };

/** Keeps the lists of an installation fresh. Source: design 3.4, security P21. */
export type Updater = {
  /** What is known of the retrievals of a list; null: never tried. */
  readonly stateOf: (key: string) => FeedState | null;
  /** How many of the lists that are downloaded were ever retrieved, and how many answer without. */
  readonly progress: () => DownloadProgress;
  /** Counts changes of states. */
  readonly version: () => number;
  /** Keys of lists that are retrieved, seeds without a source left out. */
  readonly keys: readonly string[];
  /** Whether an operator's file is another than the one last read. */
  readonly hasChangedFiles: () => boolean;
  /** Looks at the operator's files that changed or are due. */
  readonly refreshFiles: () => Promise<void>;
  /** Makes one attempt at each source that is due; resolves when all are over. */
  readonly updateDue: () => Promise<void>;
  /**
   * Makes an attempt at each of these lists now, whatever the plan, after one that another process makes; `onDone` is called as
   * each is over. A list that this machine kept from being tried has failed, its state as before.
   */
  readonly update: (
    keys: readonly string[],
    onDone?: (outcome: UpdateOutcome) => void,
  ) => Promise<readonly UpdateOutcome[]>;
  /** Takes over what other processes retrieved. False when they cannot be asked. */
  readonly takeOver: () => Promise<boolean>;
  /** Updates what is due and takes over what other processes retrieved, until the signal aborts. Never rejects. */
  readonly run: () => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
/** How often another process's attempt is looked at by who waits for its end. */
const BUSY_LOOK_MS = 250;
/** Built-in lists that are due at the start begin within this time, not all at once. */
const SPREAD_MS = 30_000;
const OTHER_DEFINITION =
  "Another process on this data folder retrieves a list by another configuration or version: give each a data folder of its own";

/** Opens the states in the folder; nothing is retrieved before one of the functions is called. */
export function createUpdater(deps: UpdaterDeps): Updater {
  const { feeds, keptDir, clock, signal } = deps;
  const states = openStates(keptDir, feeds);
  const sources = sourcesOf(feeds);
  const takeOver = createTakeOver(deps, states);
  const report = createFailureReport(deps);
  const attempts = createAttempts(deps, states, { askOthers: takeOver.fromOthers, report });
  const { due, make } = createPlanned(deps, states, attempts);
  const progress = () => progressOf(feeds, states, deps.shipped?.() ?? new Set());
  const makeDue = (shared: SharedSource) => make(shared, { isWanted: () => due(shared) });
  const isChanged = (shared: SharedSource) => isChangedFile(shared, states);
  /** Waits while another process makes an attempt: it may have read the source before we were told to. */
  const makeNext = async (shared: SharedSource, options: AttemptOptions): Promise<Made> => {
    for (;;) {
      const made = await make(shared, options);
      if (made !== "busy") return made;
      await clock.sleep(BUSY_LOOK_MS, signal);
    }
  };
  return {
    stateOf: states.of,
    version: states.version,
    progress,
    keys: sources.flatMap((shared) => shared.feeds.map(({ key }) => key)),
    hasChangedFiles: () => sources.some(isChanged),
    refreshFiles: async () => {
      const isWanted = (file: SharedSource) => isChanged(file) || due(file);
      const files = sources.filter((shared) => shared.source.kind === "file" && isWanted(shared));
      await Promise.all(files.map((file) => makeNext(file, { isWanted: () => isWanted(file) })));
    },
    updateDue: async () => {
      await Promise.all(sources.filter(due).map(makeDue));
    },
    update: async (keys, onDone) => {
      const wanted = new Set(keys);
      const updateOne = async (shared: SharedSource): Promise<readonly UpdateOutcome[]> => {
        const asked = shared.feeds.filter(({ key }) => wanted.has(key));
        const hindrance = asked.length === 0 ? null : await hindranceOf(shared, makeNext, clock);
        const done = asked.flatMap(({ key }) => outcomeOf(key, states.of(key), hindrance));
        for (const outcome of done) onDone?.(outcome);
        return done;
      };
      return (await Promise.all(sources.map(updateOne))).flat();
    },
    takeOver: async () => {
      states.reload();
      return takeOver.fromOthers();
    },
    run: () => run(deps, { sources, states, due, makeDue, takeOver: takeOver.all, report, progress }),
  };
}

/** Attempts, and what is due by those that were made. A foreign definition is told of once: after an upgrade all lists have one. */
function createPlanned({ clock, log }: UpdaterDeps, states: FeedStates, attempts: RetrievalAttempts) {
  let isTold = false;
  const dueness = createDueness(states.of, (list) => {
    if (!isTold) log.warn({ list }, OTHER_DEFINITION);
    isTold = true;
  });
  const nowMs = () => clock.now().getTime();
  const make: RetrievalAttempts["make"] = async (shared, options) => {
    const made = await attempts.make(shared, options);
    if (made === "made") dueness.tried(shared, nowMs());
    return made;
  };
  return { due: (shared: SharedSource) => dueness.isDue(shared, nowMs()), make };
}

const isChangedFile = ({ source, feeds }: SharedSource, states: FeedStates): boolean =>
  source.kind === "file" && feeds.some(({ key }) => states.of(key)?.triedFile !== fileSignature(source.path));

/** `hindrance`: the attempt that could not be made, and is not written down. */
function outcomeOf(key: string, state: FeedState | null, hindrance: Try | null): UpdateOutcome[] {
  const last = hindrance ?? state?.tries.at(-1);
  return last === undefined ? [] : [{ key, last, state: state ?? NEVER_TRIED }];
}

/** What kept the next attempt from being made, as an attempt; null when it was made. */
async function hindranceOf(
  shared: SharedSource,
  makeNext: (shared: SharedSource, options: AttemptOptions) => Promise<Made>,
  { now }: Pick<Clock, "now">,
): Promise<Try | null> {
  const details: string[] = [];
  const onImpossible = (error: unknown): void => void details.push(cannotTry(error));
  await makeNext(shared, { isWanted: () => true, onImpossible });
  const [detail] = details;
  return detail === undefined ? null : { at: isoSeconds(now()), outcome: "failed", detail, elapsedMs: 0 };
}

type Running = {
  readonly sources: readonly SharedSource[];
  readonly due: (shared: SharedSource) => boolean;
  readonly makeDue: (shared: SharedSource) => Promise<Made>;
  readonly takeOver: () => Promise<boolean>;
  readonly states: FeedStates;
  readonly report: FailureReport;
  readonly progress: () => DownloadProgress;
};

/** Lists that were never retrieved begin at once, in their order; of the others each at a time of its own. */
function startTimes({ clock, random }: UpdaterDeps, { sources, due, states }: Running) {
  const startMs = clock.monotonicMs();
  const isNew = ({ feeds }: SharedSource) => feeds.some(({ key }) => states.of(key)?.lastAttempt == null);
  const waitMs = new Map(
    sources
      .filter((shared) => shared.feeds[0].builtin && due(shared) && !isNew(shared))
      .map((shared) => [shared, fraction(random) * SPREAD_MS]),
  );
  return (shared: SharedSource) => due(shared) && clock.monotonicMs() - startMs >= (waitMs.get(shared) ?? 0);
}

async function run(deps: UpdaterDeps, running: Running): Promise<void> {
  const { clock, log, signal } = deps;
  const { makeDue, takeOver, report, progress } = running;
  const sources = byUrgency(running.sources, deps);
  const isTime = startTimes(deps, running);
  const tellProgress = createProgressLog(deps, progress);
  const underWay = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    try {
      report.flush(underWay.size === 0);
      tellProgress(underWay.size === 0);
      // Without the others' word, two machines might ask a publisher at once.
      const isReached = await takeOver();
      const reachable = sources.filter(({ source }) => isReached || source.kind === "file");
      for (const shared of reachable.filter(isTime)) {
        const attempt = makeDue(shared).finally(() => underWay.delete(attempt));
        underWay.add(attempt);
      }
      await clock.sleep(LOOK_EVERY_MS, signal);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "Cannot look after the lists");
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }
  await Promise.allSettled(underWay);
}

/** Sources whose lists matter most first. */
function byUrgency(sources: readonly SharedSource[], { urgencyOf }: UpdaterDeps): readonly SharedSource[] {
  if (urgencyOf === undefined) return sources;
  const least = ({ feeds }: SharedSource) => Math.min(...feeds.map(({ key }) => urgencyOf(key)));
  return sources.toSorted((a, b) => least(a) - least(b));
}
