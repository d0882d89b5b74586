import type { Transaction } from "kysely";
import { type AccountUpdate, changeAccount, planChange } from "../accounts/account-change.ts";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { planOf } from "../accounts/plans.ts";
import type { Schema } from "../db/schema.ts";
import type { Log } from "../log.ts";
import { type Customer, writeCustomer } from "./customers.ts";
import { type Entitlement, entitlementOf, isLive, type Prices } from "./entitlement.ts";
import type { BillingEvent } from "./events.ts";
import type { ProviderSubscription } from "./subscription.ts";

export type ApplyDeps = StoreDeps & { readonly prices: Prices; readonly log: Pick<Log, "warn" | "error"> };

/** How things stand at the provider, read after the event came. */
export type Standing = {
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

/** Gives the account what its subscriptions entitle it to. In the transaction that takes the event. */
export async function applyStanding(
  trx: Transaction<Schema>,
  standing: Standing,
  deps: ApplyDeps,
): Promise<void> {
  const { event, customer } = standing;
  const chosen = choose(standing, deps);
  const isCustomerGone = event.type === "customer.deleted";
  const customerId = isCustomerGone
    ? null
    : (chosen?.subscription?.customerId ?? event.customerId ?? customer.customerId);
  const subscriptionId = chosen?.subscription?.id ?? customer.subscriptionId;
  await writeCustomer(trx, { ...customer, customerId, subscriptionId });
  if (chosen === null) return;
  const reason = `${event.type} ${event.id}: ${chosen.status}`;
  const by = { actor: "stripe", reason, action: "account.subscription" };
  const decide = (old: Account) => updateOf(old, chosen, deps);
  await changeAccount(trx, { accountId: customer.accountId, by, decide }, deps);
}

/** Of two subscriptions the one that gives more; null when the event is about none of this account's. */
function choose({ customer, subscription, others, event }: Standing, deps: ApplyDeps): Chosen | null {
  const candidates = [subscription, ...others].flatMap((one) => (one === null ? [] : [judged(one, deps)]));
  const isGone =
    subscription === null && (event.subscriptionId ?? customer.subscriptionId) === customer.subscriptionId;
  if (isGone && customer.subscriptionId !== null) candidates.push(GONE);
  if (candidates.filter(({ status }) => isLive(status)).length > 1) {
    deps.log.warn(
      { account_id: customer.accountId, subscriptions: [subscription, ...others].map((one) => one?.id) },
      "An account has two subscriptions at once: the larger one counts, cancel the other at the provider",
    );
  }
  const [best] = candidates.toSorted((a, b) => worthOf(b) - worthOf(a));
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
  entitlement: { state: "plan", plan: "Free" },
};

const judged = (subscription: ProviderSubscription, { prices, clock }: ApplyDeps): Chosen => ({
  subscription,
  status: subscription.status,
  entitlement: entitlementOf(subscription, prices, clock.now()),
});

// A paid plan before the end of one, and that before what says nothing.
const worthOf = ({ entitlement }: Chosen): number =>
  entitlement.state === "unchanged" ? 0 : planOf(entitlement.plan).creditsPerMonth;

/** Null when the account has all of it already. */
function updateOf(
  old: Account,
  { subscription, status, entitlement }: Chosen,
  deps: ApplyDeps,
): AccountUpdate | null {
  const isFree = entitlement.state === "plan" && entitlement.plan === "Free";
  const plan = entitlement.state === "plan" ? planChange(old, planOf(entitlement.plan), deps) : null;
  const end = subscription === null ? old.currentPeriodEnd : subscription.currentPeriodEnd;
  const isCancelled = !isFree && subscription?.cancelAtPeriodEnd === true;
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
