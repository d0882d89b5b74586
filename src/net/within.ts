import type { Clock } from "../clock.ts";

/** How long a caller waits: `withinMs`, or until `signal` aborts. */
export type Patience = { readonly signal: AbortSignal; readonly withinMs: number };

/**
 * What `answer` resolves to, or `otherwise` when the caller's patience ends first; the work behind `answer` goes
 * on for others who wait for it.
 */
export async function within<T>(
  answer: Promise<T>,
  otherwise: T,
  { signal, withinMs, clock }: Patience & { readonly clock: Pick<Clock, "sleep"> },
): Promise<T> {
  if (withinMs <= 0 || signal.aborted) return otherwise;
  // One controller and a listener: AbortSignal.any costs ten times as much.
  const finished = new AbortController();
  const leave = () => finished.abort(OVER);
  signal.addEventListener("abort", leave, { once: true });
  const limit = clock.sleep(withinMs, finished.signal).then(
    () => otherwise,
    () => otherwise, // the caller left, or the answer is here
  );
  try {
    return await Promise.race([answer, limit]);
  } finally {
    signal.removeEventListener("abort", leave);
    finished.abort(OVER);
  }
}

/** Nobody reads it: without a reason of its own each abort would make an error with a stack. */
const OVER = "over";
