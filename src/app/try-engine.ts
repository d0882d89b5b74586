import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import { createZones } from "../engines/dnsbl/zones.ts";
import type { Engine } from "../engines/kind.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import type { PublisherKeys } from "../feeds/retrieval/publisher-key.ts";
import { type SourceTrial, trySource } from "../feeds/retrieval/try-source.ts";
import type { Network } from "./network.ts";
import { prepareInChild } from "./snapshots.ts";

/** Longest that trying an engine takes. Source: sources 4. */
const MAX_TRIAL_MS = 10_000;
/** Of these the download may take so many: the rest is for judging. */
const DOWNLOAD_MS = 8_000;

/** What one trial of an engine came to. Nothing was changed. */
export type EngineTrial = {
  readonly engine: Engine;
  readonly outcome: "ok" | "failed";
  /** Null for what is asked live, and after a failure. */
  readonly entries: number | null;
  readonly dropped: number | null;
  /** Up to five entries as the publisher writes them. */
  readonly samples: readonly string[];
  /** Why it failed, what is wrong with a list all the same, or what a zone's self-test found; null when there is nothing to say. */
  readonly detail: string | null;
  readonly elapsedMs: number;
  /** Engines of its target that are on, and how many they would be with it. */
  readonly engines: { readonly now: number; readonly then: number };
};

export type EngineTrialDeps = {
  readonly dataDir: string;
  readonly network: Network;
  readonly keys: PublisherKeys;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** One download or self-test of an engine, whether it is on or off; within ten seconds. Rejects when the disk fails. */
export async function tryEngine(
  definition: EngineDefinition,
  all: readonly EngineDefinition[],
  deps: EngineTrialDeps,
): Promise<EngineTrial> {
  const { engine } = definition;
  const startMs = deps.clock.monotonicMs();
  const on = all.filter((one) => one.engine.target === engine.target && countsAsOn(one.engine));
  const now = on.length;
  const then = now + (on.some((one) => one.engine.key === engine.key) || engine.kind === "allow" ? 0 : 1);
  const found = await trial(definition, deps);
  return {
    engine,
    ...found,
    elapsedMs: Math.round(deps.clock.monotonicMs() - startMs),
    engines: { now, then },
  };
}

const countsAsOn = ({ kind, disabled }: Engine): boolean => kind !== "allow" && disabled === null;

type Found = Pick<EngineTrial, "outcome" | "entries" | "dropped" | "samples" | "detail">;

const failed = (detail: string): Found => ({
  outcome: "failed",
  entries: null,
  dropped: null,
  samples: [],
  detail,
});

async function trial(definition: EngineDefinition, deps: EngineTrialDeps): Promise<Found> {
  const { auth, feed, isUnaskable, engine } = definition;
  if (isUnaskable) return failed(engine.disabled ?? "This version cannot ask it");
  if (auth?.required === true && !deps.keys.has(auth.key)) {
    return failed(`It needs the key engines.keys.${auth.key}`);
  }
  const end = new AbortController();
  const tooLong = deps.clock.sleep(MAX_TRIAL_MS, end.signal).then(
    () => failed(`No result within ${MAX_TRIAL_MS / 1000} seconds`),
    () => failed("It was stopped"),
  );
  const either = AbortSignal.any([deps.signal, end.signal]);
  const found = feed === null ? tryZone(definition, deps) : tryFeed(feed, { ...deps, signal: either });
  // What is late is ended below, and its error is of no use any more.
  found.catch(() => undefined);
  try {
    return await Promise.race([found, tooLong]);
  } finally {
    end.abort();
  }
}

async function tryFeed(feed: FeedDefinition, deps: EngineTrialDeps): Promise<Found> {
  const { dataDir, network, signal } = deps;
  const dir = join(dataDir, "feeds");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const found: SourceTrial = await trySource(feed, {
    ...deps,
    dir,
    http: network.outgoing.http,
    timeoutMs: DOWNLOAD_MS,
    judge: (keptDir) => async (candidates) => {
      const downloads = candidates.map((candidate) => ({ feed, candidate }));
      return prepareInChild({ part: "downloads", downloads, keptDir }, { signal, isAside: false });
    },
  });
  return found.outcome === "ok" ? found : failed(found.reason);
}

async function tryZone(
  { engine, zone }: EngineDefinition,
  { network, clock }: EngineTrialDeps,
): Promise<Found> {
  if (zone === null) return failed("There is nothing to ask");
  const one = [{ engine, zone }];
  const zones = createZones(one, {
    dns: network.zonesDns,
    selfTestDns: network.selfTestDns,
    clock,
    timeoutMs: DOWNLOAD_MS / 2,
  });
  await zones.test(one);
  const standing = zones.standing(zone);
  if (zone.testPoints === null) {
    return { ...failed("The publisher has no test entries: only a lookup can tell"), outcome: "ok" };
  }
  const isPassed = standing?.condition === "ok";
  return isPassed
    ? { ...failed("The self-test passed"), outcome: "ok" }
    : failed(standing?.detail || "The self-test had no result");
}
