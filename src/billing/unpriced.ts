import type { Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Schema } from "../db/schema.ts";
import { isLive, type Prices, planOfPrices } from "./entitlement.ts";
import type { ProviderSubscription } from "./subscription.ts";

/** A row of `billing_events` of this type is a price of a subscription that no plan had: its id is both. */
export const UNPRICED = "price.unknown";

type Rules = { readonly clock: StoreDeps["clock"]; readonly rules: { readonly prices: Prices } };

/** Remembers a subscription that changed no plan, as none has its price in this process's configuration. */
export async function rememberUnpriced(
  trx: Transaction<Schema>,
  { id, status, items }: ProviderSubscription,
  accountId: string,
  { clock, rules }: Rules,
): Promise<void> {
  const prices = [...new Set(items.map(({ priceId }) => priceId))];
  if (!isLive(status) || prices.length === 0 || planOfPrices(prices, rules.prices) !== null) return;
  const noted = { type: UNPRICED, at: clock.now().getTime(), account_id: accountId };
  await trx
    .insertInto("billing_events")
    .values(prices.map((price) => ({ ...noted, id: `${price} ${id}` })))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
