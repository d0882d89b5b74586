import { type Clock, systemClock } from "../src/base/clock.ts";

export type MovableClock = Clock & {
  readonly set: (instant: Date) => void;
  readonly advance: (ms: number) => void;
};

/** A clock that stands still until it is moved, forward or back; its monotonic part and its sleeps are the machine's. */
export function createMovableClock(start = new Date("2026-01-01T00:00:00Z")): MovableClock {
  let nowMs = start.getTime();
  return {
    ...systemClock,
    now: () => new Date(nowMs),
    set: (instant) => {
      nowMs = instant.getTime();
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
