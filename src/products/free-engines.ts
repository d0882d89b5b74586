import type { BlacklistsReport } from "../engines/report.ts";

/** How many engines a free report shows by name. */
const SHOWN_ENGINES = 10;

type EngineResults = ReturnType<BlacklistsReport["engines"]["toObject"]>;
type ShownEngine = EngineResults[string] & { readonly shownReference: string | null };

/**
 * The engines that a free report shows: those that name the target first, then by name. The reference of a list that
 * the operator configured is left out: strangers see its name and state alone.
 */
export const shownEngines = (
  { engines }: Pick<BlacklistsReport, "engines">,
  ownKeys: ReadonlySet<string>,
): readonly ShownEngine[] =>
  Object.entries(engines.toObject())
    .toSorted(([, a], [, b]) => Number(b.detected) - Number(a.detected) || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN_ENGINES)
    .map(([key, result]) => ({
      ...result,
      shownReference: result.reference === "" || ownKeys.has(key) ? null : result.reference,
    }));
