import type { Clock } from "../base/clock.ts";

/** One time limit over everything that a call does. */
export type Deadline = {
  /** Aborts when the time is over, when the caller leaves, and at `end`. */
  readonly signal: AbortSignal;
  /** 0 when it is over. */
  readonly remainingMs: () => number;
  /** Lets go of the timer and aborts the signal, so that nothing begun under it outlives it. */
  readonly end: () => void;
};

/** Starts a time limit; `leave` are signals of callers that end it early. */
export function startDeadline(
  clock: Clock,
  timeoutMs: number,
  ...leave: readonly (AbortSignal | undefined)[]
): Deadline {
  const over = new AbortController();
  const end = () => over.abort(OVER);
  const endsAtMs = clock.monotonicMs() + timeoutMs;
  clock.sleep(timeoutMs, over.signal).then(end, end);
  for (const signal of leave) {
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true, signal: over.signal });
  }
  return {
    signal: over.signal,
    remainingMs: () => Math.max(0, endsAtMs - clock.monotonicMs()),
    end,
  };
}

/** Made once: an abort without a reason makes such an error each time, with a stack that is not read. */
const OVER = new DOMException("The time is over", "AbortError");
