import type { Clock } from "../../base/clock.ts";
import { createHangUps } from "./hang-ups.ts";
import { resetSeconds, retryAfterSeconds } from "./headers.ts";
import { createStartLog, type StartLog } from "./start-log.ts";
import type { Admission, LimitState, LimitStore } from "./types.ts";

const WINDOW_MS = 1000;

type Bucket = { readonly starts: StartLog; inFlight: number };

export type MemoryLimits = Pick<LimitStore, "close" | "noteHangUp"> & {
  /** As a LimitStore, and at once. */
  readonly admit: (bucket: string, perSecond: number, owner?: string) => Admission;
  /**
   * Forgets a bucket's start of that instant, which another store refused: it takes no place. Others may have started since. Its slot
   * is released apart.
   */
  readonly takeBack: (bucket: string, atMs: number) => void;
  readonly begin: (name: string) => (() => void) | null;
  /** Milliseconds for which the owner's abandoned calls are too many; 0: they are not. */
  readonly hangUpWaitMs: (owner: string) => number;
  /** Buckets held: those with a start in the last windows or a call in flight. */
  readonly bucketCount: () => number;
};

/**
 * Limits of one process. Per bucket (account and endpoint) an exact log of starts, so that no half-open second of
 * the monotonic clock holds more than the allowance, and the count in flight. Source: interface 8.3, security P19.
 *
 * Buckets live in two generations of at least a window each: one that was not used for a whole generation has no
 * start left in any window, and is dropped with its generation, without a timer or a scan of the idle.
 */
export function createMemoryLimits({ clock }: { readonly clock: Pick<Clock, "monotonicMs"> }): MemoryLimits {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let turnedAtMs = clock.monotonicMs();
  const hangUps = createHangUps({ clock });
  const underWay = new Set<string>();

  const turn = (nowMs: number): void => {
    if (nowMs - turnedAtMs < WINDOW_MS) return;
    for (const [name, bucket] of old) if (bucket.inFlight > 0) young.set(name, bucket);
    old = young;
    young = new Map();
    turnedAtMs = nowMs;
  };

  const touch = (name: string, perSecond: number): Bucket => {
    const known = young.get(name);
    if (known !== undefined) return known;
    const bucket = old.get(name) ?? { starts: createStartLog(perSecond), inFlight: 0 };
    old.delete(name);
    young.set(name, bucket);
    return bucket;
  };

  return {
    admit: (name, perSecond, owner) => {
      const nowMs = clock.monotonicMs();
      turn(nowMs);
      const bucket = touch(name, perSecond);
      const waitMs = owner === undefined ? 0 : hangUps.waitMs(owner);
      if (waitMs > 0) return refusedForHangUps(stateOf(bucket, perSecond, nowMs), waitMs);
      return admitTo(bucket, perSecond, nowMs);
    },
    takeBack: (name, atMs) => (young.get(name) ?? old.get(name))?.starts.drop(atMs),
    begin: (name) => {
      if (underWay.has(name)) return null;
      underWay.add(name);
      return once(() => void underWay.delete(name));
    },
    noteHangUp: hangUps.note,
    hangUpWaitMs: hangUps.waitMs,
    bucketCount: () => young.size + old.size,
    close: async () => {
      young.clear();
      old.clear();
    },
  };
}

/** The refusal of a start because of too many abandoned calls, until `waitMs` from now. */
export function refusedForHangUps(state: LimitState, waitMs: number): Admission {
  const limits = { ...state, remaining: 0, resetAfterS: resetSeconds(waitMs) };
  const retryAfterS = retryAfterSeconds("requests", limits.resetAfterS);
  return { state: "refused", scope: "requests", retryAfterS, limits, isForHangUps: true };
}

function admitTo(bucket: Bucket, perSecond: number, nowMs: number): Admission {
  bucket.starts.forget(nowMs - WINDOW_MS);
  const isSpent = bucket.starts.count() >= perSecond;
  if (isSpent || bucket.inFlight >= perSecond) {
    const scope = isSpent ? "requests" : "concurrency";
    const limits = stateOf(bucket, perSecond, nowMs);
    return { state: "refused", scope, retryAfterS: retryAfterSeconds(scope, limits.resetAfterS), limits };
  }
  bucket.starts.add(nowMs, perSecond);
  bucket.inFlight++;
  const release = once(() => void bucket.inFlight--);
  return { state: "admitted", limits: stateOf(bucket, perSecond, nowMs), release };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

function stateOf(bucket: Bucket, limit: number, nowMs: number): LimitState {
  const count = bucket.starts.count();
  const remaining = Math.max(0, limit - count);
  return {
    limit,
    remaining,
    resetAfterS: remaining > 0 ? 0 : resetSeconds(waitMs(bucket.starts, limit, nowMs)),
    concurrencyLimit: limit,
    concurrencyRemaining: Math.max(0, limit - bucket.inFlight),
  };
}

/** Until fewer than `limit` starts are left in the window; a whole window when the limit allows none at all. */
function waitMs(starts: StartLog, limit: number, nowMs: number): number {
  if (limit < 1) return WINDOW_MS;
  return starts.at(starts.count() - limit) + WINDOW_MS - nowMs;
}
