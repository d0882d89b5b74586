import { z } from "zod";
import { licenceSchema } from "../engines/catalogue-columns.ts";
import { DISABLED_CLASSES } from "../engines/disabled.ts";
import { CATEGORIES, CONFIDENCES, TARGET_KINDS, UNAVAILABLE_STATUSES } from "../engines/kind.ts";

export const Banner = z
  .object({
    service: z.string().describe("Name of the service"),
    version: z.string(),
    docs: z.string().describe("Path of the interactive documentation"),
  })
  .meta({ id: "Banner" });

export const Health = z
  .object({
    status: z.string().describe("ok, or degraded"),
    service: z.string().describe("Name of the service"),
    version: z.string(),
    database: z.boolean().describe("Whether the database is reachable"),
    limits: z
      .literal("process")
      .optional()
      .describe(
        "Only while the server that keeps the limits of all processes is unavailable: each process keeps its own limits",
      ),
  })
  .meta({ id: "Health" });

const EngineListed = z
  .object({
    key: z.string(),
    name: z.string(),
    kind: z.enum(["feed", "dnsbl", "allow"]).describe("How it is asked; allow: it clears what it names"),
    target: z.enum(TARGET_KINDS).describe("What it names"),
    family: z.string().describe("Independent source behind it; a family counts once in the score"),
    category: z.enum(CATEGORIES),
    confidence: z.enum(CONFIDENCES),
    aggregate: z.boolean().describe("Made from other lists: all such are one family"),
    half_life_days: z.number().nullable().describe("Of a dated hit's weight; null: it does not fade"),
    enabled: z.boolean(),
    disabled_class: z
      .enum(DISABLED_CLASSES)
      .nullable()
      .describe("Kind of the reason, where it is of a known kind"),
    disabled_reason: z.string().nullable().describe("Null while it is enabled"),
    licence: z
      .object(licenceSchema.shape)
      .nullable()
      .describe("Terms of the publisher; null of the operator's own"),
    homepage: z.string().nullable().describe("Null, as `entries` and `last_success`, of the operator's own"),
    entries: z.int().nullable().describe("Null of what is asked live"),
    last_success: z
      .string()
      .nullable()
      .describe("When its data was retrieved or it passed its self-test, ISO 8601"),
    state: z.enum(["ok", "never", "disabled", "gone", ...UNAVAILABLE_STATUSES]),
  })
  .meta({ id: "EngineListed" });
export type EngineListed = z.output<typeof EngineListed>;

export const EngineList = z
  .object({ total: z.int(), engines: z.array(EngineListed).describe("Sorted by key") })
  .meta({ id: "EngineList" });

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
