import { createAccounts } from "../src/accounts/account-store.ts";
import type { Account } from "../src/accounts/accounts.ts";
import { createLedger } from "../src/accounts/ledger/ledger.ts";
import { systemRandom } from "../src/base/clock.ts";
import { type Billing, createBilling } from "../src/billing/billing.ts";
import { billingOptionsSchema } from "../src/billing/options.ts";
import { createProvider } from "../src/billing/provider.ts";
import type { Database } from "../src/db/database.ts";
import type { MovableClock } from "./movable-clock.ts";
import type { SubscriptionParts, TestEvent } from "./servers/stripe-objects.ts";
import { startStripeServer, type TestStripe } from "./servers/stripe-server.ts";

const PRICES = { Starter: "price_starter", Pro: "price_pro", Enterprise: "price_enterprise" };

export type BillingSettingOptions = {
  readonly db: Database;
  readonly clock: MovableClock;
  readonly trialCredits?: number;
  /** What the configuration of this process says. Default: of each plan one. */
  readonly prices?: Readonly<Record<string, string>>;
  /** The provider of another process. Default: one of its own. */
  readonly stripe?: TestStripe;
};

/**
 * Billing, accounts and ledger on one database and one clock that is moved, beside a loopback server that speaks the
 * provider's protocol. Events come signed, as they come from the webhook.
 */
export async function startBilling({
  db,
  clock,
  trialCredits,
  prices = PRICES,
  ...at
}: BillingSettingOptions) {
  const stripe = at.stripe ?? (await startStripeServer());
  const deps = { db, clock, random: systemRandom };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const billing = createBilling({
    ...deps,
    options: billingOptionsSchema.parse({
      stripe_webhook_secret: stripe.webhookSecret,
      prices,
      ...(trialCredits === undefined ? {} : { trial_credits: trialCredits }),
    }),
    provider: createProvider({ secretKey: "sk_test", apiBase: stripe.url }, log),
    baseUrl: () => "http://localhost",
    log,
  });
  const accounts = createAccounts(deps);
  const ledger = createLedger({ ...deps, log, usage: { store_targets: false, keep_days: 90 } });
  return { stripe, billing, accounts, ledger, clock, db, take: takeSigned(stripe, billing, clock) };
}

export type BillingSetting = Awaited<ReturnType<typeof startBilling>>;

function takeSigned(
  { sign }: Pick<Awaited<ReturnType<typeof startStripeServer>>, "sign">,
  { takeCall }: Billing,
  clock: MovableClock,
) {
  return async (event: TestEvent): Promise<void> => {
    if (takeCall === null) throw new Error("There is no webhook");
    const body = JSON.stringify(event);
    const atS = Math.floor(clock.now().getTime() / 1000);
    await takeCall({ body: Buffer.from(body), signature: sign(body, { atS }) });
  };
}

let customers = 0;

/** An account and the one subscription that it has at the provider. */
export async function openCustomer(
  { accounts, stripe, take }: Pick<BillingSetting, "accounts" | "stripe" | "take">,
  plan = "Free",
) {
  customers += 1;
  const number = customers;
  const email = `customer${number}@example.com`;
  const { id } = await accounts.createAccount({ email, plan });
  const subscription = `sub_${number}`;
  const customer = `cus_${number}`;
  const about = (type: string, name: string) =>
    /^(invoice|checkout)\./.test(type)
      ? { customer, subscription: name, client_reference_id: id }
      : { id: name, customer };
  return {
    id,
    email,
    subscription,
    /** The subscription's new state; no event is sent. */
    put: (parts: SubscriptionParts, name = subscription) =>
      stripe.put(name, { customer, accountId: id, ...parts }),
    event: (type = "customer.subscription.updated", name = subscription) =>
      stripe.event(type, about(type, name)),
    tell: (type = "customer.subscription.updated", name = subscription) =>
      take(stripe.event(type, about(type, name))),
    now: async (): Promise<Account> => {
      const account = await accounts.findAccount(email);
      if (account === null) throw new Error("The account is gone");
      return account;
    },
  };
}
