import { randomBytes, randomUUID } from "node:crypto";

/** The world's time. Dates come from `now`, durations from `monotonicMs`. */
export type Clock = {
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

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep,
};

/** The machine's CSPRNG. */
export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};

/** ISO 8601 in UTC to the millisecond: `2026-11-21T09:00:00.123Z`. */
export const isoMilliseconds = (instant: Date): string => instant.toISOString();

/**
 * ISO 8601 in UTC to the second: `2026-11-21T09:00:00Z`. Joined into one piece: a text of two makes V8 begin the JSON text that
 * holds it anew, on its slow way.
 */
export const isoSeconds = (instant: Date): string => [instant.toISOString().slice(0, 19), "Z"].join("");

/** The same for a time that may be missing. */
export const isoSecondsOrNull = (instant: Date | null): string | null =>
  instant === null ? null : isoSeconds(instant);

/** The day in UTC: `2026-11-21`. */
export const isoDay = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Of milliseconds since 1970 that may be missing. */
export const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Whole seconds from an instant until now, both in milliseconds since 1970; of a future one 0. */
export const ageSeconds = (fromMs: number, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - fromMs) / 1000));
