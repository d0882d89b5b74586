import { randomBytes, randomUUID } from "node:crypto";

/** The world's time. Dates come from `now`, durations from `monotonicMs`. */
export type Clock = {
  /** The instant; the same object within a millisecond, so nobody may change it. */
  readonly now: () => Date;
  /** Milliseconds since some start, never going back, with fractions. */
  readonly monotonicMs: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when that aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** The world's chance; a CSPRNG in production. */
export type Random = {
  readonly bytes: (count: number) => Uint8Array;
  readonly uuid: () => string;
};

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });

let present = new Date(Number.NaN);

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => {
    const ms = Date.now();
    // Calls come in bunches, and each of them asks more than once.
    if (ms !== present.getTime()) present = new Date(ms);
    return present;
  },
  monotonicMs: () => performance.now(),
  sleep,
};

/** The machine's CSPRNG. */
export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};

let latestMs = { ms: Number.NaN, text: "" };

/** ISO 8601 in UTC to the millisecond: `2026-11-21T09:00:00.123Z`. */
export function isoMilliseconds(instant: Date): string {
  const ms = instant.getTime();
  // Calls come in bunches.
  if (ms !== latestMs.ms) latestMs = { ms, text: instant.toISOString() };
  return latestMs.text;
}

let latest = { second: Number.NaN, text: "" };

/** ISO 8601 in UTC to the second: `2026-11-21T09:00:00Z`. */
export function isoSeconds(instant: Date): string {
  const second = Math.floor(instant.getTime() / 1000);
  // Nearly always that of the call before.
  if (second !== latest.second) latest = { second, text: `${instant.toISOString().slice(0, 19)}Z` };
  return latest.text;
}

/** The same for a time that may be missing. */
export const isoSecondsOrNull = (instant: Date | null): string | null =>
  instant === null ? null : isoSeconds(instant);
