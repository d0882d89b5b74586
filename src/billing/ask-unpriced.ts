import { Refusal } from "../base/failure.ts";
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
export async function askAboutUnpriced({ provider, ...deps }: GraceDeps): Promise<void> {
  if (provider === null) return;
  const rows = await deps.db.kysely
    .selectFrom("billing_events")
    .select(["id", "account_id", "at"])
    .where("type", "=", UNPRICED)
    .orderBy("at")
    .execute();
  for (const { id, account_id: accountId, at } of rows) {
    const [price = ""] = id.split(" ");
    if (accountId === null || planOfPrices([price], deps.rules.prices) === null) continue;
    await ask({ id, accountId, at }, { ...deps, provider }).catch((error: unknown) => {
      const about = { account_id: accountId, ...(error instanceof Refusal ? {} : { err: error }) };
      deps.log.warn(
        about,
        "Cannot ask the provider about a price that has a plan now; trying again in a minute",
      );
    });
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
