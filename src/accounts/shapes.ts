import { z } from "zod";
import { nullable, type Wire } from "../base/wire.ts";
import { PLAN_NAMES, type Plan } from "./plans.ts";

/** What an account may know about its plan. Source: interface 2.5. */
export const Subscription = z
  .object({
    plan: z.enum(PLAN_NAMES).describe("Name of the plan"),
    billing_status: nullable.describe(
      "How the subscription stands, in the words of the payment provider; null without one",
    ),
    credits_remaining: z.int().describe("Credits that are left"),
    credits_per_month: z.int().describe("Credits of the plan in a cycle of 30 days"),
    credits_reset_at: nullable.describe(
      "When the balance refills, ISO 8601; null while a due refill waits for a late payment",
    ),
    current_period_end: nullable.describe("When the paid period ends, ISO 8601; null without a subscription"),
    cancel_at_period_end: z
      .boolean()
      .default(false)
      .describe("Whether the subscription ends with the paid period"),
    rate_limit_per_second: z.int().describe("Calls a second, and at once, on each endpoint"),
    max_api_keys: z.int().describe("API keys that may work at the same time"),
  })
  .meta({ id: "Subscription", description: "Plan and balance of the account" });
export type Subscription = Wire<typeof Subscription>;

/** What a plan comes with. */
export const PlanTerms = z.object({
  name: z.enum(PLAN_NAMES),
  credits_per_month: z.int(),
  requests_per_second: z.int(),
  max_api_keys: z.int(),
});

export const planTerms = (plan: Plan): z.output<typeof PlanTerms> => ({
  name: plan.name,
  credits_per_month: plan.creditsPerMonth,
  requests_per_second: plan.requestsPerSecond,
  max_api_keys: plan.maxApiKeys,
});

/** Calls of some days, by how they ended. */
export const DayTotals = z.object({
  calls: z.int(),
  credits: z.int(),
  refused: z.int().describe("Answered with 4xx"),
  failed: z.int().describe("Answered with 5xx"),
});
export type DayTotals = Wire<typeof DayTotals>;

/** Calls of one day, endpoint, key and status. */
export const UsageRow = z.object({
  day: z.string(),
  endpoint: z.string(),
  key_id: z.string(),
  key_prefix: z.string(),
  key_name: z.string(),
  status: z.int(),
  calls: z.int(),
  items: z.int(),
  credits: z.int(),
});
export type UsageRow = Wire<typeof UsageRow>;
