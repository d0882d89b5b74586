import { createColumn, narrowed } from "./columns.ts";
import type { DetailCollector, DetailTable } from "./details.ts";
import { type IndexRows, sorted, visitEqual } from "./rows.ts";
import { createSetCollector, openSets } from "./sets.ts";
import type { Sections, Uints } from "./snapshot.ts";
import type { Listing } from "./types.ts";

/** Each distinct key once, in ascending order, with the set of its (list, detail). */
export type ExactKeys = {
  readonly words: readonly Uint32Array[];
  readonly sets: Uints;
  readonly sections: Sections;
};

/** Sorts the rows and joins those of one key; of doubles within a list the newer detail stays. */
export function joinExact(collected: IndexRows, details: DetailCollector, prefix: string): ExactKeys {
  const rows = sorted(collected);
  const sets = createSetCollector();
  const keys = rows.words.map(() => createColumn());
  const ids = createColumn();
  const visit = { newer: details.newer, entry: sets.add };
  for (let i = 0; i < rows.order.length; ) {
    const first = rows.order[i] ?? 0;
    sets.begin();
    i = visitEqual(rows, i, visit);
    for (let w = 0; w < keys.length; w++) keys[w]?.push(rows.words[w]?.[first] ?? 0);
    ids.push(sets.extend(0));
  }
  return {
    words: keys.map((key) => key.values()),
    sets: narrowed(ids.values()),
    sections: sets.sections(prefix),
  };
}

/** Makes the listings of a set of (list, detail) whose entry is `value`. */
export function createExactReader(sections: Sections, prefix: string, details: DetailTable) {
  const { starts, lists, extras } = openSets(sections, prefix);
  return (set: number, value: string, exact: boolean): readonly Listing[] => {
    const listings: Listing[] = [];
    const end = starts[set + 1] ?? 0;
    for (let row = starts[set] ?? 0; row < end; row++) {
      listings.push({ list: lists[row] ?? 0, value, exact, detail: details.read(extras[row] ?? 0) });
    }
    return listings;
  };
}
