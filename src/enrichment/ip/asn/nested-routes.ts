import type { IntervalCollector } from "../intervals.ts";

/** Takes prefixes in the order of `forEachVisible`, and cuts the space into intervals of the most specific one. */
export type RouteNesting = {
  readonly add: (upper: number, lower: number, length: number, row: number) => void;
  /** Closes what is open. Nothing may be added after it. */
  readonly end: () => void;
};

const WORD = 2 ** 32;

/**
 * Writes the boundaries of nested prefixes to `collector`: from each start on the prefix holds, from its end on the one around
 * it, or none (row 0). Prefixes nest or are apart, so that a stack of those that are open is all that is needed.
 */
export function createRouteNesting(collector: IntervalCollector): RouteNesting {
  const open = { uppers: new Float64Array(65), lowers: new Float64Array(65), rows: new Uint32Array(65) };
  let depth = 0;
  collector.add(0, 0, 0);
  const rowAround = (at: number): number => (at === 0 ? 0 : (open.rows[at - 1] ?? 0));
  /** Closes what ends at or before an address; what ends right there is followed by what begins there. */
  const closeUntil = (upper: number, lower: number): void => {
    while (depth > 0) {
      const endUpper = open.uppers[depth - 1] ?? 0;
      const endLower = open.lowers[depth - 1] ?? 0;
      if (endUpper > upper || (endUpper === upper && endLower > lower)) return;
      depth--;
      const isFollowed = endUpper === upper && endLower === lower;
      if (!isFollowed && endUpper < WORD) collector.add(endUpper, endLower, rowAround(depth));
    }
  };
  return {
    add: (upper, lower, length, row) => {
      closeUntil(upper, lower);
      const lowerEnd = length <= 32 ? 0 : lower + 2 ** (64 - length);
      const isCarried = lowerEnd === WORD;
      open.uppers[depth] = upper + (length <= 32 ? 2 ** (32 - length) : isCarried ? 1 : 0);
      open.lowers[depth] = isCarried ? 0 : lowerEnd;
      open.rows[depth] = row;
      depth++;
      collector.add(upper, lower, row);
    },
    end: () => closeUntil(WORD, 1),
  };
}
