import { hash } from "node:crypto";
import { z } from "zod";
import type { StoreDeps } from "../accounts/account-rows.ts";
import type { Account } from "../accounts/accounts.ts";
import { FREE_PLAN, type PlanName } from "../accounts/plans.ts";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { InvalidJson, parseJson } from "../base/parse-json.ts";
import { type Customer, customerOf, writeCustomer } from "./customers.ts";
import { type EntitlementRules, isLive, planOfPrices } from "./entitlement.ts";
import { type BillingEvent, readEvent } from "./events.ts";
import { endGraces, forgetEvents } from "./grace.ts";
import { createMissedPeriods } from "./missed.ts";
import type { BillingOptions } from "./options.ts";
import type { Provider } from "./provider.ts";
import { isSigned } from "./signature.ts";
import type { ProviderSubscription } from "./subscription.ts";
import { takeEvent } from "./take-event.ts";

/** The payment provider, as far as accounts are concerned. Off without its key. */
export type Billing = {
  readonly isOn: boolean;
  /** Whether the plan has a price here, and its payment would count: without a webhook no event tells of one. */
  readonly canBuy: (plan: PlanName) => boolean;
  /** Changed in the portal; no second one is sold. */
  readonly hasSubscription: (account: Pick<Account, "billingStatus">) => boolean;
  /** Where the buyer of a first paid plan pays. Throws CONFLICT when there is nothing to buy. */
  readonly checkout: (account: Account, plan: PlanName) => Promise<string>;
  /** Where a plan is changed or cancelled. Throws CONFLICT when the provider knows nothing of the account. */
  readonly portal: (account: Account) => Promise<string>;
  /** Null: without a secret nothing can be verified, and the path does not exist. Throws SIGNATURE_INVALID. */
  readonly takeCall: ((call: { readonly body: Buffer; readonly signature: string }) => Promise<void>) | null;
  /** Ends paid plans whose payment is late for longer than the grace, asks about periods that no event followed, forgets old events. */
  readonly tidy: () => Promise<void>;
};

export type BillingDeps = StoreDeps & {
  readonly options: BillingOptions;
  /** Null: there is no key. */
  readonly provider: Provider | null;
  /** Where people reach the pages; links are made from it. */
  readonly baseUrl: () => string;
  readonly log: Pick<Log, "info" | "warn" | "error">;
};

/**
 * A second click, and one more in the same 23 hours by the clock, are the same checkout: once it is paid it sells nothing more,
 * also before an event tells of it. The provider ends a checkout, and forgets that it was asked for, after a day.
 */
const SAME_CHECKOUT_MS = 23 * 3_600_000;

/** Billing over an open database; several processes may have it on one. */
export function createBilling(deps: BillingDeps): Billing {
  const { options, provider } = deps;
  const secret = webhookSecretOf(options);
  const canBuy = (plan: PlanName) => provider !== null && secret !== null && priceOf(plan, options) !== null;
  const askAboutMissed = createMissedPeriods({ ...deps, rules: rulesOf(options) });
  return {
    isOn: provider !== null,
    canBuy,
    hasSubscription: ({ billingStatus }) => isLive(billingStatus),
    checkout: (account, plan) => checkout(account, plan, deps),
    portal: (account) => portal(account, deps),
    takeCall: secret === null ? null : (call) => takeCall({ ...call, secret }, deps),
    tidy: async () => {
      await endGraces({ ...deps, rules: rulesOf(options) });
      await askAboutMissed();
      await forgetEvents(deps);
    },
  };
}

const rulesOf = ({ prices, trial_credits: trialCredits }: BillingOptions): EntitlementRules => ({
  prices,
  trialCredits,
});

/** An empty one verifies nothing. */
const webhookSecretOf = ({ stripe_webhook_secret: secret }: BillingOptions): string | null =>
  secret === "" ? null : secret;

const priceOf = (plan: PlanName, { prices }: BillingOptions): string | null =>
  plan === FREE_PLAN ? null : (prices[plan] ?? null);

const conflict = (message: string): Refusal => new Refusal("CONFLICT", { message });

