import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isoSeconds } from "../clock.ts";
import type { Log } from "../log.ts";
import { createSlots } from "../net/slots.ts";
import { createClaims } from "./claims.ts";
import type { FeedDefinition } from "./feed.ts";
import { createJudging } from "./judging.ts";
import { MAX_LIST_BYTES, readPacked } from "./kept.ts";
import { fileSignature, type Retrieval, retrieve } from "./retrieve.ts";
import { type FailureKind, waitAfterFailure, waitAfterSuccess } from "./schedule.ts";
import { commonState, type SharedSource } from "./sources.ts";
import {
  type Attempt,
  afterContent,
  afterFailure,
  afterUnchanged,
  type FeedState,
  NEVER_TRIED,
  previousOf,
} from "./state.ts";
import type { FeedStates } from "./states.ts";
import type { UpdaterDeps } from "./updater.ts";

/** Downloads at once. */
const MAX_DOWNLOADS = 4;
const DOWNLOAD_TIMEOUT_MS = 120_000;

/** Attempts at sources, each made by one process at a time. */
export type Attempts = {
  /**
   * Makes one attempt and writes down its outcome, whatever it is. False when another process makes one just now. `isWanted`
   * is asked again once nobody else can: another process may have made the attempt meanwhile. Never rejects.
   */
  readonly make: (shared: SharedSource, options: { readonly isWanted: () => boolean }) => Promise<boolean>;
};

/** `askOthers` brings states up to date with other machines; false when these cannot be reached. */
export function createAttempts(
  deps: UpdaterDeps,
  states: FeedStates,
  askOthers: () => Promise<boolean>,
): Attempts {
  const { log, signal, exchange, onChange } = deps;
  const claims = createClaims(deps.keptDir, deps.clock);
  const tools: Tools = {
    ...deps,
    states,
    slots: createSlots(MAX_DOWNLOADS),
    judgeOne: createJudging(deps.judge),
  };
  /** Runs `work` while this process alone may make an attempt; false when it may not. A file is each machine's own. */
  const alone = async ({ feeds, source }: SharedSource, work: () => Promise<void>): Promise<boolean> => {
    const keys = feeds.map(({ key }) => key);
    const others = source.kind === "file" ? null : exchange;
    const taken = keys.filter((key) => claims.take(key));
    const granted: string[] = [];
    try {
      if (taken.length < keys.length) return false;
      states.reload();
      for (const key of others === null ? [] : keys) {
        if (!(await others?.claim(key))) return false;
        granted.push(key);
      }
      if (others !== null && !(await askOthers())) throw new Error("The database cannot be reached");
      await work();
      return true;
    } finally {
      for (const key of taken) claims.release(key);
      await Promise.all(granted.map((key) => others?.release(key)));
    }
  };
  const make: Attempts["make"] = async (shared, { isWanted }) => {
    try {
      return await alone(shared, async () => {
        if (isWanted()) await attempt(shared, tools);
      });
    } catch (error) {
      const lists = shared.feeds.map(({ key }) => key);
      if (!signal.aborted) log.error({ err: error, lists }, "Cannot update lists");
      return true;
    } finally {
      onChange();
    }
  };
  return { make };
}

type Tools = UpdaterDeps & {
  readonly states: FeedStates;
  readonly slots: ReturnType<typeof createSlots>;
  readonly judgeOne: ReturnType<typeof createJudging>;
};

let downloads = 0;

async function attempt(shared: SharedSource, tools: Tools): Promise<void> {
  const { clock, keptDir, slots, signal } = tools;
  const giveBack = await slots.acquire(signal);
  if (giveBack === null) return;
  const { source } = shared;
  const file = source.kind === "file" ? fileSignature(source.path) : null;
  const started = { at: clock.now(), ms: clock.monotonicMs(), file };
  const path = join(keptDir, `${shared.feeds[0].key}.${process.pid}-${++downloads}.tmp`);
  try {
    const found = await look(shared, path, tools).finally(giveBack);
    signal.throwIfAborted();
    await Promise.all(shared.feeds.map((feed) => settle(feed, found, started, tools)));
  } finally {
    await rm(path, { force: true });
  }
}

async function look(shared: SharedSource, path: string, tools: Tools): Promise<Retrieval> {
  const { states, clock, http, signal, maxBytes = MAX_LIST_BYTES, timeoutMs = DOWNLOAD_TIMEOUT_MS } = tools;
  try {
    return await retrieve({
      source: shared.source,
      known: commonState(shared, states.of),
      path,
      isOperatorsWord: !shared.feeds[0].builtin,
      http,
      now: clock.now(),
      maxBytes,
      timeoutMs,
      signal,
    });
  } catch (error) {
    // Ours, such as a full disk: the list is as unavailable as with an outage of the publisher's.
    const reason = `Cannot keep the list: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "failed", kind: "outage", reason, retryAfterS: null };
  }
}

type Started = { readonly at: Date; readonly ms: number; readonly file: string | null };

async function settle(feed: FeedDefinition, found: Retrieval, started: Started, tools: Tools): Promise<void> {
  const { states, exchange, log, signal } = tools;
  const before = states.of(feed.key) ?? NEVER_TRIED;
  const state = await stateAfter(before, feed, found, started, tools);
  signal.throwIfAborted();
  tellOf(feed, before, state, log);
  tools.metrics?.tried(feed.key, state.lastError === null ? "ok" : "failed");
  await states.put(feed.key, state);
  if (exchange === null || feed.source.kind === "file") return;
  const isNew = state.contentHash !== null && state.contentHash !== before.contentHash;
  const packed =
    isNew && state.contentHash ? await readPacked(tools.keptDir, feed.key, state.contentHash) : null;
  await exchange.publish({ key: feed.key, state, packed });
}

async function stateAfter(
  before: FeedState,
  feed: FeedDefinition,
  found: Retrieval,
  started: Started,
  tools: Tools,
): Promise<FeedState> {
  const { clock, random } = tools;
  const attemptWith = (waitMs: number): Attempt => ({
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
      reason,
      attemptWith(waitAfterFailure(feed, { kind, failures, retryAfterS }, random)),
    );
  };
  switch (found.state) {
    case "failed":
      return failed(found.reason, found.kind, found.retryAfterS);
    case "unchanged":
      return afterUnchanged(before, found, attemptWith(waitAfterSuccess(feed, random)));
    case "content": {
      const { path, isHtmlType, etag, lastModified, downloadHash } = found;
      const previous = previousOf(before, feed);
      const verdict = await tools.judgeOne({ key: feed.key, path, isHtmlType, previous });
      if (verdict.state === "rejected") return failed(verdict.reason, "refusal", null);
      const { contentHash, entries, dropped, publishedAt } = verdict;
      const accepted = { etag, lastModified, downloadHash, contentHash, entries, dropped, publishedAt };
      return afterContent(before, accepted, attemptWith(waitAfterSuccess(feed, random)));
    }
  }
}

function tellOf({ key: list, builtin }: FeedDefinition, before: FeedState, state: FeedState, log: Log): void {
  const { lastError: reason } = state;
  // Without a network every built-in list says the same: that is told of, but it is no alarm.
  const isAlarming = before.retrievedAt !== null || !builtin;
  if (reason !== null && before.failures === 0) {
    log[isAlarming ? "warn" : "info"]({ list, reason }, "Cannot update a list");
  } else if (reason !== null) log.debug({ list, reason }, "Still cannot update a list");
  else if (before.failures > 0) log.info({ list }, "A list is updated again");
}
