import type { Clock } from "../../base/clock.ts";

/** Calls of one account that it may abandon in any minute; with one more, all its calls are refused. Source: design 13.2. */
export const MAX_HANG_UPS = 60;
export const HANG_UP_WINDOW_MS = 60_000;

export type HangUps = {
  /** The owner abandoned a call now. */
  readonly note: (owner: string) => void;
  /** Milliseconds until no more than `MAX_HANG_UPS` are left in the owner's window; 0 when it is so now. */
  readonly waitMs: (owner: string) => number;
};

/** The newest times of an owner, one more than may be; `oldest` is the place of the oldest, which the next one takes. */
type Times = { readonly ring: Float64Array; oldest: number };

/**
 * Abandoned calls of one process in a sliding minute for each owner. The window holds too many exactly while the 61st newest
 * is in it, so nothing older is kept. Owners live in two generations of at least a window each, as buckets do.
 */
export function createHangUps({ clock }: { readonly clock: Pick<Clock, "monotonicMs"> }): HangUps {
  let young = new Map<string, Times>();
  let old = new Map<string, Times>();
  let turnedAtMs = clock.monotonicMs();

  const turn = (nowMs: number): void => {
    if (nowMs - turnedAtMs < HANG_UP_WINDOW_MS) return;
    old = young;
    young = new Map();
    turnedAtMs = nowMs;
  };

  const touch = (owner: string): Times => {
    const known = young.get(owner);
    if (known !== undefined) return known;
    const times = old.get(owner) ?? {
      ring: new Float64Array(MAX_HANG_UPS + 1).fill(Number.NEGATIVE_INFINITY),
      oldest: 0,
    };
    old.delete(owner);
    young.set(owner, times);
    return times;
  };

  return {
    note: (owner) => {
      const nowMs = clock.monotonicMs();
      turn(nowMs);
      const times = touch(owner);
      times.ring[times.oldest] = nowMs;
      times.oldest = (times.oldest + 1) % times.ring.length;
    },
    waitMs: (owner) => {
      // Few callers hang up, and every call comes here.
      if (young.size === 0 && old.size === 0) return 0;
      const times = young.get(owner) ?? old.get(owner);
      if (times === undefined) return 0;
      const oldestMs = times.ring[times.oldest] ?? Number.NEGATIVE_INFINITY;
      return Math.max(0, oldestMs + HANG_UP_WINDOW_MS - clock.monotonicMs());
    },
  };
}
