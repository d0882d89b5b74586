import type { Ipv6Words } from "../targets/ip.ts";
import { openAddressDetails } from "./address-details.ts";
import { networkOf } from "./ipv6.ts";
import { createSetCollector, openSets, type SetTable } from "./sets.ts";
import { type Sections, type Uints, u8Section, u16Section, u32Section, uintSection } from "./snapshot.ts";

/**
 * Takes addresses in a row of which every lookup finds the same entries: the first and the last of them, and the number of the
 * set of entries inside this index, which is never 0.
 */
export type VisitRegion<T extends number | bigint> = (first: T, last: T, set: number) => void;

type VisitEntry = (list: number, prefix: number) => void;

/** The whole of an index in ascending order, for what reads it from end to end. */
export type Regions = {
  /** Called with unsigned 32-bit numbers. */
  readonly eachIpv4: (visit: VisitRegion<number>) => void;
  /** At most so many of IPv4. */
  readonly ipv4Count: number;
  readonly eachIpv6: (visit: VisitRegion<bigint>) => void;
  /**
   * The details of the entries that make up the set at an address, as a text: two regions of the same set and the same
   * text differ in nothing that a lookup tells of their lists. Empty: none has details.
   */
  readonly detailsAtIpv4: (set: number, address: number) => string;
  readonly detailsAtIpv6: (set: number, address: bigint) => string;
  /** Each list of a set, in ascending order, with the prefix length of its entry. */
  readonly eachEntry: (version: "v4" | "v6", set: number, visit: VisitEntry) => void;
  /**
   * A number for each set: the same where the same lists name an address by entries that are alike, as far as it matters for
   * the list: whether the entry is the address itself, or how small it is among those of the lists of which that matters.
   */
  readonly kindsOf: (version: "v4" | "v6", mattersOf: (list: number) => EntryMatters) => Uint32Array;
};

/** What matters of the entries of a list beside their details; `size` includes what `exact` does. */
export type EntryMatters = "nothing" | "exact" | "size";

/** The regions of a snapshot that `ListingsBuilder` wrote; the layout stands in builder.ts. */
export function openRegions(sections: Sections): Regions {
  const v4 = createDetailKeys(sections, "v4", 1);
  const v6 = createDetailKeys(sections, "v6", 4);
  const sets = { v4: openSets(sections, "v4"), v6: openSets(sections, "v6") };
  return {
    eachIpv4: (visit) => walkIpv4(sections, visit),
    ipv4Count: uintSection(sections, "v4.sets").length,
    eachIpv6: (visit) => walkIpv6(sections, visit),
    detailsAtIpv4: (set, address) =>
      v4(set, (prefix) => [prefix === 0 ? 0 : (address & (-1 << (32 - prefix))) >>> 0]),
    detailsAtIpv6: (set, address) => {
      const words = wordsOf(address);
      return v6(set, (prefix) => networkOf(words, prefix));
    },
    eachEntry: (version, set, visit) => {
      const { starts, lists, extras: prefixes } = sets[version];
      for (let row = starts[set] ?? 0; row < (starts[set + 1] ?? 0); row++)
        visit(lists[row] ?? 0, prefixes[row] ?? 0);
    },
    kindsOf: (version, mattersOf) => kindsOf(sets[version], version === "v4" ? 32 : 128, mattersOf),
  };
}

function kindsOf(
  { starts, lists, extras: prefixes }: SetTable,
  bits: number,
  mattersOf: (list: number) => EntryMatters,
): Uint32Array {
  const kinds = createSetCollector();
  const isSized = (row: number): boolean => mattersOf(lists[row] ?? 0) === "size";
  const largerThan = (prefix: number, from: number, to: number): number => {
    let count = 0;
    for (let row = from; row < to; row++) if ((prefixes[row] ?? 0) < prefix && isSized(row)) count++;
    return count;
  };
  const numbers = new Uint32Array(starts.length - 1);
  for (let set = 1; set < numbers.length; set++) {
    const from = starts[set] ?? 0;
    const to = starts[set + 1] ?? 0;
    kinds.begin();
    for (let row = from; row < to; row++) {
      const list = lists[row] ?? 0;
      const prefix = prefixes[row] ?? 0;
      const exact = mattersOf(list) === "nothing" ? 0 : Number(prefix === bits);
      kinds.add(list, isSized(row) ? largerThan(prefix, from, to) * 2 + exact : exact);
    }
    numbers[set] = kinds.extend(0);
  }
  return numbers;
}

const scratch = new DataView(new ArrayBuffer(16));

/** An IPv6 address from its number. */
export function wordsOf(address: bigint): Ipv6Words {
  scratch.setBigUint64(0, address >> 64n);
  scratch.setBigUint64(8, address);
  return [scratch.getUint32(0), scratch.getUint32(4), scratch.getUint32(8), scratch.getUint32(12)];
}

/** The number of an IPv6 address. */
export const numberOfWords = (words: ArrayLike<number>): bigint =>
  numberOf(words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0);

function numberOf(a: number, b: number, c: number, d: number): bigint {
  scratch.setUint32(0, a);
  scratch.setUint32(4, b);
  scratch.setUint32(8, c);
  scratch.setUint32(12, d);
  return (scratch.getBigUint64(0) << 64n) | scratch.getBigUint64(8);
}

