import type { Clock } from "../base/clock.ts";

const MAX_AGE_MS = 250;
const TIMEOUT_MS = 2000;

/**
 * Asks `probe` at most once in 250 ms and never twice at once, however often it is asked; false when the probe
 * rejects or has said nothing for 2 s. Never throws.
 */
export function createReachability(from: {
  readonly probe: () => Promise<void>;
  readonly clock: Clock;
}): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  let last: { readonly isReachable: boolean; readonly atMs: number } | null = null;
  const ask = async (): Promise<boolean> => {
    const isReachable = await isAnswered(from);
    last = { isReachable, atMs: from.clock.monotonicMs() };
    running = null;
    return isReachable;
  };
  return async () => {
    if (last !== null && from.clock.monotonicMs() - last.atMs < MAX_AGE_MS) return last.isReachable;
    running ??= ask();
    return running;
  };
}

async function isAnswered({ probe, clock }: Parameters<typeof createReachability>[0]): Promise<boolean> {
  const timer = new AbortController();
  const answered = probe().then(
    () => true,
    () => false,
  );
  const silent = clock.sleep(TIMEOUT_MS, timer.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([answered, silent]);
  } finally {
    timer.abort();
  }
}
