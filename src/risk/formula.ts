/** The formula's name; a change of any number in the weights or in the formula changes it. Source: design 4.5. */
export const FORMULA = "noisy-or-1";

export type FamilyStrength = { readonly key: string; readonly strength: number };

/** Orders texts by code unit: the same on every machine, whatever its locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A list in order; itself where there is nothing to put in order, as mostly. */
export const inOrder = <T>(list: readonly T[], compare: (a: T, b: T) => number): readonly T[] =>
  list.length < 2 ? list : [...list].sort(compare);

const NANO = 1e9;

/** 100 × (1 − Π (1 − s)), not rounded. Design 4.2. */
const rawOf = (families: readonly FamilyStrength[]): number =>
  100 * (1 - families.reduce((product, { strength }) => product * (1 - strength), 1));

/** The integer base, 0 to 100, of families whose strengths are already rounded. Design 4.2. */
export const baseOf = (families: readonly FamilyStrength[]): number =>
  Math.floor(rawOf(families) + 0.5 + 1e-9);

/**
 * Points of each family, by key: shares of the base in proportion to ln(1 − s), whole by largest remainder,
 * ties by key ascending. Their sum is `baseOf(families)`. Strengths lie in (0, 1), keys are distinct. Design 4.2.
 */
export function pointsOf(families: readonly FamilyStrength[]): ReadonlyMap<string, number> {
  const [family] = families;
  if (families.length === 1 && family !== undefined) return new Map([[family.key, baseOf(families)]]);
  const sorted = inOrder(families, (a, b) => byText(a.key, b.key));
  const raw = rawOf(sorted);
  const logSum = sorted.reduce((sum, { strength }) => sum + Math.log(1 - strength), 0);
  // Whole billionths: remainders compare exactly, so that equal shares are a tie on every machine.
  const shares = sorted.map(({ key, strength }) => {
    const nanos = Math.round(((raw * Math.log(1 - strength)) / logSum) * NANO);
    return { key, floor: Math.floor(nanos / NANO), remainder: nanos % NANO };
  });
  const left = baseOf(sorted) - shares.reduce((sum, { floor }) => sum + floor, 0);
  const ranked = [...shares].sort((a, b) => b.remainder - a.remainder || byText(a.key, b.key));
  return new Map(ranked.map(({ key, floor }, rank) => [key, floor + (rank < left ? 1 : 0)]));
}
