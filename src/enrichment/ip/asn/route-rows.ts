import { createColumn } from "../../../blocklist-index/columns.ts";
import { mixBits } from "../../../blocklist-index/text-hash.ts";

/** Sets of origins by number, of routes that several ASes announce: ordered, the origin that most peers see first. */
function createOriginSets() {
  const numbers = new Map<string, number>();
  const offsets = createColumn();
  const members = createColumn();
  return {
    numberOf: (origins: readonly number[]): number => {
      const key = origins.join();
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, numbers.size);
      offsets.push(members.length());
      for (const origin of origins) members.push(origin);
      return numbers.size - 1;
    },
    /** Set `n` is `members[offsets[n]]` up to `members[offsets[n + 1]]`. */
    columns: () => {
      offsets.push(members.length());
      return { offsets: offsets.values().slice(), members: members.values().slice() };
    },
  };
}

/** In `route.form`, beside the length: `route.origin` is the number of a set. */
export const SEVERAL = 128;
/** The bits of `route.form` that are the length. */
export const LENGTH_BITS = 127;

/** Rows that were made last, by what they hold; more of them would not stay in the processor's cache. */
const RECENT = 1 << 14;

/**
 * Rows by origins and length: an address and a length make a route, so that neighbours with the same row need one interval.
 * What came a while ago may get a second row. To find all of them again takes a table of a million entries, which costs more
 * than the rest of the build.
 */
export function createRouteRows() {
  const sets = createOriginSets();
  const origins = createColumn();
  const forms = createColumn();
  const recent = new Uint32Array(RECENT);
  // Row 0 is none.
  origins.push(0);
  forms.push(0);
  return {
    rowOf: (announced: readonly number[], length: number): number => {
      const isOne = announced.length === 1;
      const origin = isOne ? (announced[0] ?? 0) : sets.numberOf(announced);
      const form = isOne ? length : length | SEVERAL;
      const slot = mixBits(origin ^ Math.imul(form, 0x9e3779b1)) & (RECENT - 1);
      const row = recent[slot] ?? 0;
      if (row !== 0 && origins.at(row) === origin && forms.at(row) === form) return row;
      recent[slot] = origins.length();
      origins.push(origin);
      forms.push(form);
      return origins.length() - 1;
    },
    /** `route.*` by row, `sets.*` by set. */
    columns: () => ({
      route: { origin: origins.values().slice(), form: Uint8Array.from(forms.values()) },
      sets: sets.columns(),
    }),
  };
}
