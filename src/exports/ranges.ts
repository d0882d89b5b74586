import { doubled } from "../blocklist-index/columns.ts";
import { wordsOf } from "../blocklist-index/regions.ts";
import type { Ipv6Words } from "../targets/ip.ts";

/** Ranges of addresses in ascending order that do not overlap, each with the number of its entry. */
export type Ranges<T extends number | bigint> = {
  readonly length: () => number;
  readonly first: (row: number) => T;
  readonly last: (row: number) => T;
  readonly entry: (row: number) => number;
  /** A range of the same entry that follows on the last one lengthens it. */
  readonly push: (first: T, last: T, entry: number) => void;
};

/** Ranges of IPv4, whose columns can be read at once. */
export type Ipv4Ranges = Ranges<number> & {
  readonly columns: () => {
    readonly firsts: Uint32Array;
    readonly lasts: Uint32Array;
    readonly entries: Uint32Array;
  };
};

/** What ranges need to know of a family of addresses. */
export type Space<T extends number | bigint> = {
  readonly bits: number;
  readonly next: (address: T) => T;
  /**
   * Longest stretch that is one network: its first address is `first`, its last is not beyond `last`. All addresses are two
   * networks of /1: ipset and response policy zones have no /0.
   */
  readonly network: (first: T, last: T) => { readonly prefix: number; readonly end: T };
};

/** No IPv4 ranges yet: 12 bytes each. Room for what is expected costs nothing before it is used, and growing costs copies. */
export function createIpv4Ranges(expected = 0): Ipv4Ranges {
  const room = Math.max(1024, expected);
  let [firsts, lasts, entries] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)];
  let length = 0;
  return {
    length: () => length,
    first: (row) => firsts[row] ?? 0,
    last: (row) => lasts[row] ?? 0,
    entry: (row) => entries[row] ?? 0,
    push: (first, last, entry) => {
      if (length > 0 && entries[length - 1] === entry && (lasts[length - 1] ?? 0) + 1 === first) {
        lasts[length - 1] = last;
        return;
      }
      if (length === firsts.length)
        [firsts, lasts, entries] = [doubled(firsts), doubled(lasts), doubled(entries)];
      firsts[length] = first;
      lasts[length] = last;
      entries[length++] = entry;
    },
    columns: () => ({
      firsts: firsts.subarray(0, length),
      lasts: lasts.subarray(0, length),
      entries: entries.subarray(0, length),
    }),
  };
}

/** No IPv6 ranges yet. */
export function createIpv6Ranges(): Ranges<bigint> {
  const rows: { first: bigint; last: bigint; entry: number }[] = [];
  return {
    length: () => rows.length,
    first: (row) => rows[row]?.first ?? 0n,
    last: (row) => rows[row]?.last ?? 0n,
    entry: (row) => rows[row]?.entry ?? 0,
    push: (first, last, entry) => {
      const before = rows.at(-1);
      if (before?.entry === entry && before.last + 1n === first) before.last = last;
      else rows.push({ first, last, entry });
    },
  };
}

/** IPv4 addresses as unsigned 32-bit numbers. */
export const IPV4_SPACE: Space<number> = {
  bits: 32,
  next: (address) => address + 1,
  network: (first, last) => {
    const count = last - first + 1;
    // All 2^32 addresses have no logarithm below 32; two networks hold them.
    const fits = count > 0xffff_ffff ? 31 : 31 - Math.clz32(count);
    const bits = Math.min(fits, first === 0 ? 31 : trailingZeros32(first));
    return { prefix: 32 - bits, end: first + 2 ** bits - 1 };
  },
};

/** IPv6 addresses as numbers of 128 bits. */
export const IPV6_SPACE: Space<bigint> = {
  bits: 128,
  next: (address) => address + 1n,
  network: (first, last) => {
    if (first === last) return { prefix: 128, end: first };
    // The number of all addresses has no place in 128 bits: it comes out as 0, of which nothing is less than 127.
    const count = wordsOf(last - first + 1n);
    const fits = count.findIndex((word) => word !== 0);
    const logarithm = fits < 0 ? 127 : 127 - 32 * fits - Math.clz32(count[fits] ?? 0);
    const bits = Math.min(logarithm, trailingZeros128(wordsOf(first)), 127);
    return { prefix: 128 - bits, end: first + (1n << BigInt(bits)) - 1n };
  },
};

const trailingZeros32 = (word: number): number => 31 - Math.clz32(word & -word);

/** 128 of zero. */
function trailingZeros128(words: Ipv6Words): number {
  const word = words.findLastIndex((one) => one !== 0);
  return word < 0 ? 128 : 32 * (3 - word) + trailingZeros32(words[word] ?? 0);
}
