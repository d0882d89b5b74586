import { z } from "zod";
import type { Wire } from "../base/wire.ts";
import { DISABLED_CLASSES } from "./disabled.ts";
import { CATEGORIES, CONFIDENCES, MATCH_LEVELS, UNAVAILABLE_STATUSES } from "./kind.ts";

/** How closely an entry matches (design 3.3). */
export const MatchLevelShape = z.enum(MATCH_LEVELS);

/** One engine's result with all members. Source: interface 2.6, design 3.2. */
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
        level: MatchLevelShape.describe("How closely the entry matches"),
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
export type EngineReport = Wire<typeof EngineResult>;

/** A list that names something, and how closely. */
export const ListingShape = z
  .object({
    key: z.string().describe("Key of the list"),
    level: MatchLevelShape.describe("How closely its entry matches"),
  })
  .meta({ id: "Listing" });

const EngineUnavailable = z
  .object({
    key: z.string().describe("Key of the engine"),
    name: z.string().describe("Name of the engine"),
    status: z.enum(UNAVAILABLE_STATUSES).describe("Why it gave no answer, as one word"),
    since: z.string().describe("When this state began"),
    detail: z.string().describe("Why, for people"),
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
  .meta({ id: "EnginesDisabled", description: "Engines that are off" });

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
    scan_time_ms: z.int().describe("Time that asking all engines took, milliseconds"),
    engines_unavailable: z
      .array(EngineUnavailable)
      .describe("Engines that are enabled, apply and gave no answer, and why"),
    engines_disabled: EnginesDisabled,
    engines_total: z.int().describe("Engines that apply and are enabled"),
    coverage: z.number().describe("Share of engines_total that answered with data that is not stale"),
    allowlists: z.record(z.string(), EngineResult).describe("Allowlists that name the target"),
  })
  .meta({ id: "Blacklists", description: "What the engines say of the target" });

/** The numbers of the Blacklists object. Source: interface 2.6, design 3.1. */
export type BlacklistsCounts = Pick<
  Wire<typeof Blacklists>,
  "detections" | "engines_count" | "detection_rate" | "scan_time_ms" | "engines_total" | "coverage"
>;

export const BlacklistsFull = Blacklists.extend({
  engines: z.record(z.string(), EngineResult).describe("Engines that answered, by key"),
  engines_disabled: EnginesDisabled.extend({
    engines: z
      .array(
        z.object({
          key: z.string().describe("Key of the engine"),
          name: z.string().describe("Name of the engine"),
          class: z
            .enum(DISABLED_CLASSES)
            .nullable()
            .describe("Kind of the reason, where it is of a known kind"),
          reason: z.string().describe("Why it is off"),
        }),
      )
      .describe("Each of them"),
  }).meta({ id: "EnginesDisabledFull", description: "Engines that are off, with their reasons" }),
}).meta({ id: "BlacklistsFull", description: "What every engine says of the target" });

/** What the interface asks of every engine: it stays in every view, whatever its value. */
export const ALWAYS_SHOWN = {
  name: true,
  detected: true,
  reference: true,
  elapsed_ms: true,
  data_age_s: true,
} as const;

const EngineCompact = EngineResult.partial().required(ALWAYS_SHOWN).meta({
  id: "EngineResultCompact",
  description: "A member that is absent is null, [] or false; a `family` that is absent is the engine's key",
});

export const BlacklistsCompact = Blacklists.omit({ engines_unavailable: true })
  .extend({
    engines: z.record(z.string(), EngineCompact).describe("Only those that name the target"),
    clear: z
      .object({
        count: z.int().describe("How many they are"),
        keys: z.array(z.string()).describe("Their keys"),
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
  .meta({ id: "BlacklistsCompact", description: "What the engines say of the target, in short" });
