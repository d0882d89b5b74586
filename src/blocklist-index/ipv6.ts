import { formatIpv6, type Ipv6Words } from "../targets/ip.ts";
import { createAddressDetailCollector, openAddressDetails } from "./address-details.ts";
import { boundarySections, createBoundaries } from "./boundaries.ts";
import type { DetailCollector, DetailTable } from "./details.ts";
import type { IndexRows } from "./rows.ts";
import { createSetCollector, longestPrefixes, openSets } from "./sets.ts";
import { type Sections, u8Section, u32Section, uintSection } from "./snapshot.ts";
import { sweep } from "./sweep.ts";
import { isRange, type Listing } from "./types.ts";

const NONE: readonly Listing[] = Object.freeze([]);
/** Longer prefixes stand in the deep layer, with all four words. */
const LAYER_PREFIX = 64;

/** Compiles the IPv6 entries of all lists; the layout stands in builder.ts. */
export function compileIpv6(rows: IndexRows, details: DetailCollector, listCount: number): Sections {
  const sets = createSetCollector();
  const shallow = createBoundaries(2);
  const deep = createBoundaries(4);
  const entryDetails = createAddressDetailCollector(4);
  sweep(rows, sets, {
    layerPrefix: LAYER_PREFIX,
    boundary: (words, set, isDeep) => (isDeep ? deep : shallow).add(words, set),
    newer: details.newer,
    detail: entryDetails.add,
  });
  const setSections = sets.sections("v6");
  return {
    ...boundarySections(shallow, "v6.shallow"),
    ...boundarySections(deep, "v6.deep"),
    ...setSections,
    "v6.longest": longestPrefixes(openSets(setSections, "v6")),
    ...entryDetails.sections("v6.detail", listCount),
  };
}

/** Lookup in the IPv6 part of a snapshot. */
export function openIpv6(sections: Sections, details: DetailTable): (words: Ipv6Words) => readonly Listing[] {
  const longest = u8Section(sections, "v6.longest");
  const deep = openLayer(sections, "v6.deep", 4, longest);
  const shallow = openLayer(sections, "v6.shallow", 2, longest);
  const listingsOf = createReader(sections, details);
  return (words) => {
    // A set of the deep layer names the lists of the networks around it too.
    const set = deep(words) || shallow(words);
    return set === 0 ? NONE : listingsOf(set, words);
  };
}

/** The set that a layer has for an address, 0 where no network of the layer contains it. */
function openLayer(sections: Sections, prefix: string, width: number, longest: Uint8Array) {
  const columns = Array.from({ length: width }, (_, w) => u32Section(sections, `${prefix}.word${w}`));
  const sets = uintSection(sections, `${prefix}.sets`);
  const network = [0, 0, 0, 0];
  return (words: Ipv6Words): number => {
    const row = lastRowUpTo(columns, words, sets.length);
    if (row < 0) return 0;
    for (let w = 0; w < width; w++) network[w] = columns[w]?.[row] ?? 0;
    const set = sets[row] ?? 0;
    return isInside(words, network, longest[set] ?? 0) ? set : 0;
  };
}

/** The last row that is not greater than the words, -1 when all are. */
function lastRowUpTo(columns: readonly Uint32Array[], words: Ipv6Words, rows: number): number {
  // Rows `from` to `to` are equal to the words so far; all rows before them are smaller.
  let from = 0;
  let to = rows;
  for (let w = 0; w < columns.length; w++) {
    const column = columns[w];
    const word = words[w] ?? 0;
    if (column === undefined) break;
    to = firstAbove(column, word, from, to);
    if (to === from || column[to - 1] !== word) break;
    // Most often the row is the only one with this word.
    from = column[to - 2] === word ? firstAbove(column, word - 1, from, to) : to - 1;
  }
  return to - 1;
}

/** The first row from `from` to `to` with a greater word, else `to`. */
function firstAbove(column: Uint32Array, word: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isInside(words: Ipv6Words, network: readonly number[], prefix: number): boolean {
  const whole = prefix >>> 5;
  for (let w = 0; w < whole; w++) if (words[w] !== network[w]) return false;
  const rest = prefix & 31;
  return rest === 0 || ((words[whole] ?? 0) ^ (network[whole] ?? 0)) >>> (32 - rest) === 0;
}

function createReader(sections: Sections, details: DetailTable) {
  const { starts, lists, extras: prefixes } = openSets(sections, "v6");
  const entries = openAddressDetails(sections, "v6.detail", 4);
  return (set: number, words: Ipv6Words): readonly Listing[] => {
    const end = starts[set + 1] ?? 0;
    const listings: Listing[] = [];
    let network = words;
    let formatted = -1;
    let value = "";
    for (let row = starts[set] ?? 0; row < end; row++) {
      const list = lists[row] ?? 0;
      const prefix = prefixes[row] ?? 0;
      if (formatted !== prefix) {
        network = networkOf(words, prefix);
        value = prefix === 128 ? formatIpv6(network) : `${formatIpv6(network)}/${prefix}`;
        formatted = prefix;
      }
      const detail = details.read(entries.find(list, network, prefix));
      listings.push({ list, value, exact: prefix === 128 && !isRange(detail), detail });
    }
    return listings;
  };
}

/** An address with the bits after `prefix` cleared. */
export function networkOf(words: Ipv6Words, prefix: number): Ipv6Words {
  const kept = (w: number): number => {
    const bits = prefix - w * 32;
    if (bits <= 0) return 0;
    return bits >= 32 ? (words[w] ?? 0) : ((words[w] ?? 0) & (-1 << (32 - bits))) >>> 0;
  };
  return [kept(0), kept(1), kept(2), kept(3)];
}
