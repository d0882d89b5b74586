import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";
import { nextTurn } from "./next-turn.ts";

const DAY_MS = 86_400_000;
const BATCH = 2000;

/**
 * Deletes history rows older than `keepDays` and gives their number. In small transactions, between which charges go
 * on: SQLite deletes on the event loop.
 */
export async function pruneCalls(
  db: Kysely<Schema>,
  { now, keepDays }: { now: Date; keepDays: number },
): Promise<number> {
  const before = now.getTime() - keepDays * DAY_MS;
  let pruned = 0;
  for (;;) {
    const old = db.selectFrom("calls").select("id").where("at", "<", before).orderBy("at").limit(BATCH);
    const { numDeletedRows } = await db.deleteFrom("calls").where("id", "in", old).executeTakeFirstOrThrow();
    pruned += Number(numDeletedRows);
    if (Number(numDeletedRows) < BATCH) return pruned;
    await nextTurn();
  }
}
