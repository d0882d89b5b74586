import { hash } from "node:crypto";
import { unknownAccount } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import type { PlanName } from "../accounts/plans.ts";
import { HOUR_MS } from "../base/durations.ts";
import { type BegunCheckout, begunCheckouts, MAX_A_DAY, rememberCheckout } from "./begun-checkouts.ts";
import type { BillingDeps } from "./billing.ts";
import { type Customer, customerOf, writeCustomer } from "./customers.ts";
import { isLive, planOfPrices } from "./entitlement.ts";
import type { Provider, ProviderCheckout } from "./provider.ts";
import type { ProviderSubscription } from "./subscription.ts";
import { takeEvent } from "./take-event.ts";
import { conflict, pageUrl, priceOf, rulesOf, webhookSecretOf } from "./terms.ts";

/**
 * A second click, and one more in the same 23 hours by the clock, are the same checkout: once it is paid it sells nothing more,
 * also before an event tells of it. The provider ends a checkout, and forgets that it was asked for, after a day.
 */
const SAME_CHECKOUT_MS = 23 * HOUR_MS;

type SellingDeps = BillingDeps & { readonly provider: Provider };

/**
 * Where the buyer of a first paid plan pays. One checkout of an account is open at a time: another plan's ends when this one
 * begins, so that two cannot be paid. Throws CONFLICT when there is nothing to buy.
 */
export async function checkout(account: Account, plan: PlanName, deps: BillingDeps): Promise<string> {
  const { provider, options } = deps;
  const priceId = priceOf(plan, options);
  if (provider === null) throw conflict("Billing is off here: plans are set by the operator");
  if (priceId === null) throw conflict(`The plan ${plan} is not for sale here`);
  if (webhookSecretOf(options) === null) throw conflict(NO_WEBHOOK);
  if (isLive(account.billingStatus)) throw conflict(SUBSCRIBED);
  const selling = { ...deps, provider };
  const known = await customerOf(deps.db.kysely, account.id);
  await refuseSecond(known, selling);
  const begun = await begunCheckouts(account.id, deps);
  const seen = await askAboutAll(begun, provider);
  for (const one of seen) await refusePaid(one, known, selling);
  const isFull = begun.filter(({ isOfLastDay }) => isOfLastDay).length >= MAX_A_DAY;
  const sell = (customer: Customer) => sellOnce({ account, priceId, customer, seen, isFull }, selling);
  const made = (await sell(known)) ?? (await sell(await forgetCustomer(known, deps)));
  if (made === null) throw conflict("The payment provider takes no new customer now; try again later");
  await keepAlone(made.id, { accountId: account.id, begun, seen }, selling);
  return made.url;
}

const NO_WEBHOOK =
  "Nothing can be bought here: the service could not learn of the payment. The operator has to set billing.stripe_webhook_secret";

const SUBSCRIBED = "There is a subscription already: change it under Manage subscription";

const TOO_MANY = `${MAX_A_DAY} payments were begun for this account within a day: try again tomorrow`;

/** What was paid for, and no event has told of yet, is not sold again: it counts from now on. */
async function refuseSecond(customer: Customer, deps: SellingDeps): Promise<void> {
  const { customerId } = customer;
  if (customerId === null) return;
  const { prices } = deps.options;
  const isOurs = ({ items }: ProviderSubscription) =>
    planOfPrices(
      items.map(({ priceId }) => priceId),
      prices,
    ) !== null;
  const all = await deps.provider.subscriptionsOf(customerId);
  const running = all.find((one) => isLive(one.status) && isOurs(one));
  if (running !== undefined) await refuseRunning(running, customer, deps);
}

/** The same of a checkout: the first one, whose customer no event has named yet. */
async function refusePaid(
  { subscriptionId }: ProviderCheckout,
  customer: Customer,
  deps: SellingDeps,
): Promise<void> {
  const bought = subscriptionId === null ? null : await deps.provider.subscription(subscriptionId);
  if (bought !== null && isLive(bought.status)) await refuseRunning(bought, customer, deps);
}

