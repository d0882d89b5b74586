import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { createReasons } from "../base/reasons.ts";

/** Tells the log of calls that were refused as the database is not available: a line when that begins, for each other reason, and when it is over. */
export type OutageLog = {
  readonly refused: (error: unknown, requestId: string) => void;
  readonly close: () => Promise<void>;
};

/** It is over when the database can be reached and no call was refused for as long. */
const QUIET_MS = 10_000;

/** `isReachable` never rejects. The last line has how many calls were refused; each of them is a line of level debug. */
export function createOutageLog({
  clock,
  log,
  isReachable,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly isReachable: () => Promise<boolean>;
}): OutageLog {
  const stop = new AbortController();
  const reasons = createReasons();
  let calls = 0;
  let watching: Promise<void> | null = null;
  const untilOver = async (): Promise<void> => {
    const sinceMs = clock.monotonicMs();
    for (let seen = 0; seen !== calls || !(await isReachable()); ) {
      seen = calls;
      await clock.sleep(QUIET_MS, stop.signal);
    }
    const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1000);
    log.info({ calls, seconds }, "The database is available again");
  };
  const watch = (): Promise<void> =>
    untilOver()
      .catch(() => log.warn({ calls }, "The database is still not available"))
      .finally(() => {
        watching = null;
        calls = 0;
        reasons.clear();
      });
  return {
    refused: (error, requestId) => {
      calls++;
      const about = { err: error, request_id: requestId };
      const found = reasons.note(error);
      if (found === "told") return log.debug(about, "The database is still not available");
      if (found === "other")
        return log.warn(about, "The database is still not available, now for another reason");
      log.warn(about, "The database is not available: calls that need it are refused");
      watching = watch();
    },
    close: async () => {
      stop.abort();
      await watching;
    },
  };
}
