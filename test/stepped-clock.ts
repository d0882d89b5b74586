import { type Clock, systemClock } from "../src/base/clock.ts";

/** A clock whose time passes only when it is told to, for all that sleep by it. */
export type SteppedClock = Clock & {
  /** Lets time pass, from one sleeper's end to the next; what sleeps by the signal of a loop has gone round before it goes on. */
  readonly pass: (ms: number) => Promise<void>;
  /** Time that passes while nothing runs: what sleeps is woken late, by the next `pass`. */
  readonly standStill: (ms: number) => void;
};

type Sleeper = { readonly atMs: number; readonly signal: AbortSignal | undefined; readonly wake: () => void };

/** `loop`: the signal of what sleeps again and again. */
export function createSteppedClock(loop: AbortSignal): SteppedClock {
  let nowMs = Date.UTC(2026, 0, 1);
  const sleepers = new Set<Sleeper>();
  const inLoops = () => [...sleepers].filter(({ signal }) => signal === loop).length;
  const pass = async (ms: number): Promise<void> => {
    const endMs = nowMs + ms;
    for (;;) {
      const [next] = [...sleepers].toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > endMs) break;
      nowMs = Math.max(nowMs, next.atMs);
      const before = inLoops();
      sleepers.delete(next);
      next.wake();
      while (!loop.aborted && inLoops() < before) await systemClock.sleep(1);
    }
    nowMs = endMs;
  };
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const one: Sleeper = { atMs: nowMs + ms, signal, wake: resolve };
        sleepers.add(one);
        signal?.addEventListener("abort", () => sleepers.delete(one) && reject(signal.reason), {
          once: true,
        });
      }),
    pass,
    standStill: (ms) => {
      nowMs += ms;
    },
  };
}
