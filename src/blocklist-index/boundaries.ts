import { createColumn, type NumberColumn, narrowed } from "./columns.ts";
import type { Sections } from "./snapshot.ts";

/** Places in ascending order, each with the set that holds from there on; `width` words of each place are kept. */
export type Boundaries = {
  readonly words: readonly NumberColumn[];
  readonly sets: NumberColumn;
  /** A boundary at the place of the last one takes its place. */
  readonly add: (words: Uint32Array, set: number) => void;
};

/** No boundaries yet. */
export function createBoundaries(width: number): Boundaries {
  const words = Array.from({ length: width }, createColumn);
  const sets = createColumn();
  const isLast = (place: Uint32Array): boolean => {
    const last = sets.length() - 1;
    for (let w = width - 1; w >= 0; w--) if (words[w]?.at(last) !== place[w]) return false;
    return last >= 0;
  };
  return {
    words,
    sets,
    add: (place, set) => {
      if (isLast(place)) {
        sets.set(sets.length() - 1, set);
        return;
      }
      for (let w = 0; w < width; w++) words[w]?.push(place[w] ?? 0);
      sets.push(set);
    },
  };
}

/** The boundaries as sections `<prefix>.word0` … and `<prefix>.sets`. */
export const boundarySections = ({ words, sets }: Boundaries, prefix: string): Sections => ({
  ...Object.fromEntries(words.map((column, w) => [`${prefix}.word${w}`, column.values()])),
  [`${prefix}.sets`]: narrowed(sets.values()),
});
