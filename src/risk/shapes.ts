import { z } from "zod";
import type { Wire } from "../base/wire.ts";

/** Words of a score, the lowest first. */
export const BANDS = ["clean", "low", "suspicious", "elevated", "high", "critical"] as const;

/** The `risk_score` object of design 4.5. */
/** What the score reads of a name or address beside the lists, so that everyone can recompute it. Design 1.2, 4.3. */
export const SharedInfrastructure = z
  .string()
  .nullable()
  .describe(
    "Why many share it, which caps the score where no strong hit stands against it; null: they do not",
  );

export const RiskScoreShape = z
  .object({
    result: z.int().describe("0 to 100"),
    band: z.enum(BANDS).describe("The score as a word"),
    verdict: z
      .enum([...BANDS, "unknown", "not_applicable"])
      .describe("The band, or unknown when too few engines answered with fresh data to say clean"),
    coverage: z.number().describe("Share of the independent sources that answered with fresh data, 0 to 1"),
    factors: z
      .array(
        z.object({
          key: z.string().describe("Family or signal"),
          points: z.int().describe("Points that it adds to the score, or takes from it"),
          reason: z.string().describe("Why, for people"),
          strength: z.number().describe("How much it says by itself, 0 to 1"),
          engines: z.array(z.string()).describe("Keys of the engines behind it"),
        }),
      )
      .describe("What makes the score, most points first"),
    adjustments: z
      .array(
        z.object({
          key: z.string().describe("Name of the rule"),
          points: z.int().describe("Points that it adds to the score, or takes from it"),
          reason: z.string().describe("Why, for people"),
        }),
      )
      .describe("What changes the score afterwards: allowlists, caps"),
    base: z.int().describe("Before adjustments"),
    formula: z.literal("noisy-or-1").describe("How the factors make the base"),
  })
  .meta({ id: "RiskScore", description: "The score, and how it is made" });
export type RiskScore = Wire<typeof RiskScoreShape>;
export type Factor = RiskScore["factors"][number];
export type Adjustment = RiskScore["adjustments"][number];
export type Band = RiskScore["band"];

const seconds = z.int().nullable();
const stale = z.boolean().describe("Older than its publisher's plan allows");

const FreshnessSources = z
  .object({
    engines: z
      .object({
        newest_age_s: seconds.describe("Of the youngest list that answered; null when none did"),
        oldest_age_s: seconds.describe("Of the oldest"),
        stale_count: z.int().describe("Engines whose data is stale"),
      })
      .describe("The engines that answered"),
    place: z
      .object({
        age_s: seconds.describe("Of the table of places that was asked; null when none was"),
        stale,
      })
      .describe("Where an address is"),
    network: z
      .object({
        age_s: seconds.describe("Of the table of origins and routes; null when none was asked"),
        stale,
      })
      .describe("Which network an address is in"),
    registry: z
      .object({
        age_s: seconds.describe("Of the oldest answer of a registry; null when none was asked or answered"),
        stale,
      })
      .describe("Registrations of domains, networks and AS numbers"),
    other: z
      .object({
        age_s: seconds.describe("Oldest of all else: lists of VPN, hosting, free mail and the like"),
        stale,
      })
      .describe("Everything else"),
  })
  .meta({ id: "FreshnessSources" });

/** The `freshness` object of design 3.4. */
export const Freshness = z
  .object({
    data_age_s: z
      .int()
      .nullable()
      .describe(
        "Greatest age among the engines that answered, seconds; of an answer without engines, among all that answered",
      ),
    stale: z
      .boolean()
      .describe("Whether any of that is older than its plan allows; never because of places or networks"),
    cached: z.boolean().describe("Whether any live part came from a cache"),
    computed_at: z.string().describe("ISO 8601"),
    bundled_data: z
      .string()
      .optional()
      .describe(
        "Only where the score rests on lists shipped with the product alone: their month, e.g. 2026-08. It may rise when lists load",
      ),
    sources: FreshnessSources.optional().describe(
      "Age of each part; only of answers that rest on engines, and only in the views standard and full",
    ),
  })
  .meta({ id: "Freshness", description: "How old the data behind the answer is" });
export type FreshnessReport = Wire<typeof Freshness>;
/** The parts of an answer with the age of each: sources 3. */
export type SourcesReport = Wire<typeof FreshnessSources>;
