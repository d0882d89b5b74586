import { createColumn } from "../blocklist-index/columns.ts";

/** Ranges of addresses in ascending order that do not overlap, each with the number of its entry. */
export type Ranges<T extends number | bigint> = {
  readonly length: () => number;
  readonly first: (row: number) => T;
  readonly last: (row: number) => T;
  readonly entry: (row: number) => number;
  /** A range of the same entry that follows on the last one lengthens it. */
  readonly push: (first: T, last: T, entry: number) => void;
};

/** What ranges need to know of a family of addresses. */
export type Space<T extends number | bigint> = {
  readonly bits: number;
  readonly create: () => Ranges<T>;
  readonly next: (address: T) => T;
  /**
   * Longest stretch that is one network: its first address is `first`, its last is not beyond `last`. All addresses are two
   * networks of /1: ipset and response policy zones have no /0.
   */
  readonly network: (first: T, last: T) => { readonly prefix: number; readonly end: T };
};

/** No IPv4 ranges yet: 12 bytes each. */
function createIpv4Ranges(): Ranges<number> {
  const [firsts, lasts, entries] = [createColumn(), createColumn(), createColumn()];
  return {
    length: firsts.length,
    first: firsts.at,
    last: lasts.at,
    entry: entries.at,
    push: (first, last, entry) => {
      const row = firsts.length() - 1;
      if (row >= 0 && entries.at(row) === entry && lasts.at(row) + 1 === first) lasts.set(row, last);
      else {
        firsts.push(first);
        lasts.push(last);
        entries.push(entry);
      }
    },
  };
}

function createIpv6Ranges(): Ranges<bigint> {
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
  create: createIpv4Ranges,
  next: (address) => address + 1,
  network: (first, last) => {
    let prefix = 32;
    let size = 1;
    while (prefix > 1 && first % (size * 2) === 0 && first + size * 2 - 1 <= last) {
      size *= 2;
      prefix--;
    }
    return { prefix, end: first + size - 1 };
  },
};

/** IPv6 addresses as numbers of 128 bits. */
export const IPV6_SPACE: Space<bigint> = {
  bits: 128,
  create: createIpv6Ranges,
  next: (address) => address + 1n,
  network: (first, last) => {
    let prefix = 128;
    let size = 1n;
    while (prefix > 1 && (first & (size * 2n - 1n)) === 0n && first + size * 2n - 1n <= last) {
      size *= 2n;
      prefix--;
    }
    return { prefix, end: first + size - 1n };
  },
};
