import { z } from "zod";
import { DISABLED_CLASSES } from "../engines/disabled.ts";
import { CATEGORIES, CONFIDENCES, UNAVAILABLE_STATUSES } from "../engines/kind.ts";
import { InvalidValue } from "../failure.ts";

/** Shapes that several products' answers share. Shape only: what they mean stands in the descriptions. */

/** How closely an entry matches (design 3.3). */
export const MatchLevelShape = z.enum([
  "ip",
  "network",
  "embedded_ipv4",
  "domain",
  "registered_domain",
  "url",
  "url_host",
  "email",
]);

export const EngineResult = z
  .object({
    name: z.string().describe("Name of the list"),
    detected: z.boolean().describe("Whether the list names the target"),
    reference: z.string().describe("Page about the entry or the list; empty when none is known"),
    elapsed_ms: z.int().default(0).describe("Time the engine took, milliseconds; 0 for compiled lists"),
    kind: z.enum(["feed", "dnsbl", "allow"]).describe("How it is asked"),
    category: z.enum(CATEGORIES).describe("Of the hit; of the list when nothing was hit"),
    confidence: z.enum(CONFIDENCES).describe("How much one hit says"),
    family: z.string().describe("Independent source behind it; a family counts once in the score"),
    matched: z
      .object({
        value: z.string().describe("The list's own entry"),
        level: MatchLevelShape,
        hop: z
          .int()
          .optional()
          .describe(
            "Only of a URL's redirects: index in `redirection.hops` of the hop whose `location` is listed, the number of " +
              "hops for the redirect that was one too many. Absent: the target itself is listed",
          ),
      })
      .nullable()
      .describe("What matched, and how closely; null when not detected"),
    codes: z.array(z.string()).describe("DNS answers in order, or tags of the feed"),
    reason: z.string().nullable().describe("The list's own words, at most 300 characters"),
    first_seen: z.string().nullable().describe("As the publisher dates the entry, ISO 8601"),
    last_seen: z.string().nullable().describe("As the publisher dates the entry, ISO 8601"),
    data_age_s: z.int().describe("Seconds since the data was retrieved, or since the publisher's own date"),
    stale: z.boolean().describe("Older than three times its refresh interval"),
    seed: z.boolean().describe("Answered from the snapshot shipped with the product"),
  })
  .meta({ id: "EngineResult" });

/** A list that names something, and how closely. */
export const ListingShape = z.object({ key: z.string(), level: MatchLevelShape }).meta({ id: "Listing" });

export const EngineUnavailable = z
  .object({
    key: z.string(),
    name: z.string(),
    status: z.enum(UNAVAILABLE_STATUSES),
    since: z.string().describe("When this state began"),
    detail: z.string(),
  })
  .meta({ id: "EngineUnavailable" });

const EngineClear = z
  .object({
    name: EngineResult.shape.name,
    detected: z.literal(false).describe("The list does not name the target"),
    reference: z.string().describe("The engine's own page; empty when none is known"),
    elapsed_ms: EngineResult.shape.elapsed_ms,
    data_age_s: EngineResult.shape.data_age_s,
    stale: EngineResult.shape.stale,
  })
  .meta({ id: "EngineClear" });

const EnginesDisabled = z
  .object({
    count: z.int().describe("Engines that apply to the target and are off: they were not asked"),
    see: z.string().describe("Where each is described"),
  })
  .meta({ id: "EnginesDisabled" });

export const Blacklists = z
  .object({
    engines: z
      .record(z.string(), z.union([EngineResult, EngineClear]))
      .describe(
        "Engines that answered, by key: those that name the target with all members, the others in short",
      ),
    detections: z.int().describe("How many of them name the target"),
    engines_count: z.int().describe("How many answered"),
    detection_rate: z.string().describe('Share of detections, e.g. "12%"'),
    scan_time_ms: z.int(),
    engines_unavailable: z
      .array(EngineUnavailable)
      .describe("Engines that are enabled, apply and gave no answer, and why"),
    engines_disabled: EnginesDisabled,
    engines_total: z.int().describe("Engines that apply and are enabled"),
    coverage: z.number().describe("Share of engines_total that answered with data that is not stale"),
    allowlists: z.record(z.string(), EngineResult).describe("Allowlists that name the target"),
  })
  .meta({ id: "Blacklists" });

export const BlacklistsFull = Blacklists.extend({
  engines: z.record(z.string(), EngineResult).describe("Engines that answered, by key"),
  engines_disabled: EnginesDisabled.extend({
    engines: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        class: z
          .enum(DISABLED_CLASSES)
          .nullable()
          .describe("Kind of the reason, where it is of a known kind"),
        reason: z.string(),
      }),
    ),
  }).meta({ id: "EnginesDisabledFull" }),
}).meta({ id: "BlacklistsFull" });

