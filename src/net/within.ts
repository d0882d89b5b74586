import type { Clock } from "../base/clock.ts";
import { callAfter } from "./timer-wheel.ts";

/** How long a caller waits: `withinMs`, or until `signal` aborts. */
export type WaitLimit = { readonly signal: AbortSignal; readonly withinMs: number };

/**
 * What `answer` resolves to, or `otherwise` when the caller's patience ends first; the work behind `answer` goes
 * on for others who wait for it.
 */
export function within<T>(
  answer: Promise<T>,
  otherwise: T,
  { signal, withinMs, clock }: WaitLimit & { readonly clock: Pick<Clock, "monotonicMs" | "sleep"> },
): Promise<T> {
  if (withinMs <= 0 || signal.aborted) return Promise.resolve(otherwise);
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      finish();
      resolve(otherwise);
    };
    const cancel = callAfter(clock, withinMs, leave);
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", leave);
    };
    signal.addEventListener("abort", leave, { once: true });
    answer.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}
