import type { DetailCollector, DetailTable } from "./details.ts";
import { createExactReader, joinExact } from "./exact.ts";
import type { IndexRows } from "./rows.ts";
import { type Sections, u16Section, u32Section, uintSection } from "./snapshot.ts";
import type { TextHash } from "./text-hash.ts";
import type { Listing } from "./types.ts";

const NONE: readonly Listing[] = Object.freeze([]);
/** So many texts share a bucket on average, or half as many: one or two cache lines of the scan. */
const TEXTS_PER_BUCKET = 8;

/** Compiles the texts (names, or URLs) of all lists; the layout stands in builder.ts. */
export function compileTexts(rows: IndexRows, details: DetailCollector, prefix: string): Sections {
  const { words, sets, sections } = joinExact(rows, details, prefix);
  const [high, low] = [words[0] ?? new Uint32Array(), words[1] ?? new Uint32Array()];
  let bits = 0;
  while (high.length > TEXTS_PER_BUCKET * 2 ** bits) bits++;
  return {
    [`${prefix}.directory`]: directoryOf(high, bits),
    [`${prefix}.middles`]: Uint16Array.from(high), // keeps the lower 16 bits
    [`${prefix}.lows`]: low,
    [`${prefix}.sets`]: sets,
    ...sections,
  };
}

const bucketOf = (high: number, bits: number): number => (bits === 0 ? 0 : high >>> (32 - bits));

function directoryOf(high: Uint32Array, bits: number): Uint32Array {
  const directory = new Uint32Array(2 ** bits + 1);
  let row = 0;
  for (let bucket = 0; bucket < 2 ** bits; bucket++) {
    directory[bucket] = row;
    while (row < high.length && bucketOf(high[row] ?? 0, bits) === bucket) row++;
  }
  directory[2 ** bits] = row;
  return directory;
}

/** Lookup by text, which must be spelt as it was added. */
export function openTexts(
  sections: Sections,
  prefix: string,
  { hash, details }: { readonly hash: TextHash; readonly details: DetailTable },
): (text: string) => readonly Listing[] {
  const directory = u32Section(sections, `${prefix}.directory`);
  const middles = u16Section(sections, `${prefix}.middles`);
  const lows = u32Section(sections, `${prefix}.lows`);
  const sets = uintSection(sections, `${prefix}.sets`);
  const listingsOf = createExactReader(sections, prefix, details);
  const bits = Math.log2(directory.length - 1);
  return (text) => {
    hash.update(text);
    const low = hash.low();
    const middle = hash.high() & 0xffff;
    const bucket = bucketOf(hash.high(), bits);
    const end = directory[bucket + 1] ?? 0;
    for (let row = directory[bucket] ?? 0; row < end; row++) {
      if (lows[row] === low && middles[row] === middle) return listingsOf(sets[row] ?? 0, text, true);
    }
    return NONE;
  };
}
