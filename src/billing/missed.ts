import { DAY_MS, HOUR_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import { customerOf } from "./customers.ts";
import { LIVE_STATUSES } from "./entitlement.ts";
import type { GraceDeps } from "./grace.ts";
import { createRests } from "./rests.ts";
import { type EventDeps, takeEvent } from "./take-event.ts";

/** The provider's own event has so long to come after the end of a period. */
const PATIENCE_MS = HOUR_MS;

type Overdue = { readonly id: string; readonly endMs: number };

/**
 * Asks the provider how subscriptions stand whose period is over and whose next one no event has told of: the provider gives
 * up on an event after some days, and a restored database knows none of those since its backup. Without this a plan that
 * ended would be refilled for ever. Each is asked about once a day, for all processes; after a question that was not
 * answered the others wait for the next call.
 */
export function createMissedPeriods(deps: GraceDeps): () => Promise<void> {
  const { provider, clock } = deps;
  if (provider === null) return async () => undefined;
  const rests = createRests();
  return async () => {
    const nowMs = clock.now().getTime();
    const overdue = (await findOverdue(nowMs, deps)).filter(({ id }) => !rests.isResting(id, nowMs));
    for (const one of overdue) {
      if (await isAnswered(one, nowMs, { ...deps, provider })) continue;
      rests.rest(one.id, nowMs);
      return;
    }
  };
}

/** False when the provider did not answer, or the account cannot be changed now; the log says so. */
async function isAnswered(overdue: Overdue, nowMs: number, deps: EventDeps): Promise<boolean> {
  try {
    await takeEvent(await questionAbout(overdue, nowMs, deps), deps);
    return true;
  } catch (error) {
    const about = { account_id: overdue.id, ...(error instanceof Refusal ? {} : { err: error }) };
    deps.log.warn(about, "Cannot ask the provider about a period that is over; trying again in an hour");
    return false;
  }
}

async function findOverdue(nowMs: number, { db }: Pick<GraceDeps, "db">): Promise<readonly Overdue[]> {
  const rows = await db.kysely
    .selectFrom("accounts")
    .select(["id", "current_period_end"])
    .where("current_period_end", "<=", nowMs - PATIENCE_MS)
    .where("billing_status", "in", [...LIVE_STATUSES])
    .orderBy("current_period_end")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ id: row.id, endMs: row.current_period_end ?? 0 }));
}

async function questionAbout({ id, endMs }: Overdue, nowMs: number, { db }: Pick<GraceDeps, "db">) {
  const { customerId, subscriptionId } = await customerOf(db.kysely, id);
  const name = `period-${id}-${endMs}-${Math.floor((nowMs - endMs) / DAY_MS)}`;
  return { id: name, type: "period.over", accountId: id, customerId, subscriptionId };
}
