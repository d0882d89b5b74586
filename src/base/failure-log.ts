import type { Log } from "./log.ts";

/** Waits for work that is done over and over; the first failure after a success is logged, those that follow it are not. Never rejects. */
export function createFailureLog(log: Pick<Log, "warn">, message: string) {
  let hasFailed = false;
  return async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, message);
      hasFailed = true;
    }
  };
}
