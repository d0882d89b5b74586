import type { Transaction } from "kysely";
import { type AccountUpdate, changeAccount, newCycle, planChange } from "../accounts/account-change.ts";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { FREE_PLAN, type PlanName, planOf } from "../accounts/plans.ts";
import type { Log } from "../base/log.ts";
import type { Schema } from "../db/schema.ts";
import { type Customer, writeCustomer } from "./customers.ts";
import {
  type Entitlement,
  type EntitlementRules,
  entitlementOf,
  FREE_TERMS,
  isInGoodStanding,
  isLive,
} from "./entitlement.ts";
import type { BillingEvent } from "./events.ts";
import {
  type KnownPeriod,
  type PaidPeriod,
  paidPeriodOf,
  paidPeriodsOf,
  rememberInvoice,
} from "./paid-periods.ts";
import type { ProviderSubscription } from "./subscription.ts";
import { rememberUnpriced } from "./unpriced.ts";

export type ApplyDeps = StoreDeps & {
  readonly rules: EntitlementRules;
  readonly log: Pick<Log, "warn" | "error">;
};

/** How things stand at the provider, read after the event came. */
export type ProviderState = {
  readonly event: BillingEvent;
  readonly customer: Customer;
  /** The one that the event is about; null: gone. */
  readonly subscription: ProviderSubscription | null;
  /** Others of the account: the one that its plan came from so far, or those that are left when that one ends. */
  readonly others: readonly ProviderSubscription[];
};

type Chosen = {
  readonly subscription: ProviderSubscription | null;
  readonly status: string;
  readonly entitlement: Entitlement;
};

/** Gives the account what its subscriptions entitle it to. In the transaction that takes the event, its row locked. */
export async function applyStanding(
  trx: Transaction<Schema>,
  { account, ...standing }: ProviderState & { readonly account: Account },
  deps: ApplyDeps,
): Promise<void> {
  const { event, customer } = standing;
  const chosen = choose(standing, { account, paid: await paidPeriodsOf(trx, account.id) }, deps);
  const isCustomerGone = event.type === "customer.deleted";
  const customerId = isCustomerGone
    ? null
    : (chosen?.subscription?.customerId ?? event.customerId ?? customer.customerId);
  const subscription = chosen?.subscription ?? null;
  const period = periodSeen(subscription, customer, account);
  const subscriptionId = subscription?.id ?? customer.subscriptionId;
  const paid = subscription === null ? null : paidPeriodOf(subscription, deps.rules.prices);
  const isNew = paid !== null && (await rememberInvoice(trx, paid, account.id, deps));
  const planBefore = chosen === null ? period.planBefore : planHeldIn(chosen, period.planBefore);
  await writeCustomer(trx, { ...customer, ...period, planBefore, customerId, subscriptionId });
  if (standing.subscription !== null) await rememberUnpriced(trx, standing.subscription, account.id, deps);
  if (chosen === null) return;
  const reason = `${event.type} ${event.id}: ${chosen.status}`;
  const by = { actor: "stripe", reason, action: "account.subscription" } as const;
  const hasNewCycle = isNew && beginsCycle(paid, chosen, period.planBefore);
  const decide = (old: Account) => updateOf(old, { ...chosen, hasNewCycle }, deps);
  await changeAccount(trx, { accountId: customer.accountId, by, decide }, deps);
}

type Period = Pick<Customer, "periodStart" | "planBefore">;

/** The subscription's period, and the account's plan when that period was seen first. */
function periodSeen(
  subscription: ProviderSubscription | null,
  { periodStart, planBefore, subscriptionId }: Customer,
  { plan }: Pick<Account, "plan">,
): Period {
  const start = subscription?.currentPeriodStart ?? null;
  const isSeen = subscription?.id === subscriptionId && start?.getTime() === periodStart?.getTime();
  return start === null || isSeen ? { periodStart, planBefore } : { periodStart: start, planBefore: plan };
}

/**
 * What counts as the plan before when the period's next invoice is paid: a subscription that is active has given its plan,
 * paid or not, so that a payment that comes later begins no cycle.
 */
function planHeldIn({ status, entitlement }: Chosen, planBefore: PlanName | null): PlanName | null {
  if (status !== "active" || entitlement.state !== "plan") return planBefore;
  return higherPlan(planBefore ?? FREE_PLAN, entitlement.terms.plan);
}

