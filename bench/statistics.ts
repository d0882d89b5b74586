/** The middle value, of an even number of values the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value that `share` of the values do not exceed; NaN of none. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/**
 * Measures several subjects in turn, `rounds` times over, and gives each subject's values in the order of the
 * rounds. On a machine with neighbours only what ran side by side can be compared.
 */
export async function interleave<T>(
  rounds: number,
  subjects: Readonly<Record<string, () => T | Promise<T>>>,
): Promise<Readonly<Record<string, readonly T[]>>> {
  const values: Record<string, T[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      values[name] ??= [];
      values[name].push(await subject());
    }
  }
  return values;
}

/** The median over the rounds of one subject's value by another's of the same round. */
export const medianRatio = (values: readonly number[], references: readonly number[]): number =>
  median(values.map((value, round) => value / (references[round] ?? Number.NaN)));

/** Numbers in [0, 1) that are the same in every run: mulberry32. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
