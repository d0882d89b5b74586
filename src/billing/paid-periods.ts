import type { Transaction } from "kysely";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { PlanName } from "../accounts/plans.ts";
import type { Schema } from "../db/schema.ts";
import { type Prices, planOfPrices } from "./entitlement.ts";
import type { ProviderSubscription } from "./subscription.ts";

/** A whole period of a subscription that was paid for. */
export type KnownPeriod = { readonly subscriptionId: string; readonly start: Date };

/** One with the invoice that paid for it, and the plan that it was paid for. */
export type PaidPeriod = KnownPeriod & { readonly invoiceId: string; readonly plan: PlanName };

/** What the latest invoice of a subscription has paid for of its current period, in full; null: nothing. */
export function paidPeriodOf(
  { id, currentPeriodStart: start, latestInvoice }: ProviderSubscription,
  prices: Prices,
): PaidPeriod | null {
  if (latestInvoice === null || !latestInvoice.isPaidInFull || start === null) return null;
  const current = latestInvoice.periods.filter((period) => period.start.getTime() === start.getTime());
  const plan = planOfPrices(
    current.map(({ priceId }) => priceId),
    prices,
  );
  return plan === null ? null : { invoiceId: latestInvoice.id, subscriptionId: id, start, plan };
}

/** The periods of an account that are known to be paid. */
export async function paidPeriodsOf(
  trx: Transaction<Schema>,
  accountId: string,
): Promise<readonly KnownPeriod[]> {
  const rows = await trx
    .selectFrom("billing_invoices")
    .select(["subscription_id", "period_start"])
    .where("account_id", "=", accountId)
    .execute();
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    start: new Date(row.period_start),
  }));
}

/** Remembers the invoice of a paid period; false when it was known. */
export async function rememberInvoice(
  trx: Transaction<Schema>,
  { invoiceId, subscriptionId, start }: PaidPeriod,
  accountId: string,
  { clock }: Pick<StoreDeps, "clock">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto("billing_invoices")
    .values({
      id: invoiceId,
      account_id: accountId,
      subscription_id: subscriptionId,
      period_start: start.getTime(),
      at: clock.now().getTime(),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
