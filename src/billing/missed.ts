import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import { createAskInTurn } from "./ask-in-turn.ts";
import { customerOf } from "./customers.ts";
import { LIVE_STATUSES } from "./entitlement.ts";
import type { GraceDeps } from "./grace.ts";
import { takeEvent } from "./take-event.ts";

/** The provider's own event has so long to come after the end of a period. */
const PATIENCE_MS = HOUR_MS;

type Overdue = { readonly id: string; readonly accountId: string; readonly endMs: number };

/**
 * Asks the provider how subscriptions stand whose period is over and whose next one no event has told of: the provider gives
 * up on an event after some days, and a restored database knows none of those since its backup. Without this a plan that
 * ended would be refilled for ever. Each is asked about once a day, for all processes.
 */
export const createMissedPeriods = (deps: GraceDeps): (() => Promise<void>) =>
  createAskInTurn(
    {
      find: (nowMs) => findOverdue(nowMs, deps),
      ask: async (one, nowMs, asking) => takeEvent(await questionAbout(one, nowMs, asking), asking),
      about: "a period that is over",
    },
    deps,
  );

async function findOverdue(nowMs: number, { db }: Pick<GraceDeps, "db">): Promise<readonly Overdue[]> {
  const rows = await db.kysely
    .selectFrom("accounts")
    .select(["id", "current_period_end"])
    .where("current_period_end", "<=", nowMs - PATIENCE_MS)
    .where("billing_status", "in", [...LIVE_STATUSES])
    .orderBy("current_period_end")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ id: row.id, accountId: row.id, endMs: row.current_period_end ?? 0 }));
}

async function questionAbout({ id, endMs }: Overdue, nowMs: number, { db }: Pick<GraceDeps, "db">) {
  const { customerId, subscriptionId } = await customerOf(db.kysely, id);
  const name = `period-${id}-${endMs}-${Math.floor((nowMs - endMs) / DAY_MS)}`;
  return { id: name, type: "period.over", accountId: id, customerId, subscriptionId };
}
