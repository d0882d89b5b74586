import { HOUR_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { GraceDeps } from "./grace.ts";
import type { EventDeps } from "./take-event.ts";

const REST_MS = HOUR_MS;

export type Questions<T> = {
  readonly find: (nowMs: number) => Promise<readonly T[]>;
  /** Rejects when the provider did not answer, or the account cannot be changed now. */
  readonly ask: (one: T, nowMs: number, deps: EventDeps) => Promise<void>;
  /** What they are about, in the log: `a period that is over`. */
  readonly about: string;
};

/**
 * Asks the provider one question after the other. What it does not answer is not asked again for an hour, and the others
 * wait for the next call: neither does it wait behind them, nor they behind it.
 */
export function createAskInTurn<T extends { readonly id: string; readonly accountId: string }>(
  { find, ask, about }: Questions<T>,
  { provider, clock, ...deps }: GraceDeps,
): () => Promise<void> {
  if (provider === null) return async () => undefined;
  const restsUntilMs = new Map<string, number>();
  const isResting = (id: string, nowMs: number): boolean => {
    const isOver = (restsUntilMs.get(id) ?? nowMs) <= nowMs;
    if (isOver) restsUntilMs.delete(id);
    return !isOver;
  };
  return async () => {
    const nowMs = clock.now().getTime();
    const open = (await find(nowMs)).filter(({ id }) => !isResting(id, nowMs));
    for (const one of open) {
      try {
        await ask(one, nowMs, { ...deps, clock, provider });
      } catch (error) {
        const facts = { account_id: one.accountId, ...(error instanceof Refusal ? {} : { err: error }) };
        deps.log.warn(facts, `Cannot ask the provider about ${about}; trying again in an hour`);
        restsUntilMs.set(one.id, nowMs + REST_MS);
        return;
      }
    }
  };
}
