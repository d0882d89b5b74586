import { formatIpv4 } from "../targets/ip.ts";
import { createAddressDetailCollector, openAddressDetails } from "./address-details.ts";
import { type Boundaries, createBoundaries } from "./boundaries.ts";
import { createColumn, narrowed } from "./columns.ts";
import type { DetailCollector, DetailTable } from "./details.ts";
import type { IndexRows } from "./rows.ts";
import { createSetCollector, longestPrefixes, openSets } from "./sets.ts";
import { type Sections, u8Section, u16Section, u32Section, uintSection } from "./snapshot.ts";
import { sweep } from "./sweep.ts";
import { isRange, type Listing } from "./types.ts";

const NONE: readonly Listing[] = Object.freeze([]);

/** Compiles the IPv4 entries of all lists; the layout stands in builder.ts. */
export function compileIpv4(rows: IndexRows, details: DetailCollector, listCount: number): Sections {
  const sets = createSetCollector();
  const boundaries = createBoundaries(1);
  const entryDetails = createAddressDetailCollector(1);
  const { newer } = details;
  sweep(rows, sets, { layerPrefix: 32, boundary: boundaries.add, newer, detail: entryDetails.add });
  const setSections = sets.sections("v4");
  const longest = longestPrefixes(openSets(setSections, "v4"));
  return {
    ...bucketSections(boundaries, longest),
    ...setSections,
    "v4.longest": longest,
    ...entryDetails.sections("v4.detail", listCount),
  };
}

/** Sorts the boundaries into buckets of their upper 16 bits, each of which can be read by itself. */
function bucketSections({ words, sets }: Boundaries, longest: Uint8Array): Sections {
  const starts = words[0]?.values() ?? new Uint32Array();
  const ids = sets.values();
  const directory = new Uint32Array(65537);
  const lows = createColumn();
  const bucketIds = createColumn();
  let row = 0;
  for (let bucket = 0; bucket < 65536; bucket++) {
    directory[bucket] = lows.length();
    const first = bucket * 65536;
    // A network of /0 to /15 that began in an earlier bucket goes on here.
    const before = ids[row - 1] ?? 0;
    const goesOn = before !== 0 && isInside(first, starts[row - 1] ?? 0, longest[before] ?? 0);
    if (goesOn && starts[row] !== first) {
      lows.push(0);
      bucketIds.push(before);
    }
    for (; row < starts.length && (starts[row] ?? 0) < first + 65536; row++) {
      lows.push((starts[row] ?? 0) - first);
      bucketIds.push(ids[row] ?? 0);
    }
  }
  directory[65536] = lows.length();
  return {
    "v4.directory": directory,
    "v4.lows": Uint16Array.from(lows.values()),
    "v4.sets": narrowed(bucketIds.values()),
  };
}

const isInside = (address: number, network: number, prefix: number): boolean =>
  prefix === 0 || (address ^ network) >>> (32 - prefix) === 0;

/** Lookup in the IPv4 part of a snapshot, by an unsigned 32-bit number. 0.2 µs for an address that no list has. */
export function openIpv4(sections: Sections, details: DetailTable): (value: number) => readonly Listing[] {
  const directory = u32Section(sections, "v4.directory");
  const lows = u16Section(sections, "v4.lows");
  const sets = uintSection(sections, "v4.sets");
  const longest = u8Section(sections, "v4.longest");
  const listingsOf = createReader(sections, details);
  return (value) => {
    const bucket = value >>> 16;
    const wanted = value & 0xffff;
    const first = directory[bucket] ?? 0;
    let low = first;
    let high = directory[bucket + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((lows[middle] ?? 0) <= wanted) low = middle + 1;
      else high = middle;
    }
    if (low === first) return NONE;
    const set = sets[low - 1] ?? 0;
    const prefix = longest[set] ?? 0;
    // Bits above the bucket are equal anyway, so that only prefixes beyond /16 can tell.
    if (prefix > 16 && ((lows[low - 1] ?? 0) ^ wanted) >>> (32 - prefix) !== 0) return NONE;
    return listingsOf(set, value);
  };
}

function createReader(sections: Sections, details: DetailTable) {
  const { starts, lists, extras: prefixes } = openSets(sections, "v4");
  const entries = openAddressDetails(sections, "v4.detail", 1);
  const words = [0];
  return (set: number, value: number): readonly Listing[] => {
    const end = starts[set + 1] ?? 0;
    const listings: Listing[] = [];
    let formatted = -1;
    let text = "";
    for (let row = starts[set] ?? 0; row < end; row++) {
      const list = lists[row] ?? 0;
      const prefix = prefixes[row] ?? 0;
      const network = prefix === 0 ? 0 : (value & (-1 << (32 - prefix))) >>> 0;
      if (formatted !== prefix) {
        text = prefix === 32 ? formatIpv4(network) : `${formatIpv4(network)}/${prefix}`;
        formatted = prefix;
      }
      words[0] = network;
      const detail = details.read(entries.find(list, words, prefix));
      listings.push({ list, value: text, exact: prefix === 32 && !isRange(detail), detail });
    }
    return listings;
  };
}
