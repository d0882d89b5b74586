import { FREE_PLAN, type PlanName } from "../accounts/plans.ts";
import { Refusal } from "../base/failure.ts";
import type { EntitlementRules } from "./entitlement.ts";
import type { BillingOptions } from "./options.ts";

/** What of the configuration decides about subscriptions. */
export const rulesOf = ({ prices, trial_credits: trialCredits }: BillingOptions): EntitlementRules => ({
  prices,
  trialCredits,
});

/** Null: none, or an empty one, which verifies nothing. */
export const webhookSecretOf = ({ stripe_webhook_secret: secret }: BillingOptions): string | null =>
  secret === "" ? null : secret;

/** The id of a plan's price; null: it is not sold here. */
export const priceOf = (plan: PlanName, { prices }: BillingOptions): string | null =>
  plan === FREE_PLAN ? null : (prices[plan] ?? null);

/** The refusal of what cannot be bought or changed as things stand. */
export const conflict = (message: string): Refusal => new Refusal("CONFLICT", { message });

/** The Billing page, where the provider's pages lead back to. */
export const pageUrl = ({ baseUrl }: { readonly baseUrl: () => string }, query: string): string =>
  `${baseUrl().replace(/\/+$/, "")}/app/billing${query}`;
