import { z } from "zod";
import { licenceSchema } from "../engines/catalogue-columns.ts";
import { DISABLED_CLASSES } from "../engines/disabled.ts";
import { CATEGORIES, CONFIDENCES, UNAVAILABLE_STATUSES } from "../engines/kind.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";

export const Banner = z
  .object({
    service: z.string().describe("Name of the service"),
    version: z.string().describe("Version of the program"),
    docs: z.string().describe("Path of the interactive documentation"),
  })
  .meta({ id: "Banner", description: "What this service is" });

export const Health = z
  .object({
    status: z.string().describe("ok, or degraded"),
    service: z.string().describe("Name of the service"),
    version: z.string().describe("Version of the program"),
    database: z.boolean().describe("Whether the database is reachable"),
    limits: z
      .literal("process")
      .optional()
      .describe(
        "Only while the server that keeps the limits of all processes is unavailable: each process keeps its own limits",
      ),
  })
  .meta({ id: "Health", description: "How the service is" });

const EngineListed = z
  .object({
    key: z.string().describe("Its name in the configuration and in answers"),
    name: z.string().describe("Name for people"),
    kind: z.enum(["feed", "dnsbl", "allow"]).describe("How it is asked; allow: it clears what it names"),
    target: z.enum(LISTED_KINDS).describe("What it names"),
    family: z.string().describe("Independent source behind it; a family counts once in the score"),
    category: z.enum(CATEGORIES).describe("What a hit says of the target"),
    confidence: z.enum(CONFIDENCES).describe("How much one hit says"),
    aggregate: z.boolean().describe("Made from other lists: all such are one family"),
    half_life_days: z.number().nullable().describe("Of a dated hit's weight; null: it does not fade"),
    enabled: z.boolean().describe("Whether it is asked"),
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
    state: z
      .enum(["ok", "never", "disabled", "gone", ...UNAVAILABLE_STATUSES])
      .describe("How it stands now; gone: its publisher has removed it"),
  })
  .meta({ id: "EngineListed" });
export type EngineListed = z.output<typeof EngineListed>;

export const EngineList = z
  .object({
    total: z.int().describe("How many there are"),
    engines: z.array(EngineListed).describe("Sorted by key"),
  })
  .meta({ id: "EngineList", description: "Every engine of this installation" });

export const ErrorEnvelope = z
  .object({
    errors: z
      .array(
        z
          .object({
            code: z.string().describe("Machine-readable code"),
            message: z.string().describe("A sentence for people; it may change"),
            field: z.string().nullable().describe("Member of the request that it is about"),
            details: z.record(z.string(), z.unknown()).nullable().describe("Facts that go with the code"),
          })
          .meta({ id: "ErrorDetail" }),
      )
      .describe("One error"),
    request_id: z.string().nullable().describe("Names this call, as the header X-Request-Id does"),
  })
  .meta({ id: "ErrorEnvelope" });

export const ValidationError = z
  .object({
    detail: z
      .array(
        z
          .object({
            loc: z
              .array(z.union([z.string(), z.int()]))
              .describe("Path of what is wrong: body or query, then members"),
            msg: z.string().describe("What is wrong with it; the sentence may change"),
            type: z.string().describe("Kind of the fault"),
            input: z.unknown().optional().describe("What was sent there"),
            ctx: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("Reason as one word, and what was expected"),
          })
          .meta({ id: "ValidationFault" }),
      )
      .describe("Every fault of the request"),
  })
  .meta({ id: "ValidationError" });
