import { z } from "zod";
import { nullable, type Wire } from "../wire.ts";

/** What an account may know about its plan. Source: interface 2.5. */
export const Subscription = z
  .object({
    plan: z.enum(["Free", "Starter", "Pro", "Enterprise"]),
    billing_status: nullable,
    credits_remaining: z.int(),
    credits_per_month: z.int(),
    credits_reset_at: nullable.describe(
      "When the balance refills, ISO 8601; null while a due refill waits for a late payment",
    ),
    current_period_end: nullable,
    cancel_at_period_end: z.boolean().default(false),
    rate_limit_per_second: z.int(),
    max_api_keys: z.int(),
  })
  .meta({ id: "Subscription" });
export type Subscription = Wire<typeof Subscription>;

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