const higherPlan = (a: PlanName, b: PlanName): PlanName =>
  planOf(a).creditsPerMonth >= planOf(b).creditsPerMonth ? a : b;

/**
 * Whether an invoice that is seen paid for the first time begins a credit cycle: its plan counts now, and it is higher than
 * the plan before the invoice's period and every plan that the period gave before the payment. So a renewal begins none.
 * Source: design 13.2.
 */
function beginsCycle(
  paid: PaidPeriod,
  { status, entitlement }: Chosen,
  planBefore: PlanName | null,
): boolean {
  if (status !== "active" || entitlement.state !== "plan" || entitlement.terms.plan !== paid.plan)
    return false;
  return planOf(paid.plan).creditsPerMonth > planOf(planBefore ?? FREE_PLAN).creditsPerMonth;
}

type Known = { readonly account: Account; readonly paid: readonly KnownPeriod[] };

/** Of two subscriptions the one that gives more; null when the event is about none of this account's. */
function choose(
  { customer, subscription, others, event }: ProviderState,
  known: Known,
  deps: ApplyDeps,
): Chosen | null {
  const candidates = [subscription, ...others].flatMap((one) =>
    one === null ? [] : [judged(one, known, deps)],
  );
  const isGone =
    subscription === null && (event.subscriptionId ?? customer.subscriptionId) === customer.subscriptionId;
  if (isGone && customer.subscriptionId !== null) candidates.push(GONE);
  if (candidates.filter(({ status }) => isLive(status)).length > 1) {
    deps.log.warn(
      { account_id: customer.accountId, subscriptions: [subscription, ...others].map((one) => one?.id) },
      "An account has two subscriptions at once: the larger one counts, cancel the other at the provider",
    );
  }
  const [best] = candidates.toSorted((a, b) => worthOf(b) - worthOf(a) || standingOf(b) - standingOf(a));
  if (best?.entitlement.state === "unchanged") {
    const { why } = best.entitlement;
    deps.log.warn(
      { account_id: customer.accountId, subscription: best.subscription?.id },
      `A subscription changed no plan: ${why}`,
    );
  }
  return best ?? null;
}

const GONE: Chosen = {
  subscription: null,
  status: "canceled",
  entitlement: { state: "plan", terms: FREE_TERMS },
};

function judged(
  subscription: ProviderSubscription,
  { account, paid }: Known,
  { rules, clock }: ApplyDeps,
): Chosen {
  const isPeriodPaid = paid.some(
    ({ subscriptionId, start }) =>
      subscriptionId === subscription.id && start.getTime() === subscription.currentPeriodStart?.getTime(),
  );
  const circumstances = { held: account, isPeriodPaid, now: clock.now() };
  const entitlement = entitlementOf(subscription, rules, circumstances);
  return { subscription, status: subscription.status, entitlement };
}

// A paid plan before the end of one, and that before what says nothing.
const worthOf = ({ entitlement }: Chosen): number =>
  entitlement.state === "unchanged" ? 0 : planOf(entitlement.terms.plan).creditsPerMonth;

// Of two with the same plan the one that is paid, then the one that has not ended.
const standingOf = ({ subscription, status }: Chosen): number =>
  (subscription !== null && isInGoodStanding(subscription) ? 2 : 0) + (isLive(status) ? 1 : 0);

/** Null when the account has all of it already. */
function updateOf(
  old: Account,
  { subscription, status, entitlement, hasNewCycle }: Chosen & { readonly hasNewCycle: boolean },
  { clock }: ApplyDeps,
): AccountUpdate | null {
  const terms = entitlement.state === "plan" ? entitlement.terms : null;
  const plan = terms === null ? null : hasNewCycle ? newCycle(terms, clock.now()) : planChange(old, terms);
  const end = subscription === null ? old.currentPeriodEnd : subscription.currentPeriodEnd;
  const isCancelled = terms?.plan !== FREE_PLAN && subscription?.cancelAtPeriodEnd === true;
  const isSame =
    plan === null &&
    old.billingStatus === status &&
    old.currentPeriodEnd?.getTime() === end?.getTime() &&
    old.cancelAtPeriodEnd === isCancelled;
  if (isSame) return null;
  return {
    ...plan,
    billing_status: status,
    current_period_end: end?.getTime() ?? null,
    cancel_at_period_end: isCancelled ? 1 : 0,
  };
}
