import { type Clock, systemClock } from "../src/base/clock.ts";

/** A clock whose time passes only when it is told to, for all that sleep by it. */
export type SteppedClock = Clock & {
  /** Lets time pass, from one sleeper's end to the next; what sleeps by the signal of a loop has gone round before it goes on. */
  readonly pass: (ms: number) => Promise<void>;
};

type Sleeper = { readonly atMs: number; readonly signal: AbortSignal | undefined; readonly wake: () => void };

/** `loop`: the signal of what sleeps again and again. */
export function createSteppedClock(loop: AbortSignal): SteppedClock {
  let nowMs = Date.UTC(2026, 0, 1);
  const sleepers = new Set<Sleeper>();
  const isAsleep = () => loop.aborted || [...sleepers].some(({ signal }) => signal === loop);
  const pass = async (ms: number): Promise<void> => {
    const endMs = nowMs + ms;
    for (;;) {
      const [next] = [...sleepers].toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > endMs) break;
      nowMs = next.atMs;
      sleepers.delete(next);
      next.wake();
      while (next.signal === loop && !isAsleep()) await systemClock.sleep(1);
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
  };
}
