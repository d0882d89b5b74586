import { familyOf } from "../engines/family.ts";
import type { Verdict } from "../engines/kind.ts";
import { byText, inOrder } from "./formula.ts";
import type { Signal } from "./score.ts";
import { roundStrength, strengthOf } from "./strength.ts";

/** Everything that one independent source says. Exactly one of `verdicts` and `signals` may be empty. */
export type Family = {
  readonly key: string;
  /** As it counts: capped and rounded; families of strength 0 are left out. */
  readonly strength: number;
  /** Detecting engines, strongest first, then by key. Empty for a signal on its own. */
  readonly verdicts: readonly Verdict[];
  /** Strongest first, then by name. */
  readonly signals: readonly Signal[];
};

/** One detection as it counts. */
export type FamilyHit = { readonly verdict: Verdict; readonly family: string; readonly strength: number };
type Gathered = { readonly key: string; readonly hits: FamilyHit[]; readonly signals: Signal[] };

/**
 * Detections and signals by independent source, sorted by key; those of strength 0 are left out. A signal is
 * `signal_<name>`, or joins the family of the strongest detecting engine that it repeats. Design 4.1 and 4.4.
 */
export function groupFamilies(
  detections: readonly Verdict[],
  signals: readonly Signal[],
  hitOf: (verdict: Verdict) => FamilyHit,
): readonly Family[] {
  const hits = inOrder(detections.map(hitOf), byStrength);
  // So few that to look through them is faster than a Map.
  const gathered: Gathered[] = [];
  for (const hit of hits) gatheredOf(gathered, hit.family).hits.push(hit);
  for (const signal of signals) gatheredOf(gathered, signalFamily(signal, hits)).signals.push(signal);
  const families = gathered.map(familyFrom).filter(({ strength }) => strength > 0);
  return inOrder(families, (a, b) => byText(a.key, b.key));
}

/** What a detection counts for at one instant. */
export const familyHit = (verdict: Verdict, computedAt: Date): FamilyHit => ({
  verdict,
  family: familyOf(verdict),
  strength: roundStrength(strengthOf(verdict, computedAt)),
});

const byStrength = (a: FamilyHit, b: FamilyHit): number =>
  b.strength - a.strength || byText(a.verdict.engine.key, b.verdict.engine.key);

/** `hits` is sorted strongest first, so the first one repeated is the strongest. */
function signalFamily(signal: Signal, hits: readonly FamilyHit[]): string {
  const repeated = signal.repeats ?? [];
  const hit = hits.find(({ verdict }) => repeated.includes(verdict.engine.key));
  return hit?.family ?? `signal_${signal.name}`;
}

function gatheredOf(gathered: Gathered[], key: string): Gathered {
  const known = gathered.find((members) => members.key === key);
  if (known !== undefined) return known;
  const members: Gathered = { key, hits: [], signals: [] };
  gathered.push(members);
  return members;
}

function familyFrom({ key, hits, signals: gathered }: Gathered): Family {
  const signals = inOrder(gathered, (a, b) => b.strength - a.strength || byText(a.name, b.name));
  return {
    key,
    strength: Math.max(hits[0]?.strength ?? 0, roundStrength(signals[0]?.strength ?? 0)),
    verdicts: hits.map(({ verdict }) => verdict),
    signals,
  };
}
