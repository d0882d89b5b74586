import { familyOf } from "../engines/family.ts";
import type { Verdict } from "../engines/kind.ts";
import { byText } from "./formula.ts";
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

type Hit = { readonly verdict: Verdict; readonly family: string; readonly strength: number };
type Gathered = { readonly hits: Hit[]; readonly signals: Signal[] };

/**
 * Detections and signals by independent source, sorted by key; those of strength 0 are left out. A signal is
 * `signal_<name>`, or joins the family of the strongest detecting engine that it repeats. Design 4.1 and 4.4.
 */
export function groupFamilies(
  detections: readonly Verdict[],
  signals: readonly Signal[],
  computedAt: Date,
): readonly Family[] {
  const hits = detections.map((verdict) => hitOf(verdict, computedAt)).sort(byStrength);
  const gathered = new Map<string, Gathered>();
  for (const hit of hits) gatheredOf(gathered, hit.family).hits.push(hit);
  for (const signal of signals) gatheredOf(gathered, signalFamily(signal, hits)).signals.push(signal);
  return [...gathered]
    .map(([key, members]) => familyFrom(key, members))
    .filter(({ strength }) => strength > 0)
    .sort((a, b) => byText(a.key, b.key));
}

const hitOf = (verdict: Verdict, computedAt: Date): Hit => ({
  verdict,
  family: familyOf(verdict),
  strength: roundStrength(strengthOf(verdict, computedAt)),
});

const byStrength = (a: Hit, b: Hit): number =>
  b.strength - a.strength || byText(a.verdict.engine.key, b.verdict.engine.key);

/** `hits` is sorted strongest first, so the first one repeated is the strongest. */
function signalFamily(signal: Signal, hits: readonly Hit[]): string {
  const repeated = signal.repeats ?? [];
  const hit = hits.find(({ verdict }) => repeated.includes(verdict.engine.key));
  return hit?.family ?? `signal_${signal.name}`;
}

function gatheredOf(gathered: Map<string, Gathered>, key: string): Gathered {
  const known = gathered.get(key);
  if (known !== undefined) return known;
  const members: Gathered = { hits: [], signals: [] };
  gathered.set(key, members);
  return members;
}

function familyFrom(key: string, members: Gathered): Family {
  const signals = [...members.signals].sort((a, b) => b.strength - a.strength || byText(a.name, b.name));
  return {
    key,
    strength: Math.max(members.hits[0]?.strength ?? 0, roundStrength(signals[0]?.strength ?? 0)),
    verdicts: members.hits.map(({ verdict }) => verdict),
    signals,
  };
}
