import {
  f64Section,
  type Sections,
  type Snapshot,
  u8Section,
  u32Section,
} from "../../../blocklist-index/snapshot.ts";
import { formatIpv4, formatIpv6, type Ip } from "../../../targets/ip.ts";
import { ipv4Intervals, ipv6Intervals, textTable } from "../../sections.ts";
import { textReader } from "../../text-table.ts";
import { findIpv4Row, findIpv6Row } from "../intervals.ts";
import type { AsnSystem } from "./asn.ts";
import { maskWord } from "./ris-dump.ts";
import { LENGTH_BITS, SEVERAL } from "./route-rows.ts";

/** A route that covers an address. */
type Route = {
  /** CIDR. */
  readonly prefix: string;
  /** All ASes that announce it, most seen first; at least one. */
  readonly origins: readonly number[];
};

/** Announced routes and names of systems, as far as their tables are there. */
export type RouteLookup = {
  /** Whether it holds the routes of a family. */
  readonly has: (version: Ip["version"]) => boolean;
  /** The most specific route; null when none covers the address. */
  readonly find: (ip: Ip) => Route | null;
  readonly systemOf: (asn: number) => AsnSystem;
  readonly fingerprint: string;
};

/** The routes of a snapshot that was read: about 30 MB. */
export function routesFrom({ sections, fingerprint, meta }: Snapshot): RouteLookup {
  const holds = contentsOf(meta);
  return {
    has: (version) => holds[version],
    find: routeFinder(sections),
    systemOf: systemReader(sections, holds),
    fingerprint,
  };
}

type Holds = { readonly v4: boolean; readonly v6: boolean; readonly names: boolean };

function contentsOf(meta: unknown): Holds {
  const holds = new Map(Object.entries(meta ?? {}));
  return { v4: holds.get("v4") === true, v6: holds.get("v6") === true, names: holds.get("names") === true };
}

function routeFinder(sections: Sections): RouteLookup["find"] {
  const v4 = ipv4Intervals(sections);
  const v6 = ipv6Intervals(sections);
  const forms = u8Section(sections, "route.form");
  const origins = u32Section(sections, "route.origin");
  const offsets = u32Section(sections, "sets.offsets");
  const members = u32Section(sections, "sets.members");
  return (ip) => {
    const row = ip.version === "v4" ? findIpv4Row(v4, ip.value) : findIpv6Row(v6, ip.words[0], ip.words[1]);
    if (row === 0) return null;
    const form = forms[row] ?? 0;
    const origin = origins[row] ?? 0;
    const prefix = prefixOf(ip, form & LENGTH_BITS);
    if ((form & SEVERAL) === 0) return { prefix, origins: [origin] };
    return { prefix, origins: [...members.subarray(offsets[origin] ?? 0, offsets[origin + 1] ?? 0)] };
  };
}

const prefixOf = (ip: Ip, length: number): string =>
  ip.version === "v4"
    ? `${formatIpv4(maskWord(ip.value, length))}/${length}`
    : `${formatIpv6([maskWord(ip.words[0], length), maskWord(ip.words[1], length - 32), 0, 0])}/${length}`;

function systemReader(sections: Sections, holds: Holds): RouteLookup["systemOf"] {
  const numbers = u32Section(sections, "as.number");
  const ipv4Prefixes = u32Section(sections, "as.ipv4Prefixes");
  const ipv6Prefixes = u32Section(sections, "as.ipv6Prefixes");
  const ipv4Addresses = f64Section(sections, "as.ipv4Addresses");
  const names = u32Section(sections, "as.name");
  const descriptions = u32Section(sections, "as.description");
  const countries = u32Section(sections, "as.country");
  const textOf = textReader(textTable(sections, "texts"));
  return (asn) => {
    // Row 0 announces nothing and is called nothing, as an AS that no table holds.
    const row = rowOfNumber(numbers, asn);
    const name = textOf(names[row] ?? 0);
    const country = textOf(countries[row] ?? 0);
    const isNamed = holds.names && (name !== "" || country !== "");
    return {
      org: textOf(descriptions[row] ?? 0),
      name: isNamed ? name : null,
      country: isNamed ? country : null,
      ipv4Prefixes: holds.v4 ? (ipv4Prefixes[row] ?? 0) : null,
      ipv6Prefixes: holds.v6 ? (ipv6Prefixes[row] ?? 0) : null,
      ipv4Addresses: holds.v4 ? (ipv4Addresses[row] ?? 0) : null,
    };
  };
}

/** Index of an AS number in ascending numbers, 0 when it is not among them. */
export function rowOfNumber(numbers: Uint32Array, asn: number): number {
  let low = 1;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < asn) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === asn ? low : 0;
}
