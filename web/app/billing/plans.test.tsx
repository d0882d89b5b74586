import { expect, test } from "vitest";
import { wayTo } from "./plans.tsx";

const subscription = (plan: string) =>
  ({
    plan,
    billing_status: null,
    credits_remaining: 1,
    credits_per_month: 1,
    credits_reset_at: null,
    current_period_end: null,
    cancel_at_period_end: false,
    rate_limit_per_second: 2,
    max_api_keys: 2,
  }) as never;

test.each([
  // plan, sold here, the plan so far, pays already, billing, the way
  ["Pro", true, "Free", false, true, "checkout"],
  ["Pro", true, "Starter", true, true, "portal"],
  ["Pro", true, "Starter", false, true, "checkout"],
  ["Enterprise", false, "Free", false, true, null],
  ["Enterprise", false, "Starter", true, true, null],
  ["Starter", false, "Pro", true, true, null],
  ["Free", false, "Starter", true, true, "portal"],
  ["Free", false, "Starter", false, true, null],
  ["Starter", true, "Starter", true, true, null],
  ["Pro", true, "Starter", true, false, null],
] as const)("to %s, sold %s, from %s, paying %s, billing %s", (name, canBuy, plan, isPaying, isOn, way) => {
  const view = {
    is_on: isOn,
    has_subscription: isPaying,
    grace_ends_at: null,
    subscription: subscription(plan),
  };
  expect(wayTo({ name, can_buy: canBuy }, view)).toBe(way);
});
