import type { Listings } from "../blocklist-index/types.ts";
import { applicability, type EngineStanding } from "./applicability.ts";
import type { EngineDefinition } from "./definitions.ts";
import { absenceOf, ageOf, findHits, hitVerdict, missVerdict } from "./feed.ts";
import { ABOUT_ANOTHER, type Consultation, type Verdict } from "./kind.ts";
import type { EngineTarget } from "./target.ts";

/** What compiled lists say of targets at one instant, without the engines that do not name them. */
export type Listed = (target: EngineTarget) => Consultation;

export type ListedParts = {
  readonly definitions: readonly EngineDefinition[];
  readonly listings: Listings;
  readonly nowMs: number;
};

/**
 * As `Engines.consult` with `isListsOnly`, for millions of targets one after the other: the verdicts are those that
 * detect, so that score and reasons are the same and only the coverage is not told.
 */
export function createListed({ definitions, listings, nowMs }: ListedParts): Listed {
  const byKey = new Map(definitions.map((definition) => [definition.engine.key, definition]));
  const byList = listings.lists.map((state): EngineStanding | null => {
    const definition = byKey.get(state.key);
    if (definition === undefined || definition.engine.disabled !== null) return null;
    const age = state.loaded ? ageOf(state, definition.engine, nowMs) : null;
    const absence = absenceOf(definition, state, age, "");
    const miss = absence === null && age !== null ? missVerdict(definition.engine, state, age) : null;
    return { definition, state, age, absence, miss };
  });
  const targetOf = (list: number) => byList[list]?.definition.engine.target ?? null;
  return (target) => {
    const applies = applicability(target);
    const verdicts: Verdict[] = [];
    const allowlists: Verdict[] = [];
    for (const [list, hit] of findHits(target, listings, targetOf)) {
      const standing = byList[list];
      if (!standing?.miss || !applies(standing)) continue;
      if (standing.definition.engine.kind !== "allow") verdicts.push(hitVerdict(standing.miss, hit));
      else if (!ABOUT_ANOTHER.has(hit.level)) allowlists.push(hitVerdict(standing.miss, hit));
    }
    verdicts.sort(byEngine);
    allowlists.sort(byEngine);
    return { verdicts, allowlists, absences: [], disabled: [], scanTimeMs: 0, cached: false };
  };
}

const byEngine = (a: Verdict, b: Verdict): number => (a.engine.key < b.engine.key ? -1 : 1);