async function refuseRunning(
  { id: subscriptionId, customerId }: ProviderSubscription,
  { accountId, version }: Customer,
  deps: SellingDeps,
): Promise<never> {
  const id = `checkout-${accountId}-${subscriptionId}-${version}`;
  const event = { id, type: "checkout.again", accountId, customerId, subscriptionId };
  await takeEvent(event, { ...deps, rules: rulesOf(deps.options) });
  throw conflict(SUBSCRIBED);
}

async function askAboutAll(
  begun: readonly BegunCheckout[],
  provider: Provider,
): Promise<readonly ProviderCheckout[]> {
  const all = await Promise.all(begun.map(({ id }) => provider.checkout(id)));
  return all.flatMap((one) => one ?? []);
}

type Sale = {
  readonly account: Account;
  readonly priceId: string;
  readonly customer: Customer;
  /** Those that were begun before, as they stand. */
  readonly seen: readonly ProviderCheckout[];
  /** Too many were begun for another one. */
  readonly isFull: boolean;
};

/** The open checkout of the same wish, else a new one. Null: the provider knows the customer no more. */
async function sellOnce({ account, priceId, customer, seen, isFull }: Sale, deps: SellingDeps) {
  const wish = {
    accountId: account.id,
    email: account.email,
    customerId: customer.customerId,
    priceId,
    successUrl: pageUrl(deps, "?checkout=done"),
    cancelUrl: pageUrl(deps, "?checkout=cancelled"),
  };
  // After every event that acted on the account the next checkout is another one, and so is a wish for anything else.
  const day = Math.floor(deps.clock.now().getTime() / SAME_CHECKOUT_MS);
  const name = hashOf([wish, customer.version, day]);
  const open = seen.find((one) => one.isOpen && one.wish === name);
  if (open?.url != null) return { id: open.id, url: open.url };
  if (isFull) throw conflict(TOO_MANY);
  // The provider would give one that has ended again.
  const ended = seen.filter(({ isOpen }) => !isOpen).map(({ id }) => id);
  const idempotencyKey = `repute-checkout-${hashOf([name, ended])}`;
  return deps.provider.createCheckout({ ...wish, wish: name, idempotencyKey });
}

const hashOf = (value: unknown): string => hash("sha256", JSON.stringify(value), "hex");

/** Of a customer that the provider has deleted. */
async function forgetCustomer(customer: Customer, { db, log }: BillingDeps): Promise<Customer> {
  log.warn(
    { account_id: customer.accountId },
    "The provider knows this account's customer no more; it makes a new one",
  );
  await writeCustomer(db.kysely, { ...customer, customerId: null });
  return customerOf(db.kysely, customer.accountId);
}

type Others = {
  readonly accountId: string;
  /** What was begun before this one. */
  readonly begun: readonly BegunCheckout[];
  readonly seen: readonly ProviderCheckout[];
};

/**
 * Leaves one checkout to be paid: of those that begin at the same moment at most one. Each looks for the others once it can be
 * seen itself, so that of any two the later one ends; what fails here ends it too.
 */
async function keepAlone(id: string, { accountId, begun, seen }: Others, deps: SellingDeps): Promise<void> {
  const { provider } = deps;
  const known = new Set([id, ...begun.map((one) => one.id)]);
  try {
    await rememberCheckout(id, accountId, deps);
    const now = await begunCheckouts(accountId, deps);
    // It is forgotten where the account is deleted meanwhile.
    if (!now.some((one) => one.id === id)) throw unknownAccount({ accountId });
    if (!now.every((one) => known.has(one.id))) throw conflict(SAME_MOMENT);
    for (const one of seen) if (one.isOpen && one.id !== id) await provider.endCheckout(one.id);
  } catch (error) {
    await provider.endCheckout(id);
    throw error;
  }
}

const SAME_MOMENT = "Another payment was begun for this account at the same moment: try again";
