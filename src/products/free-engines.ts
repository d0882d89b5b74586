import type { BlacklistsReport } from "../engines/report.ts";
import type { EngineReport } from "../engines/shapes.ts";
import { reportVerdict } from "../engines/verdict-report.ts";

/** How many engines a free report shows by name. */
const SHOWN_ENGINES = 10;

type ShownEngine = EngineReport & { readonly shownReference: string | null };

/**
 * The engines that a free report shows: those that name the target first, then by name. The reference of a list that
 * the operator configured is left out: strangers see its name and state alone.
 */
export const shownEngines = (
  { consultation, targetText }: BlacklistsReport,
  ownKeys: ReadonlySet<string>,
): readonly ShownEngine[] =>
  consultation.verdicts
    .toSorted((a, b) => Number(b.detected) - Number(a.detected) || (a.engine.name < b.engine.name ? -1 : 1))
    .slice(0, SHOWN_ENGINES)
    .map((verdict) => {
      const result = reportVerdict(verdict, targetText);
      const isHidden = result.reference === "" || ownKeys.has(verdict.engine.key);
      return { ...result, shownReference: isHidden ? null : result.reference };
    });
