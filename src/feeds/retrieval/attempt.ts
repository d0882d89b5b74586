import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isoSeconds } from "../../base/clock.ts";
import { withTemporaryName } from "../../base/temporary-files.ts";
import { type Budget, createBudget } from "../../net/budget.ts";
import { SERVICE } from "../../net/party.ts";
import { dateFault } from "../date-fault.ts";
import { MAX_LIST_BYTES, readPacked } from "../feed-store.ts";
import { commonState, type SharedSource } from "../shared-downloads.ts";
import { CLAIM_LEASE_MS, type FeedExchange } from "../sharing/exchange.ts";
import { createClaims } from "../sharing/file-locks.ts";
import type { FeedStates } from "../sharing/states.ts";
import {
  afterContent,
  afterFailure,
  afterUnchanged,
  type FeedState,
  NEVER_TRIED,
  previousOf,
  type RetrievalAttempt,
} from "../state.ts";
import { isTable, type Retrieved } from "../table.ts";
import type { FailureReport } from "./failure-report.ts";
import { createHindrances } from "./hindrances.ts";
import { cannotKeep, fileSignature, type Retrieval, retrieve } from "./retrieve.ts";
import { type FailureKind, waitAfterFailure, waitAfterSuccess } from "./schedule.ts";
import type { UpdaterDeps } from "./updater.ts";
import { createJudging } from "./validation-queue.ts";

/** Downloads at once. */
const MAX_DOWNLOADS = 6;
const DOWNLOAD_TIMEOUT_MS = 120_000;

/** Attempts at sources, each made by one process at a time. */
export type RetrievalAttempts = {
  /**
   * Makes one attempt and writes down its outcome, whatever it is. `isWanted` is asked once no other process can make one:
   * another process may have made it meanwhile. Never rejects.
   */
  readonly make: (shared: SharedSource, options: AttemptOptions) => Promise<Made>;
};

export type AttemptOptions = {
  readonly isWanted: () => boolean;
  /** Told why an attempt is impossible, in place of the log. */
  readonly onImpossible?: (error: unknown) => void;
};

/** `busy`: another process makes an attempt just now. `impossible`: it could not be made, or not be written down. */
export type Made = "made" | "unwanted" | "busy" | "impossible";

/** How often a claim is renewed while the attempt goes on. */
const RENEW_EVERY_MS = CLAIM_LEASE_MS / 4;

/** `askOthers` brings states up to date with other machines; false when these cannot be reached. */
export function createAttempts(
  deps: UpdaterDeps,
  states: FeedStates,
  { askOthers, report }: { readonly askOthers: () => Promise<boolean>; readonly report: FailureReport },
): RetrievalAttempts {
  const { clock, log, signal, exchange, onChange } = deps;
  const claims = createClaims(deps.keptDir, clock);
  const tools: Tools = {
    ...deps,
    states,
    places: createBudget({ capacity: MAX_DOWNLOADS, rule: "even" }),
    judgeOne: createJudging(deps.judge),
    report,
  };
  /** Runs `work` while this process alone may make an attempt; `busy` when it may not. A file is each machine's own. */
  const alone = async ({ feeds, source }: SharedSource, work: () => Promise<Made>): Promise<Made> => {
    const keys = feeds.map(({ key }) => key);
    const taken = keys.filter((key) => claims.take(key));
    try {
      if (taken.length < keys.length) return "busy";
      states.reload(keys);
      if (exchange === null || source.kind === "file") return await work();
      return await aloneOfAll(exchange, { keys, clock, log }, async () => {
        if (!(await askOthers())) throw new Error("The database cannot be reached");
        return work();
      });
    } finally {
      for (const key of taken) claims.release(key);
    }
  };
  const hindrances = createHindrances(log);
  const make: RetrievalAttempts["make"] = async (shared, { isWanted, onImpossible }) => {
    const lists = shared.feeds.map(({ key }) => key);
    try {
      return await alone(shared, async () => {
        if (!isWanted()) return "unwanted";
        await attempt(shared, tools);
        hindrances.passed(lists);
        return "made";
      });
    } catch (error) {
      if (onImpossible !== undefined) onImpossible(error);
      else if (!signal.aborted) hindrances.met(lists, error);
      return "impossible";
    } finally {
      onChange();
    }
  };
  return { make };
}

type Claimed = Pick<UpdaterDeps, "clock" | "log"> & { readonly keys: readonly string[] };

/** Runs `work` while no process on any data folder may make an attempt at these lists but this one. */
async function aloneOfAll(
  exchange: FeedExchange,
  { keys, clock, log }: Claimed,
  work: () => Promise<Made>,
): Promise<Made> {
  const granted: string[] = [];
  const end = new AbortController();
  const isOver = () =>
    clock.sleep(RENEW_EVERY_MS, end.signal).then(
      () => false,
      () => true,
    );
  const renew = async (): Promise<void> => {
    while (!(await isOver())) {
      // What fails is made up for by the next renewal.
      await exchange.renew(keys).catch((error) => log.debug({ err: error, keys }, "Cannot renew claims"));
    }
  };
  try {
    for (const key of keys) {
      if (!(await exchange.claim(key))) return "busy";
      granted.push(key);
    }
    void renew();
    return await work();
  } finally {
    end.abort();
    await Promise.all(granted.map((key) => exchange.release(key)));
  }
}

