import type { Clock } from "../clock.ts";
import { resetSeconds, retryAfterSeconds } from "./headers.ts";
import type { Admission, LimitState, LimitStore } from "./limits.ts";
import { createStartLog, type StartLog } from "./start-log.ts";

const WINDOW_MS = 1000;

type Bucket = { readonly starts: StartLog; inFlight: number };

export type MemoryLimits = Pick<LimitStore, "close"> & {
  /** As a LimitStore, and at once. */
  readonly admit: (bucket: string, perSecond: number) => Admission;
  /** Buckets held: those with a start in the last windows or a call in flight. */
  readonly bucketCount: () => number;
};

/**
 * Limits of one process. Per bucket (account and endpoint) an exact log of starts, so that no half-open second of
 * the monotonic clock holds more than the allowance, and the count in flight. Source: interface 8.3, security P19.
 *
 * Buckets live in two generations of at least a window each: one that nobody touched for a whole generation has no
 * start left in any window, and is dropped with its generation, without a timer or a scan of the idle.
 */
export function createMemoryLimits({ clock }: { readonly clock: Pick<Clock, "monotonicMs"> }): MemoryLimits {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let turnedAtMs = clock.monotonicMs();

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
    admit: (name, perSecond) => {
      const nowMs = clock.monotonicMs();
      turn(nowMs);
      return admitTo(touch(name, perSecond), perSecond, nowMs);
    },
    bucketCount: () => young.size + old.size,
    close: async () => {
      young.clear();
      old.clear();
    },
  };
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
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    bucket.inFlight--;
  };
  return { state: "admitted", limits: stateOf(bucket, perSecond, nowMs), release };
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
