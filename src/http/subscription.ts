import type { z } from "zod";
import type { Subscription } from "../accounts/account-store.ts";
import { isoSecondsOrNull } from "../clock.ts";
import type { Subscription as Shape } from "./shapes.ts";

/** Interface 2.5, member by member. */
export const viewSubscription = (subscription: Subscription): z.output<typeof Shape> => ({
  plan: subscription.plan,
  billing_status: subscription.billingStatus,
  credits_remaining: subscription.creditsRemaining,
  credits_per_month: subscription.creditsPerMonth,
  credits_reset_at: isoSecondsOrNull(subscription.creditsResetAt),
  current_period_end: isoSecondsOrNull(subscription.currentPeriodEnd),
  cancel_at_period_end: subscription.cancelAtPeriodEnd,
  rate_limit_per_second: subscription.rateLimitPerSecond,
  max_api_keys: subscription.maxApiKeys,
});
