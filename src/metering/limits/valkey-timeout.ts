import type { Clock } from "../../base/clock.ts";

/** Gives up on an answer that has not come in time. */
export type ValkeyTimeout = <T>(answer: Promise<T>) => Promise<T>;

type Waiting = { readonly sinceMs: number; readonly giveUp: () => void };

const LOOK_EVERY_MS = 250;

/**
 * Waits `timeoutMs` for each answer, and at most 250 ms longer; then rejects it and calls `onSilence`. One timer for all that wait.
 * A process that was held up itself, as all are at their start on a busy machine, first reads what has come meanwhile:
 * its own delay is not the server's silence.
 */
export function createPatience(from: {
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly timeoutMs: number;
  readonly onSilence: () => void;
}): ValkeyTimeout {
  const { clock, timeoutMs, onSilence } = from;
  const waiting = new Set<Waiting>();
  let isWatching = false;
  const watch = async (): Promise<void> => {
    isWatching = true;
    while (waiting.size > 0) {
      await clock.sleep(LOOK_EVERY_MS);
      await new Promise(setImmediate);
      const dueMs = clock.monotonicMs() - timeoutMs;
      const late = [...waiting].filter(({ sinceMs }) => sinceMs <= dueMs);
      for (const { giveUp } of late) giveUp();
      if (late.length > 0) onSilence();
    }
    isWatching = false;
  };
  return (answer) =>
    new Promise((resolve, reject) => {
      const one: Waiting = {
        sinceMs: clock.monotonicMs(),
        giveUp: () => {
          waiting.delete(one);
          reject(new Error(`No answer within ${timeoutMs} ms`));
        },
      };
      waiting.add(one);
      answer.then(resolve, reject).finally(() => waiting.delete(one));
      if (!isWatching) void watch();
    });
}