const EngineCompact = EngineResult.partial()
  .required({ name: true, detected: true, reference: true, elapsed_ms: true, data_age_s: true })
  .meta({
    id: "EngineResultCompact",
    description:
      "A member that is absent is null, [] or false; a `family` that is absent is the engine's key",
  });

export const BlacklistsCompact = Blacklists.omit({ engines_unavailable: true })
  .extend({
    engines: z.record(z.string(), EngineCompact).describe("Only those that name the target"),
    clear: z
      .object({
        count: z.int(),
        keys: z.array(z.string()),
        stale: z.array(z.string()).describe("Those of `keys` whose data is stale"),
      })
      .describe("Engines that answered and do not name the target"),
    unanswered: z
      .partialRecord(z.enum(UNAVAILABLE_STATUSES), z.array(z.string()))
      .describe("Keys of the engines that are enabled, apply and gave no answer, by status"),
    unanswered_since: z
      .partialRecord(z.enum(UNAVAILABLE_STATUSES), z.string())
      .describe("By status: when the first of them came into it"),
    allowlists: z.record(z.string(), EngineCompact).describe("Allowlists that name the target"),
  })
  .meta({ id: "BlacklistsCompact" });

export const RiskScoreShape = z
  .object({
    result: z.int().describe("0 to 100"),
    band: z.enum(["clean", "low", "suspicious", "elevated", "high", "critical"]),
    verdict: z
      .enum(["clean", "low", "suspicious", "elevated", "high", "critical", "unknown", "not_applicable"])
      .describe("The band, or unknown when too few engines answered with fresh data to say clean"),
    coverage: z.number(),
    factors: z.array(
      z.object({
        key: z.string().describe("Family or signal"),
        points: z.int(),
        reason: z.string(),
        strength: z.number(),
        engines: z.array(z.string()),
      }),
    ),
    adjustments: z.array(z.object({ key: z.string(), points: z.int(), reason: z.string() })),
    base: z.int().describe("Before adjustments"),
    formula: z.literal("noisy-or-1"),
  })
  .meta({ id: "RiskScore" });

/** The view `verdict` of a product whose target stands in the member `field`. */
export const verdictShape = (id: string, field: string) => {
  const part = z.object({ key: z.string().describe("Family, signal or cap"), points: z.int() });
  const { result, band, verdict, coverage } = RiskScoreShape.shape;
  return z
    .object({
      [field]: z.string(),
      risk_score: z
        .object({ result, band, verdict, coverage, factors: z.array(part), adjustments: z.array(part) })
        .meta({ id: "RiskScoreVerdict" }),
      unanswered_count: z.int().describe("Engines that are enabled, apply and gave no answer"),
      freshness: Freshness,
    })
    .meta({ id });
};

export const Freshness = z
  .object({
    data_age_s: z.int().nullable().describe("Greatest age among everything that answered, seconds"),
    stale: z.boolean(),
    cached: z.boolean().describe("Whether any live part came from a cache"),
    computed_at: z.string().describe("ISO 8601"),
    bundled_data: z
      .string()
      .optional()
      .describe(
        "Only where the score rests on lists shipped with the product alone: their month, e.g. 2026-08. It may rise when lists load",
      ),
  })
  .meta({ id: "Freshness" });

/** What an optional upstream says of the target: interface 2.6. */
export const EnrichmentShape = z
  .object({
    listed: z.boolean(),
    dataset: z.string().nullable(),
    botname: z.string().nullable(),
    detection: z.string().nullable(),
    heuristic: z.string().nullable(),
    rule: z.string().nullable(),
    listed_at: z.string().nullable(),
    valid_until: z.string().nullable(),
    seen_count: z.int().nullable(),
    country_code: z.string().nullable(),
    asn: z.int().nullable(),
  })
  .meta({ id: "VendorEnrichment" });

/** A text field whose default, as the interface has it, is the empty text. */
export const text = (description: string) => z.string().default("").describe(description);

/** A flag whose default, as the interface has it, is false. */
export const flag = (description: string) => z.boolean().default(false).describe(description);

/** A text of the kind that `parse` reads: what it refuses is a fault of this member. */
export const textOfKind = (parse: (text: string) => unknown) =>
  z.string().superRefine((value, context) => addRefusal(context, () => parse(value)));

/** Runs `parse`; an InvalidValue becomes a fault at `path`, with its reason. */
export function addRefusal(
  context: z.core.$RefinementCtx,
  parse: () => unknown,
  path: readonly string[] = [],
): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    const { message, reason } = error;
    // What joins several members is judged only when each of them is sound.
    context.addIssue({ code: "custom", message, path: [...path], params: { reason }, continue: false });
  }
}
