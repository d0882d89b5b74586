import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";

/** Lists that come together go into one index, and indexes do not follow each other closely. */
export type IndexBuilds = {
  /** Builds soon, in the background; requests until then count as one. A failure is logged and tried again. */
  readonly request: () => void;
  /** Builds now, after one that runs. Rejects when it fails. */
  readonly now: () => Promise<void>;
};

type Deps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** What is built, in words of the log. Default: lists. */
  readonly name?: string;
};

/** Lists that are retrieved within this time go into the same index. */
const GATHER_MS = 1_000;
/** From the start of one requested build to the next. */
const MIN_BETWEEN_MS = 10_000;
const RETRY_MS = 15_000;

/** Runs `build` when asked, never twice at once. */
export function createIndexBuilds(
  { clock, log, signal, name = "lists" }: Deps,
  build: () => Promise<void>,
): IndexBuilds {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  let running: Promise<void> = Promise.resolve();
  const now = (): Promise<void> => {
    const begin = async () => {
      lastMs = clock.monotonicMs();
      await build();
    };
    const built = running.then(begin);
    running = built.catch(() => undefined);
    return built;
  };
  const later = async (waitMs: number): Promise<void> => {
    try {
      await clock.sleep(waitMs, signal);
      isWaiting = false;
      await now();
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, `Cannot compile the ${name}; what was there before goes on`);
      request(RETRY_MS);
    }
  };
  const request = (leastMs: number): void => {
    if (isWaiting || signal.aborted) return;
    isWaiting = true;
    void later(Math.max(leastMs, lastMs + MIN_BETWEEN_MS - clock.monotonicMs()));
  };
  return { request: () => request(GATHER_MS), now };
}
