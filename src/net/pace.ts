import type { Clock } from "../base/clock.ts";
import type { Budget } from "./budget.ts";
import { firstHolderOf, presentParty } from "./party.ts";
import { callAfter } from "./timer-wheel.ts";

/**
 * Before another of many lookups begins on behalf of the present party: resolves when it may, never rejects; undefined:
 * at once.
 */
export type Pace = (signal: AbortSignal) => Promise<void> | undefined;

/** Questions of one party that may wait before more of its lookups are held back. */
const MAX_WAITING = 64;

/**
 * Holds a lookup back while so many questions of its party wait for their turn that it could ask nothing, for `maxMs`
 * at most: what has not begun takes no memory, and its time does not run out before its questions are asked.
 */
export const createPace =
  ({
    budget,
    clock,
    maxMs,
  }: {
    readonly budget: Pick<Budget, "whenFewWait">;
    readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
    readonly maxMs: number;
  }): Pace =>
  (signal) => {
    if (signal.aborted) return undefined;
    const holder = firstHolderOf(presentParty());
    const { promise, resolve } = Promise.withResolvers<void>();
    const finish = (): void => {
      takeBack?.();
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const takeBack = budget.whenFewWait(holder, MAX_WAITING, finish);
    if (takeBack === null) return undefined;
    const cancel = callAfter(clock, maxMs, finish);
    signal.addEventListener("abort", finish, { once: true });
    return promise;
  };
