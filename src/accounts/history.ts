import type { LedgerStore } from "./group.ts";
import { nextTurn } from "./next-turn.ts";

const DAY_MS = 86_400_000;
const BATCH = 2000;

/**
 * Deletes history rows older than `keepDays` and gives their number. In small transactions, between which charges go
 * on: SQLite deletes on the event loop.
 */
export async function pruneCalls(
  store: Pick<LedgerStore, "deleteOld">,
  { now, keepDays }: { now: Date; keepDays: number },
): Promise<number> {
  const nowMs = now.getTime();
  let pruned = 0;
  for (;;) {
    const deleted = await store.deleteOld(nowMs - keepDays * DAY_MS, BATCH, nowMs);
    pruned += deleted;
    if (deleted < BATCH) return pruned;
    await nextTurn();
  }
}
