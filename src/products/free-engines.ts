import { z } from "zod";
import { nullable, type Wire } from "../base/wire.ts";
import { UNAVAILABLE_STATUSES } from "../engines/kind.ts";
import type { BlacklistsReport } from "../engines/report.ts";
import { EngineResult, MatchLevelShape } from "../engines/shapes.ts";
import { reportVerdict } from "../engines/verdict-report.ts";

/** How many engines a free report shows by name. */
const SHOWN_ENGINES = 10;

/** What a free report says of the engines, beside its counts of those that answered. */
export const FREE_ENGINES = {
  engines: z
    .array(
      z
        .object({
          name: z.string().describe("Name of the list"),
          detected: z.boolean().describe("Whether the list names the target"),
          reference: nullable.describe("Page about the entry or the list"),
          category: EngineResult.shape.category,
          level: MatchLevelShape.nullable().describe("How closely its entry matches; null when not detected"),
          last_seen: EngineResult.shape.last_seen,
          data_age_s: EngineResult.shape.data_age_s,
          stale: EngineResult.shape.stale,
        })
        .meta({ id: "FreeEngine" }),
    )
    .describe("Up to ten: those that name the target first, then by name"),
  engines_total: z.int().describe("Engines that apply and are enabled"),
  unanswered_count: z.int().describe("Engines that are enabled, apply and gave no answer"),
  unanswered: z
    .array(
      z
        .object({
          name: z.string().describe("Name of the engine"),
          status: z.enum(UNAVAILABLE_STATUSES).describe("Why it gave no answer"),
        })
        .meta({ id: "FreeUnanswered" }),
    )
    .describe("Up to ten of them, by name"),
  allowlists: z.array(z.string()).describe("Names of the allowlists that name the target"),
};

const freeEnginesShape = z.object(FREE_ENGINES);
type FreeEngines = Wire<typeof freeEnginesShape>;

/**
 * The engines of a free report. The reference of a list that the operator configured is left out: strangers see its name
 * and state alone.
 */
export function freeEngines(
  { consultation, targetText, engines_total: total }: BlacklistsReport,
  ownKeys: ReadonlySet<string>,
): FreeEngines {
  const sorted = consultation.verdicts.toSorted(
    (a, b) => Number(b.detected) - Number(a.detected) || (a.engine.name < b.engine.name ? -1 : 1),
  );
  return {
    engines: sorted.slice(0, SHOWN_ENGINES).map((verdict) => {
      const { name, detected, reference, category, matched, last_seen, data_age_s, stale } = reportVerdict(
        verdict,
        targetText,
      );
      const isHidden = reference === "" || ownKeys.has(verdict.engine.key);
      const level = matched?.level ?? null;
      const shown = isHidden ? null : reference;
      return { name, detected, reference: shown, category, level, last_seen, data_age_s, stale };
    }),
    engines_total: total,
    unanswered_count: consultation.absences.length,
    unanswered: consultation.absences
      .map(({ engine, status }) => ({ name: engine.name, status }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, SHOWN_ENGINES),
    allowlists: consultation.allowlists.map(({ engine }) => engine.name),
  };
}
