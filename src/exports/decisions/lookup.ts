import type { Cidr } from "../../targets/cidr.ts";
import type { Generation } from "../generation.ts";
import { type ExportRow, type ExportRows, rowReader } from "../rows.ts";

/** Which row of a generation names a network, in place of a scan. */
export type RowFinder = {
  /** The row that holds all of a network; null: there is none. */
  readonly covering: (network: Cidr) => ExportRow | null;
  /** The row of just this network. */
  readonly exact: (network: Cidr) => ExportRow | null;
};

/** Over a generation's columns: the rows of each family are disjoint and in ascending order. */
export function createRowFinder({ rows, labels }: Generation): RowFinder {
  const read = rowReader(rows, labels);
  const firstIpv6 = rows.v4.prefixes.length;
  const covering = ({ network, prefix }: Cidr): ExportRow | null => {
    const isIpv4 = network.version === "v4";
    const place = isIpv4 ? ipv4Place(rows, network.value, prefix) : ipv6Place(rows, network.words, prefix);
    return place === null ? null : read(isIpv4 ? place : firstIpv6 + place);
  };
  return {
    covering,
    exact: (network) => {
      const row = covering(network);
      return row?.prefix === network.prefix ? row : null;
    },
  };
}

/** Place among the rows of IPv4. */
function ipv4Place({ v4 }: ExportRows, address: number, prefix: number): number | null {
  const place = lastWhere(v4.prefixes.length, (at) => (v4.words[at] ?? 0) <= address);
  const length = v4.prefixes[place];
  if (length === undefined || length > prefix) return null;
  return sharesBits(v4.words[place] ?? 0, address, length) ? place : null;
}

/** Place among the rows of IPv6, which stand behind those of IPv4. */
function ipv6Place({ v6 }: ExportRows, words: readonly number[], prefix: number): number | null {
  const word = (place: number, i: number): number => v6.words[place * 4 + i] ?? 0;
  const isUpTo = (place: number): boolean => {
    for (const [i, own] of words.entries()) if (word(place, i) !== own) return word(place, i) < own;
    return true;
  };
  const place = lastWhere(v6.prefixes.length, isUpTo);
  const length = v6.prefixes[place];
  if (length === undefined || length > prefix) return null;
  return words.every((own, i) => sharesBits(word(place, i), own, length - 32 * i)) ? place : null;
}

/** Whether two words have the same first bits: none are asked for from 0 down, all from 32 up. */
const sharesBits = (one: number, other: number, bits: number): boolean =>
  bits <= 0 || (one ^ other) >>> Math.max(0, 32 - bits) === 0;

/** The last place below `count` for which the claim holds, where it holds up to some place and not beyond; -1: for none. */
function lastWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
