import { createAskInTurn } from "./ask-in-turn.ts";
import { customerOf } from "./customers.ts";
import { planOfPrices } from "./entitlement.ts";
import type { GraceDeps } from "./grace.ts";
import { type EventDeps, takeEvent } from "./take-event.ts";
import { UNPRICED } from "./unpriced.ts";

type Unpriced = { readonly id: string; readonly accountId: string; readonly at: number };

/**
 * Asks the provider how subscriptions stand whose price a plan has by now: here, or in another process than the one that took
 * the event. Without this what was paid would give nothing before the next event.
 */
export const createUnpriced = (deps: GraceDeps): (() => Promise<void>) =>
  createAskInTurn(
    {
      find: () => findPricedNow(deps),
      ask: (one, _nowMs, asking) => ask(one, asking),
      about: "a price that has a plan now",
    },
    deps,
  );

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

async function ask({ id, accountId, at }: Unpriced, deps: EventDeps): Promise<void> {
  const { kysely } = deps.db;
  const { customerId } = await customerOf(kysely, accountId);
  const [, subscriptionId = ""] = id.split(" ");
  const event = { id: `price-${at}-${id}`, type: "price.known", accountId, customerId, subscriptionId };
  await takeEvent(event, deps);
  await kysely.deleteFrom("billing_events").where("id", "=", id).where("at", "=", at).execute();
}
