import { PLANS } from "../../accounts/plans.ts";
import { planTerms } from "../../accounts/shapes.ts";
import { isoSecondsOrNull } from "../../base/clock.ts";
import { Refusal } from "../../base/failure.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { type DashboardCall, gives, signedIn, takes } from "./route.ts";

/** Plans, and the way to the payment provider's own pages. */
export const BILLING_ROUTES = {
  billing: gives(ENDPOINTS.billing, async (call) => {
    const { account } = signedIn(call);
    const { billing } = call.dashboard;
    const subscription = await call.parts.subscriptionOf(account.id);
    if (subscription === null) throw new Refusal("NOT_SIGNED_IN");
    return {
      is_on: billing.isOn,
      subscription,
      has_subscription: billing.isOn && billing.hasSubscription(account),
      grace_ends_at: isoSecondsOrNull(account.graceEndsAt),
      plans: PLANS.map((plan) => ({
        ...planTerms(plan),
        price_usd_per_month: plan.priceUsdPerMonth,
        can_buy: billing.canBuy(plan.name),
      })),
    };
  }),
  checkout: takes(ENDPOINTS.checkout, async (call, { plan }) => {
    const { account } = signedIn(call);
    if (account.emailProvedAt === null) throw new Refusal("ADDRESS_NOT_PROVED");
    return handOver(call, await call.dashboard.billing.checkout(account, plan));
  }),
  portal: gives(ENDPOINTS.portal, async (call) =>
    handOver(call, await call.dashboard.billing.portal(signedIn(call).account)),
  ),
};

/** Where the provider lets who comes pay and cancel: not told to a session that ended while the provider was asked. */
async function handOver(call: DashboardCall, url: string) {
  await call.stillSignedIn();
  return { url };
}