type Tools = UpdaterDeps & {
  readonly states: FeedStates;
  readonly places: Budget;
  readonly judgeOne: ReturnType<typeof createJudging>;
  readonly report: FailureReport;
};

async function attempt(shared: SharedSource, tools: Tools): Promise<void> {
  const { clock, keptDir, places, signal } = tools;
  const place = await places.acquire({ party: SERVICE, signal });
  if (place === null) return;
  const { source } = shared;
  const file = source.kind === "file" ? fileSignature(source.path) : null;
  const started = { at: clock.now(), ms: clock.monotonicMs(), file };
  await withTemporaryName(join(keptDir, shared.feeds[0].key), async (path) => {
    try {
      const found = await look(shared, path, tools).finally(place.release);
      signal.throwIfAborted();
      await Promise.all(shared.feeds.map((feed) => settle(feed, found, started, tools)));
    } finally {
      await rm(path, { force: true });
    }
  });
}

async function look(shared: SharedSource, path: string, tools: Tools): Promise<Retrieval> {
  const {
    states,
    clock,
    http,
    keys,
    signal,
    maxBytes = MAX_LIST_BYTES,
    timeoutMs = DOWNLOAD_TIMEOUT_MS,
  } = tools;
  try {
    return await retrieve({
      source: shared.source,
      known: commonState(shared, states.of),
      path,
      isOperatorsWord: !shared.feeds[0].builtin,
      http,
      ...(keys && { keys }),
      now: clock.now(),
      maxBytes,
      timeoutMs,
      signal,
    });
  } catch (error) {
    // Ours, such as a full disk: the list is as unavailable as with an outage of the publisher's.
    return { state: "failed", kind: "outage", reason: cannotKeep(error), retryAfterS: null };
  }
}

type Started = { readonly at: Date; readonly ms: number; readonly file: string | null };

async function settle(feed: Retrieved, found: Retrieval, started: Started, tools: Tools): Promise<void> {
  const { states, exchange, signal } = tools;
  const before = states.of(feed.key) ?? NEVER_TRIED;
  const state = await stateAfter(before, feed, found, started, tools);
  signal.throwIfAborted();
  tellOf(feed, before, state, tools);
  tools.metrics?.tried(feed.key, state.lastError === null ? "ok" : "failed");
  await states.put(feed.key, state);
  if (exchange === null || feed.source.kind === "file") return;
  const { key } = feed;
  const hash = state.contentHash;
  const isThere = hash === null || (await exchange.hasContent(key, hash));
  await exchange.publish({ key, state, packed: isThere ? null : await readPacked(tools.keptDir, key, hash) });
}

async function stateAfter(
  before: FeedState,
  feed: Retrieved,
  found: Retrieval,
  started: Started,
  tools: Tools,
): Promise<FeedState> {
  const { clock, random } = tools;
  const attemptWith = (waitMs: number): RetrievalAttempt => ({
    feed,
    at: isoSeconds(started.at),
    file: started.file,
    elapsedMs: clock.monotonicMs() - started.ms,
    nextAttempt: isoSeconds(new Date(clock.now().getTime() + waitMs)),
  });
  const failed = (reason: string, kind: FailureKind, retryAfterS: number | null): FeedState => {
    const failures = before.failures + 1;
    return afterFailure(
      before,
      { reason, kind },
      attemptWith(waitAfterFailure(feed, { kind, failures, retryAfterS }, random)),
    );
  };
  switch (found.state) {
    case "failed":
      return failed(found.reason, found.kind, found.retryAfterS);
    case "unchanged":
      return afterUnchanged(before, found, attemptWith(waitAfterSuccess(feed, random)));
    case "content": {
      const { path, isHtmlType, etag, lastModified, from, downloadHash } = found;
      const previous = previousOf(before, feed);
      const verdict = await tools.judgeOne({ key: feed.key, path, isHtmlType, previous });
      if (verdict.state === "rejected")
        return failed(verdict.reason, verdict.isOurs ? "outage" : "refusal", null);
      const { contentHash, entries, dropped, publishedAt } = verdict;
      const validators = { etag, lastModified, from };
      const accepted = { ...validators, downloadHash, contentHash, entries, dropped, publishedAt };
      return afterContent(before, accepted, attemptWith(waitAfterSuccess(feed, random)));
    }
  }
}

function tellOf(feed: Retrieved, before: FeedState, state: FeedState, { log, report }: Tools): void {
  const { key: list, builtin } = feed;
  const { lastError: reason } = state;
  if (reason !== null) report.failed(feed, reason);
  else report.succeeded(feed, before.failures > 0);
  const undated = builtin ? null : undatedOf(feed, state);
  if (
    undated !== null &&
    (undatedOf(feed, before) === null || before.definitionHash !== state.definitionHash)
  )
    log.warn({ list, reason: undated }, "A list has no date of its publisher");
}

/** What is wrong with the date of the content that a list has. */
const undatedOf = (feed: Retrieved, { contentHash, publishedAt }: FeedState): string | null =>
  isTable(feed) || contentHash === null ? null : dateFault(feed, publishedAt);
