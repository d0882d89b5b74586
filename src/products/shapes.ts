import { z } from "zod";
import { CATEGORIES, CONFIDENCES } from "../engines/kind.ts";
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
    status: z.enum(["timeout", "refused", "error", "stale", "disabled", "self_test_failed"]),
    since: z.string().nullable().describe("When this state began; null for disabled"),
    detail: z.string(),
  })
  .meta({ id: "EngineUnavailable" });

export const Blacklists = z
  .object({
    engines: z.record(z.string(), EngineResult).describe("Engines that answered, by key"),
    detections: z.int().describe("How many of them name the target"),
    engines_count: z.int().describe("How many answered"),
    detection_rate: z.string().describe('Share of detections, e.g. "12%"'),
    scan_time_ms: z.int(),
    engines_unavailable: z.array(EngineUnavailable).describe("Engines that gave no answer, and why"),
    engines_total: z.int().describe("Engines that apply and are enabled"),
    coverage: z.number().describe("Share of engines_total that answered with data that is not stale"),
    allowlists: z.record(z.string(), EngineResult).describe("Allowlists that name the target"),
  })
  .meta({ id: "Blacklists" });

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