async function checkout(account: Account, plan: PlanName, deps: BillingDeps): Promise<string> {
  const { provider, options } = deps;
  const priceId = priceOf(plan, options);
  if (provider === null) throw conflict("Billing is off here: plans are set by the operator");
  if (priceId === null) throw conflict(`The plan ${plan} is not for sale here`);
  if (webhookSecretOf(options) === null) throw conflict(NO_WEBHOOK);
  if (isLive(account.billingStatus)) throw conflict(SUBSCRIBED);
  const known = await customerOf(deps.db.kysely, account.id);
  await refuseSecond(known, { ...deps, provider });
  const begin = (customer: Customer) => {
    const wish = {
      accountId: account.id,
      email: account.email,
      customerId: customer.customerId,
      priceId,
      successUrl: pageUrl(deps, "?checkout=done"),
      cancelUrl: pageUrl(deps, "?checkout=cancelled"),
    };
    return provider.createCheckout({ ...wish, idempotencyKey: idempotencyKey(wish, customer, deps) });
  };
  const url = (await begin(known)) ?? (await begin(await forgetCustomer(known, deps)));
  if (url === null) throw conflict("The payment provider takes no new customer now; try again later");
  return url;
}

/** What was paid for, and no event has told of yet, is not sold again: it counts from now on. */
async function refuseSecond(
  { accountId, customerId, version }: Customer,
  deps: BillingDeps & { readonly provider: Provider },
): Promise<void> {
  if (customerId === null) return;
  const rules = rulesOf(deps.options);
  const isOurs = ({ items }: ProviderSubscription) =>
    planOfPrices(
      items.map(({ priceId }) => priceId),
      rules.prices,
    ) !== null;
  const all = await deps.provider.subscriptionsOf(customerId);
  const running = all.find((one) => isLive(one.status) && isOurs(one));
  if (running === undefined) return;
  const id = `checkout-${accountId}-${running.id}-${version}`;
  const event = { id, type: "checkout.again", accountId, customerId, subscriptionId: running.id };
  await takeEvent(event, { ...deps, rules });
  throw conflict(SUBSCRIBED);
}

const NO_WEBHOOK =
  "Nothing can be bought here: the service could not learn of the payment. The operator has to set billing.stripe_webhook_secret";

const SUBSCRIBED = "There is a subscription already: change it in the portal";

const pageUrl = ({ baseUrl }: BillingDeps, query: string): string =>
  `${baseUrl().replace(/\/+$/, "")}/app/billing${query}`;

// After every event that acted on the account the next checkout is another one, and so is a wish for anything else.
function idempotencyKey(wish: object, { version }: Customer, { clock }: BillingDeps): string {
  const day = Math.floor(clock.now().getTime() / SAME_CHECKOUT_MS);
  return `repute-checkout-${hash("sha256", JSON.stringify([wish, version, day]), "hex")}`;
}

/** Of a customer that the provider has deleted. */
async function forgetCustomer(customer: Customer, { db, log }: BillingDeps): Promise<Customer> {
  log.warn(
    { account_id: customer.accountId },
    "The provider knows this account's customer no more; it makes a new one",
  );
  await writeCustomer(db.kysely, { ...customer, customerId: null });
  return customerOf(db.kysely, customer.accountId);
}

async function portal(account: Account, deps: BillingDeps): Promise<string> {
  const { provider, db } = deps;
  if (provider === null) throw conflict("Billing is off here: plans are set by the operator");
  const { customerId } = await customerOf(db.kysely, account.id);
  if (customerId === null)
    throw conflict("This account has never bought anything: there is nothing to change");
  const url = await provider.createPortal({ customerId, returnUrl: pageUrl(deps, "") });
  if (url === null) throw conflict("The payment provider knows this customer no more: ask the operator");
  return url;
}

async function takeCall(
  { body, signature, secret }: { readonly body: Buffer; readonly signature: string; readonly secret: string },
  deps: BillingDeps,
): Promise<void> {
  const { provider, clock } = deps;
  if (!isSigned({ body, header: signature }, { secret, now: clock.now() })) {
    throw new Refusal("SIGNATURE_INVALID");
  }
  const event = readBody(body, deps);
  if (event === null) return;
  if (provider === null) {
    throw new Refusal("SERVICE_UNAVAILABLE", {
      message: "The event cannot be acted on: there is no billing.stripe_secret_key",
      retryAfterS: 3600,
    });
  }
  await takeEvent(event, { ...deps, provider, rules: rulesOf(deps.options) });
}

/** Signed, and still perhaps no event that we can read: that is told, and logged, for it would be lost. */
function readBody(body: Buffer, { log }: BillingDeps): BillingEvent | null {
  try {
    return readEvent(parseJson(body.toString("utf8")));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof InvalidJson)) throw error;
    log.error({ err: error }, "A signed billing event cannot be read");
    const fault = {
      loc: ["body"],
      type: "value_error",
      msg: "This is no event",
      ctx: { reason: "no_event" },
    };
    throw new Refusal("VALIDATION", { faults: [fault], cause: error });
  }
}
