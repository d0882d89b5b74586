import type { PlanName } from "../accounts/accounts.ts";
import { planOf } from "../accounts/plans.ts";
import type { ProviderSubscription } from "./subscription.ts";

/** How long a payment may be late before the plan ends. Source: design 14. */
export const GRACE_MS = 7 * 86_400_000;

/** Plan to price id, as the operator wrote it. */
export type Prices = Readonly<Partial<Record<PlanName, string>>>;

/** What a subscription gives its account. */
export type Entitlement =
  | { readonly state: "plan"; readonly plan: PlanName }
  | { readonly state: "unchanged"; readonly why: string };

/** The table of design 14: from the provider's word to the plan. A word nobody knows changes nothing. */
export function entitlementOf(
  subscription: Pick<ProviderSubscription, "status" | "priceIds" | "currentPeriodEnd">,
  prices: Prices,
  now: Date,
): Entitlement {
  switch (subscription.status) {
    case "active":
    case "trialing":
      return pricedPlan(subscription, prices);
    case "past_due":
      return isGraceOver(subscription.currentPeriodEnd, now) ? FREE : pricedPlan(subscription, prices);
    case "canceled":
    case "unpaid":
    case "incomplete_expired":
    case "paused":
      return FREE;
    case "incomplete":
      return { state: "unchanged", why: "the first payment is not made yet" };
    default:
      return { state: "unchanged", why: `the status "${subscription.status}" is not known` };
  }
}

const FREE: Entitlement = { state: "plan", plan: "Free" };

/** Whether a late payment has been waited for long enough. Without an end of the paid term there is no grace. */
export const isGraceOver = (currentPeriodEnd: Date | null, now: Date): boolean =>
  now.getTime() >= (currentPeriodEnd?.getTime() ?? 0) + GRACE_MS;

/** Of several items the largest plan. */
function pricedPlan({ priceIds }: Pick<ProviderSubscription, "priceIds">, prices: Prices): Entitlement {
  const [plan] = (["Starter", "Pro", "Enterprise"] as const)
    .filter((name) => priceIds.some((id) => id === prices[name]))
    .toSorted((a, b) => planOf(b).creditsPerMonth - planOf(a).creditsPerMonth);
  if (plan !== undefined) return { state: "plan", plan };
  return {
    state: "unchanged",
    why: `no plan of billing.prices has the price ${priceIds.join(", ") || "(none)"}`,
  };
}

/** Words under which a subscription still exists: it is changed in the portal, and no second one is sold. */
const LIVE = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

/** Whether an account's last word from the provider means that it has a subscription. */
export const isLive = (billingStatus: string | null): boolean =>
  billingStatus !== null && LIVE.has(billingStatus);
