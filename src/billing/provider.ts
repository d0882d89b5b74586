import type { Stripe } from "stripe";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { BillingOptions } from "./options.ts";
import { type ProviderSubscription, readSubscription } from "./subscription.ts";

/** What is asked of the payment provider. Everything throws SERVICE_UNAVAILABLE without an answer that can be read. */
export type Provider = {
  /** Where the buyer pays. Null: it knows no such customer any more. */
  readonly createCheckout: (
    wish: CheckoutWish,
  ) => Promise<{ readonly id: string; readonly url: string } | null>;
  /** As it is now; null when nothing can be said of it. */
  readonly checkout: (id: string) => Promise<ProviderCheckout | null>;
  /** It can be paid no more; one that has ended is no fault. Throws for one that was paid meanwhile. */
  readonly endCheckout: (id: string) => Promise<void>;
  /** Where a plan is changed or cancelled. Null: it knows no such customer any more. */
  readonly createPortal: (wish: {
    readonly customerId: string;
    readonly returnUrl: string;
  }) => Promise<string | null>;
  /** As it is now; null when it is gone. */
  readonly subscription: (id: string) => Promise<ProviderSubscription | null>;
  /** Ends it at once, with whatever it would still collect; one that is gone is no fault. */
  readonly cancel: (id: string) => Promise<void>;
  /** Those of a customer that have not ended, the latest twenty. */
  readonly subscriptionsOf: (customerId: string) => Promise<readonly ProviderSubscription[]>;
};

/** A page to pay at. */
export type ProviderCheckout = {
  readonly id: string;
  /** It can still be paid. */
  readonly isOpen: boolean;
  /** Null once it has ended. */
  readonly url: string | null;
  /** What was bought by it; null: nothing so far. */
  readonly subscriptionId: string | null;
  /** The `wish` that it was made with. */
  readonly wish: string | null;
};

type CheckoutWish = {
  readonly accountId: string;
  readonly email: string;
  /** Null: the provider makes one. */
  readonly customerId: string | null;
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** A name for all of it, which the checkout keeps. */
  readonly wish: string;
  /** The same wish twice is one checkout. */
  readonly idempotencyKey: string;
};

const TIMEOUT_MS = 20_000;
const RETRY_S = 30;
const MAX_LISTED = 20;

/** Stripe, by its own library, which is loaded with the first question: it takes 25 MB and 0.2 s. */
export function createProvider(
  { secretKey, apiBase }: { readonly secretKey: string; readonly apiBase: BillingOptions["stripe_api_base"] },
  log: Pick<Log, "error">,
): Provider {
  let client: Promise<Stripe> | null = null;
  const ask = async <T>(question: (stripe: Stripe) => Promise<T>): Promise<T | null> => {
    client ??= openClient(secretKey, apiBase);
    try {
      return await question(await client);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (missingPart(error) !== null) return null;
      log.error({ err: error }, "The payment provider did not do what was asked");
      throw new Refusal("SERVICE_UNAVAILABLE", {
        message: "The payment provider does not answer as it should; try again later",
        retryAfterS: RETRY_S,
        cause: error,
      });
    }
  };
  return {
    createCheckout: (wish) => ask((stripe) => createCheckout(stripe, wish)),
    checkout: (id) => ask((stripe) => readCheckout(stripe, id)),
    endCheckout: async (id) => {
      await ask((stripe) => endCheckout(stripe, id));
    },
    createPortal: ({ customerId, returnUrl }) =>
      ask(async (stripe) => {
        const session = await stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
        });
        return session.url;
      }),
    subscription: (id) =>
      ask(async (stripe) =>
        readSubscription(await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] })),
      ),
    cancel: async (id) => {
      await ask((stripe) => stripe.subscriptions.cancel(id));
    },
    subscriptionsOf: async (customer) => {
      const wish = { customer, limit: MAX_LISTED, expand: ["data.latest_invoice"] };
      const listed = await ask(async (stripe) =>
        (await stripe.subscriptions.list(wish)).data.map(readSubscription),
      );
      return listed ?? [];
    },
  };
}

async function openClient(secretKey: string, apiBase: string): Promise<Stripe> {
  const { default: StripeClient } = await import("stripe");
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === "http:";
  return new StripeClient(secretKey, {
    host: hostname,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? "http" : "https",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

async function createCheckout(stripe: Stripe, wish: CheckoutWish) {
  const { idempotencyKey } = wish;
  try {
    const session = await stripe.checkout.sessions.create(checkoutOf(wish), { idempotencyKey });
    if (session.url == null) throw new Error("The checkout has no address");
    return { id: session.id, url: session.url };
  } catch (error) {
    if ((missingPart(error) ?? "customer") === "customer") throw error;
    const message = "This plan cannot be bought now: the payment provider does not know its price";
    throw new Refusal("CONFLICT", { message, cause: error });
  }
}

async function readCheckout(stripe: Stripe, id: string): Promise<ProviderCheckout | null> {
  try {
    const { status, url, subscription, metadata } = await stripe.checkout.sessions.retrieve(id);
    const subscriptionId = typeof subscription === "string" ? subscription : (subscription?.id ?? null);
    return { id, isOpen: status === "open", url, subscriptionId, wish: metadata?.["wish"] ?? null };
  } catch (error) {
    // The key may not read checkouts: the same wish is still one checkout.
    if (isRefused(error)) return null;
    throw error;
  }
}

async function endCheckout(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    // Another call may have ended it a moment ago.
    const now = await readCheckout(stripe, id);
    if (now === null || now.isOpen || now.subscriptionId !== null) throw error;
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && "statusCode" in error && (error.statusCode === 403 || error.statusCode === 404);

const checkoutOf = ({ accountId, customerId, email, ...wish }: CheckoutWish) => ({
  mode: "subscription" as const,
  client_reference_id: accountId,
  line_items: [{ price: wish.priceId, quantity: 1 }],
  success_url: wish.successUrl,
  cancel_url: wish.cancelUrl,
  // Whichever event comes first finds the account.
  metadata: { account_id: accountId, wish: wish.wish },
  subscription_data: { metadata: { account_id: accountId } },
  ...(customerId === null ? emailOf(email) : { customer: customerId }),
});

// `owner@localhost` names an account and is no address that the provider would take.
const emailOf = (email: string): { customer_email?: string } =>
  /@[^@]+\.[^@.]+$/.test(email) ? { customer_email: email } : {};

/**
 * What is there, and not for a key of the test mode, is not gone: a wrong key must cost no plan. What was bought in
 * the test mode is gone for a key of the live one.
 */
const IS_THERE = "a similar object exists in live mode";

/** What the provider does not know, by the parameter's name; null when it failed for another reason. */
function missingPart(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "resource_missing") return null;
  if (error.message.includes(IS_THERE)) return null;
  return "param" in error && typeof error.param === "string" ? error.param : "id";
}
