import { z } from "zod";

export const Banner = z
  .object({
    service: z.string(),
    version: z.string(),
    docs: z.string().describe("Path of the interactive documentation"),
  })
  .meta({ id: "Banner" });

export const Health = z
  .object({
    status: z.string().describe("ok, or degraded"),
    service: z.string(),
    version: z.string(),
    database: z.boolean().describe("Whether the database is reachable"),
    limits: z
      .literal("process")
      .optional()
      .describe("Only while the server that keeps the limits of all processes is away: each keeps its own"),
  })
  .meta({ id: "Health" });

export const Subscription = z
  .object({
    plan: z.enum(["Free", "Starter", "Pro", "Enterprise"]),
    billing_status: z.string().nullable(),
    credits_remaining: z.int(),
    credits_per_month: z.int(),
    credits_reset_at: z
      .string()
      .nullable()
      .describe("When the balance refills, ISO 8601; null while a due refill waits for a late payment"),
    current_period_end: z.string().nullable(),
    cancel_at_period_end: z.boolean().default(false),
    rate_limit_per_second: z.int(),
    max_api_keys: z.int(),
  })
  .meta({ id: "Subscription" });

export const ErrorEnvelope = z
  .object({
    errors: z.array(
      z
        .object({
          code: z.string().describe("Machine-readable code"),
          message: z.string(),
          field: z.string().nullable(),
          details: z.record(z.string(), z.unknown()).nullable(),
        })
        .meta({ id: "ErrorDetail" }),
    ),
    request_id: z.string().nullable(),
  })
  .meta({ id: "ErrorEnvelope" });

export const ValidationError = z
  .object({
    detail: z.array(
      z
        .object({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
          input: z.unknown().optional(),
          ctx: z.record(z.string(), z.unknown()).optional(),
        })
        .meta({ id: "ValidationFault" }),
    ),
  })
  .meta({ id: "ValidationError" });
