import { hash } from "node:crypto";
import { type Clock, type Random, systemRandom } from "../../base/clock.ts";
import { createClientTable } from "./client-table.ts";
import { resetSeconds, retryAfterSeconds } from "./headers.ts";
import type { Admission, LimitState } from "./types.ts";

/** Length of the free tools' window, for `rateHeaders`. Source: design 12. */
export const FREE_WINDOW_S = 60;

/** Starts in a window. Source: design 12. */
export const FREE_STARTS = 5;

const WINDOW_MS = FREE_WINDOW_S * 1000;

export type FreeLimits = {
  /** As a FreeLimitStore, and at once. */
  readonly admit: (bucket: string) => Admission;
  /** Forgets a bucket's start of that instant, which another store refused: it takes no place. Others may have started since. */
  readonly takeBack: (bucket: string, atMs: number) => void;
  /** Client records held; at most twice `maxClients`. */
  readonly clientCount: () => number;
};

export type FreeLimitOptions = {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Seeds the table's hash, so that a caller cannot choose addresses that collide. */
  readonly random?: Pick<Random, "bytes">;
  /** Starts per minute and client. */
  readonly perMinute?: number;
  /** Clients remembered per generation of a minute or more. */
  readonly maxClients?: number;
};

/**
 * The free tools' limit: an exact sliding minute per bucket (tool and client), no in-flight limit. Clients live in
 * two generations of at least a window each, so that the idle are dropped without a scan. A million clients take
 * about 65 MB, and twice `maxClients` is the most that is held; when a generation is full, new clients are refused
 * until it turns: the limit never opens. Source: design 12, security P19.
 */
export function createFreeLimits(options: FreeLimitOptions): FreeLimits {
  const { clock, random = systemRandom, perMinute = FREE_STARTS, maxClients = 2_000_000 } = options;
  const seed = Buffer.from(random.bytes(16)).toString("hex");
  let young = createClientTable(perMinute);
  let old = createClientTable(perMinute);
  let turnedAtMs = clock.monotonicMs();

  const turn = (nowMs: number): void => {
    if (nowMs - turnedAtMs < WINDOW_MS) return;
    old = nowMs - turnedAtMs < 2 * WINDOW_MS ? young : createClientTable(perMinute);
    young = createClientTable(perMinute);
    turnedAtMs = nowMs;
  };

  /** The client's starts in the young generation, taken over from the old one; null when that is full. */
  const startsOf = (bucket: string): Float64Array | null => {
    const { high, low } = fingerprint(seed, bucket);
    const known = young.find(high, low);
    if (known >= 0) return young.starts(known);
    if (young.count() >= maxClients) return null;
    const starts = young.starts(young.insert(high, low));
    const earlier = old.find(high, low);
    if (earlier >= 0) starts.set(old.starts(earlier));
    return starts;
  };

  return {
    admit: (bucket) => {
      const nowMs = clock.monotonicMs();
      turn(nowMs);
      const starts = startsOf(bucket);
      return starts === null ? refused(perMinute, turnedAtMs + WINDOW_MS - nowMs) : admitTo(starts, nowMs);
    },
    takeBack: (bucket, atMs) => {
      const { high, low } = fingerprint(seed, bucket);
      const record = young.find(high, low);
      if (record < 0) return;
      const starts = young.starts(record);
      const newest = Math.max(...starts.filter((startMs) => startMs <= atMs));
      starts[starts.indexOf(newest)] = Number.NEGATIVE_INFINITY;
    },
    clientCount: () => young.count() + old.count(),
  };
}

function fingerprint(seed: string, bucket: string): { readonly high: number; readonly low: number } {
  const digest = hash("sha256", seed + bucket, "buffer");
  return { high: digest.readUInt32LE(0), low: digest.readUInt32LE(4) };
}

/** `starts` has as many places as the limit, so the limit is spent when every place is inside the window. */
function admitTo(starts: Float64Array, nowMs: number): Admission {
  const limit = starts.length;
  let live = 0;
  let oldest = 0;
  for (let i = 0; i < limit; i++) {
    if ((starts[i] ?? 0) > nowMs - WINDOW_MS) live++;
    if ((starts[i] ?? 0) < (starts[oldest] ?? 0)) oldest = i;
  }
  if (live === limit) return refused(limit, (starts[oldest] ?? nowMs) + WINDOW_MS - nowMs);
  starts[oldest] = nowMs;
  const remaining = limit - live - 1;
  const waitMs = remaining > 0 ? 0 : Math.min(...starts) + WINDOW_MS - nowMs;
  return { state: "admitted", limits: stateOf(limit, remaining, waitMs), release: () => undefined };
}

function refused(limit: number, waitMs: number): Admission {
  const limits = stateOf(limit, 0, waitMs);
  return {
    state: "refused",
    scope: "requests",
    retryAfterS: retryAfterSeconds("requests", limits.resetAfterS),
    limits,
  };
}

const stateOf = (limit: number, remaining: number, waitMs: number): LimitState => ({
  limit,
  remaining,
  resetAfterS: remaining > 0 ? 0 : resetSeconds(waitMs),
  concurrencyLimit: Number.POSITIVE_INFINITY,
  concurrencyRemaining: Number.POSITIVE_INFINITY,
});
