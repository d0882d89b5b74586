import type { DetailCollector, DetailTable } from "./details.ts";
import { createExactReader, joinExact } from "./exact.ts";
import type { IndexRows } from "./rows.ts";
import { type Sections, u32Section, uintSection } from "./snapshot.ts";
import type { Listing } from "./types.ts";

const NONE: readonly Listing[] = Object.freeze([]);

/** Compiles the AS numbers of all lists: sorted numbers, each with its set. */
export function compileAsns(rows: IndexRows, details: DetailCollector): Sections {
  const { words, sets, sections } = joinExact(rows, details, "asn");
  return { "asn.numbers": words[0] ?? new Uint32Array(), "asn.sets": sets, ...sections };
}

/** Lookup by AS number. Its listings are not exact: the entry is a network around the target. */
export function openAsns(sections: Sections, details: DetailTable): (asn: number) => readonly Listing[] {
  const numbers = u32Section(sections, "asn.numbers");
  const sets = uintSection(sections, "asn.sets");
  const listingsOf = createExactReader(sections, "asn", details);
  return (asn) => {
    let low = 0;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? 0) < asn) low = middle + 1;
      else high = middle;
    }
    return numbers[low] === asn ? listingsOf(sets[low] ?? 0, `AS${asn}`, false) : NONE;
  };
}