function walkIpv4(sections: Sections, visit: VisitRegion<number>): void {
  const longest = u8Section(sections, "v4.longest");
  let open = 0;
  let from = 0;
  let to = -1;
  eachBoundary(sections, (first, next, set) => {
    const prefix = longest[set] ?? 0;
    // A network of /0 to /15 goes on here; equal sets of smaller ones stand side by side as entries of their own.
    if (set !== open || first !== to + 1 || prefix >= 16) {
      if (open !== 0) visit(from, to, open);
      open = set;
      from = first;
    }
    to = Math.min(next - 1, lastIpv4(first, prefix));
  });
  if (open !== 0) visit(from, to, open);
}

/** Each boundary with the next one. What runs on is repeated at the start of a bucket, so that none leaves its own. */
function eachBoundary(sections: Sections, visit: (first: number, next: number, set: number) => void): void {
  const directory = u32Section(sections, "v4.directory");
  const lows = u16Section(sections, "v4.lows");
  const sets = uintSection(sections, "v4.sets");
  for (let bucket = 0; bucket < 65_536; bucket++) {
    const end = directory[bucket + 1] ?? 0;
    const base = bucket * 65_536;
    for (let row = directory[bucket] ?? 0; row < end; row++) {
      visit(base + (lows[row] ?? 0), base + (row + 1 < end ? (lows[row + 1] ?? 0) : 65_536), sets[row] ?? 0);
    }
  }
}

const lastIpv4 = (address: number, prefix: number): number => (address | (IPV4_HOST_BITS[prefix] ?? 0)) >>> 0;

/** By prefix length: the bits behind the prefix. */
const IPV4_HOST_BITS = Uint32Array.from({ length: 33 }, (_, prefix) => 2 ** (32 - prefix) - 1);
const IPV6_HOST_BITS = Array.from({ length: 129 }, (_, prefix) => (1n << BigInt(128 - prefix)) - 1n);

/** Deep regions name the shallow networks around them too, and so take their places. */
function walkIpv6(sections: Sections, visit: VisitRegion<bigint>): void {
  const longest = u8Section(sections, "v6.longest");
  const deep = layerRegions(sections, { prefix: "v6.deep", width: 4 }, longest);
  const shallow = layerRegions(sections, { prefix: "v6.shallow", width: 2 }, longest);
  let inner = deep.next();
  for (const outer of shallow) {
    let { first } = outer;
    for (; !inner.done && inner.value.first <= outer.last; inner = deep.next()) {
      if (inner.value.first > first) visit(first, inner.value.first - 1n, outer.set);
      visit(inner.value.first, inner.value.last, inner.value.set);
      if (inner.value.last >= first) first = inner.value.last + 1n;
    }
    if (first <= outer.last) visit(first, outer.last, outer.set);
  }
  for (; !inner.done; inner = deep.next()) visit(inner.value.first, inner.value.last, inner.value.set);
}

type Layer = { readonly prefix: string; readonly width: number };

function* layerRegions(
  sections: Sections,
  { prefix, width }: Layer,
  longest: Uint8Array,
): Generator<{ readonly first: bigint; readonly last: bigint; readonly set: number }> {
  const columns = Array.from({ length: width }, (_, w) => u32Section(sections, `${prefix}.word${w}`));
  const sets: Uints = uintSection(sections, `${prefix}.sets`);
  const start = (row: number): bigint =>
    numberOf(columns[0]?.[row] ?? 0, columns[1]?.[row] ?? 0, columns[2]?.[row] ?? 0, columns[3]?.[row] ?? 0);
  let first = sets.length === 0 ? 0n : start(0);
  for (let row = 0; row < sets.length; row++) {
    const set = sets[row] ?? 0;
    const end = first | (IPV6_HOST_BITS[longest[set] ?? 0] ?? 0n);
    const next = row + 1 < sets.length ? start(row + 1) : null;
    if (set !== 0) yield { first, last: next !== null && next <= end ? next - 1n : end, set };
    first = next ?? 0n;
  }
}

/** Most sets hold no list that has details at all. */
function createDetailKeys(sections: Sections, prefix: "v4" | "v6", width: number) {
  const { starts, lists, extras: prefixes } = openSets(sections, prefix);
  const entries = openAddressDetails(sections, `${prefix}.detail`, width);
  const rows = u32Section(sections, `${prefix}.detail.starts`);
  const hasDetails = (list: number): boolean => (rows[list + 1] ?? 0) > (rows[list] ?? 0);
  const may = new Uint8Array(Math.max(0, starts.length - 1));
  for (let set = 0; set < may.length; set++) {
    for (let row = starts[set] ?? 0; row < (starts[set + 1] ?? 0); row++) {
      if (hasDetails(lists[row] ?? 0)) may[set] = 1;
    }
  }
  return (set: number, networkAt: (prefix: number) => readonly number[]): string => {
    if (may[set] !== 1) return "";
    let key = "";
    for (let row = starts[set] ?? 0; row < (starts[set + 1] ?? 0); row++) {
      const list = lists[row] ?? 0;
      const length = prefixes[row] ?? 0;
      if (hasDetails(list)) key += `${entries.find(list, networkAt(length), length)},`;
    }
    return key;
  };
}
