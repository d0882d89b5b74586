import type { PlanTerms } from "../accounts/account-change.ts";
import { FREE_PLAN, PAID_PLANS, type PlanName, planOf } from "../accounts/plans.ts";
import { DAY_MS } from "../base/durations.ts";
import type { ProviderSubscription } from "./subscription.ts";

/** How long a payment may be late before the plan ends. Source: design 14. */
const GRACE_MS = 7 * DAY_MS;

/** Plan to price id, as the operator wrote it. */
export type Prices = Readonly<Partial<Record<PlanName, string>>>;

/** The operator's rules of what subscriptions give. */
export type EntitlementRules = {
  readonly prices: Prices;
  /** Credits of a cycle during a trial, at most the plan's. */
  readonly trialCredits: number;
};

/** What a subscription gives its account. */
export type Entitlement =
  | { readonly state: "plan"; readonly terms: PlanTerms }
  | { readonly state: "unchanged"; readonly why: string };

/** What a subscription is judged against. */
export type EntitlementContext = {
  /** What the account has now. */
  readonly held: PlanTerms;
  /** Whether an invoice for the subscription's whole period has been paid. */
  readonly isPeriodPaid: boolean;
  readonly now: Date;
};

type Judged = Pick<
  ProviderSubscription,
  "status" | "items" | "isPaused" | "currentPeriodStart" | "latestInvoice"
>;

/** The table of design 14: from the provider's status to the plan and its terms. An unknown status changes nothing. */
export function entitlementOf(
  subscription: Judged,
  rules: EntitlementRules,
  circumstances: EntitlementContext,
): Entitlement {
  switch (subscription.status) {
    case "active":
      return pricedEntitlement(subscription, rules, (plan) => ({
        plan,
        trialGrant: null,
        graceEndsAt: null,
      }));
    case "trialing":
      return pricedEntitlement(subscription, rules, (plan) => ({
        plan,
        trialGrant: Math.min(rules.trialCredits, planOf(plan).creditsPerMonth),
        graceEndsAt: null,
      }));
    case "past_due":
      return lateEntitlement(subscription, rules, circumstances);
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

/** A plan that costs nothing. */
export const FREE_TERMS: PlanTerms = { plan: FREE_PLAN, trialGrant: null, graceEndsAt: null };

const FREE: Entitlement = { state: "plan", terms: FREE_TERMS };

function pricedEntitlement(
  subscription: Judged,
  { prices }: EntitlementRules,
  termsOf: (plan: PlanName) => PlanTerms,
): Entitlement {
  const plan = pricedPlan(subscription, prices);
  if (plan !== null) return { state: "plan", terms: plan === FREE_PLAN ? FREE_TERMS : termsOf(plan) };
  const ids = subscription.items.map(({ priceId }) => priceId).join(", ");
  return { state: "unchanged", why: `no plan of billing.prices has the price ${ids || "(none)"}` };
}

/**
 * A late payment keeps at most the plan of before until its grace is over. A grace that runs is not extended: not by
 * another invoice, nor by another period.
 */
function lateEntitlement(
  subscription: Judged,
  { prices }: EntitlementRules,
  { held, isPeriodPaid, now }: EntitlementContext,
): Entitlement {
  const plan = lowerPlan(held.plan, pricedPlan(subscription, prices) ?? held.plan);
  const graceEndsAt = held.graceEndsAt ?? graceEndOf(subscription, isPeriodPaid);
  if (plan === FREE_PLAN || now.getTime() >= graceEndsAt.getTime()) return FREE;
  const trialGrant =
    held.trialGrant === null ? null : Math.min(held.trialGrant, planOf(plan).creditsPerMonth);
  return { state: "plan", terms: { plan, trialGrant, graceEndsAt } };
}

/**
 * Seven days from the start of what is unpaid: the period, or, within a paid period, the invoice of a change. Without a
 * start there is no grace.
 */
function graceEndOf(
  { currentPeriodStart, latestInvoice }: Pick<Judged, "currentPeriodStart" | "latestInvoice">,
  isPeriodPaid: boolean,
): Date {
  const periodMs = currentPeriodStart?.getTime() ?? 0;
  const isChangeUnpaid = isPeriodPaid && latestInvoice !== null && !latestInvoice.isPaid;
  const unpaidMs = isChangeUnpaid ? Math.max(periodMs, latestInvoice.createdAt.getTime()) : periodMs;
  return new Date(unpaidMs + GRACE_MS);
}

const lowerPlan = (a: PlanName, b: PlanName): PlanName =>
  planOf(a).creditsPerMonth <= planOf(b).creditsPerMonth ? a : b;

/** Of several items the largest plan; Free when none is paid for. Null: no item has a price of ours. */
function pricedPlan(
  { items, isPaused }: Pick<Judged, "items" | "isPaused">,
  prices: Prices,
): PlanName | null {
  const planOfItems = (some: Judged["items"]) =>
    planOfPrices(
      some.map(({ priceId }) => priceId),
      prices,
    );
  if (planOfItems(items) === null) return null;
  return planOfItems(isPaused ? [] : items.filter(({ quantity }) => quantity >= 1)) ?? FREE_PLAN;
}

/** The largest plan that has one of these prices; null: none has. */
export const planOfPrices = (priceIds: readonly string[], prices: Prices): PlanName | null =>
  PAID_PLANS.findLast((plan) => priceIds.some((id) => id === prices[plan])) ?? null;

/** Whether a subscription is paid or in trial, so that no other one of the customer needs to be looked for. */
export const isInGoodStanding = ({ status, isPaused, items }: Judged): boolean =>
  (status === "active" || status === "trialing") && !isPaused && items.some(({ quantity }) => quantity >= 1);

/** Words under which a subscription still exists: it is changed in the portal, and no second one is sold. */
export const LIVE_STATUSES: ReadonlySet<string> = new Set([
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
]);

/** Whether an account's last word from the provider means that it has a subscription. */
export const isLive = (billingStatus: string | null): boolean =>
  billingStatus !== null && LIVE_STATUSES.has(billingStatus);

/** Whether the provider may still collect for it: a subscription that has begun, or one whose first payment is open. */
export const mayCollect = (billingStatus: string | null): boolean =>
  isLive(billingStatus) || billingStatus === "incomplete";
