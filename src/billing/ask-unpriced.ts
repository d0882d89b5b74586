import { Refusal } from "../base/failure.ts";
import { customerOf } from "./customers.ts";
import { planOfPrices } from "./entitlement.ts";
import type { GraceDeps } from "./grace.ts";
import { createRests } from "./rests.ts";
import { type EventDeps, takeEvent } from "./take-event.ts";
import { UNPRICED } from "./unpriced.ts";

type Unpriced = { readonly id: string; readonly accountId: string; readonly at: number };

/**
 * Asks the provider how subscriptions stand whose price a plan has by now: here, or in another process than the one that took
 * the event. Without this what was paid would give nothing before the next event. After a question that was not answered the
 * others wait for the next call.
 */
export function createUnpriced(deps: GraceDeps): () => Promise<void> {
  const { provider, clock } = deps;
  if (provider === null) return async () => undefined;
  const rests = createRests();
  return async () => {
    const nowMs = clock.now().getTime();
    for (const one of await findPricedNow(deps)) {
      if (rests.isResting(one.id, nowMs) || (await isAnswered(one, { ...deps, provider }))) continue;
      rests.rest(one.id, nowMs);
      return;
    }
  };
}

async function findPricedNow({ db, rules }: GraceDeps): Promise<readonly Unpriced[]> {
  const rows = await db.kysely
    .selectFrom("billing_events")
    .select(["id", "account_id", "at"])
    .where("type", "=", UNPRICED)
    .orderBy("at")
    .execute();
  return rows.flatMap(({ id, account_id: accountId, at }) => {
    const [price = ""] = id.split(" ");
    return accountId === null || planOfPrices([price], rules.prices) === null ? [] : [{ id, accountId, at }];
  });
}

/** False when the provider did not answer, or the account cannot be changed now; the log says so. */
async function isAnswered(unpriced: Unpriced, deps: EventDeps): Promise<boolean> {
  try {
    await ask(unpriced, deps);
    return true;
  } catch (error) {
    const about = { account_id: unpriced.accountId, ...(error instanceof Refusal ? {} : { err: error }) };
    deps.log.warn(
      about,
      "Cannot ask the provider about a price that has a plan now; trying again in an hour",
    );
    return false;
  }
}

async function ask({ id, accountId, at }: Unpriced, deps: EventDeps): Promise<void> {
  const { kysely } = deps.db;
  const { customerId } = await customerOf(kysely, accountId);
  const [, subscriptionId = ""] = id.split(" ");
  const event = { id: `price-${at}-${id}`, type: "price.known", accountId, customerId, subscriptionId };
  await takeEvent(event, deps);
  await kysely.deleteFrom("billing_events").where("id", "=", id).where("at", "=", at).execute();
}
