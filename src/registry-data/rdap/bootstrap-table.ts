import { type Cidr, cidrContains, readCidr } from "../../targets/cidr.ts";
import { isReservedAsn, isSpecialNetwork } from "../special-numbers.ts";
import type { RegionalRegistry } from "../types.ts";
import { cleanText, listOf, memberOf } from "./json.ts";

/** The four files of RFC 9224. */
const BOOTSTRAP_FILES = ["dns", "ipv4", "ipv6", "asn"] as const;
export type BootstrapFile = (typeof BOOTSTRAP_FILES)[number];

/** What a registry is looked for: a name in A-labels, a network (an address is its /32 or /128), an AS number. */
export type Subject =
  | { readonly kind: "domain"; readonly name: string }
  | { readonly kind: "ip"; readonly network: Cidr }
  | { readonly kind: "asn"; readonly number: number };

/**
 * Base address of the responsible server, ending in `/`; null when the subject is in no range. A special-purpose
 * network and a reserved AS number are only in ranges that are so themselves: some /8 around `192.0.2.0/24` is not meant.
 */
export type BootstrapTable = { readonly find: (subject: Subject) => string | null };

/** Whether a number is special-purpose or reserved: without a holder, where no list assigns it (design 10). */
export const isSpecialNumber = (subject: Subject): boolean =>
  (subject.kind === "ip" && isSpecialNetwork(subject.network)) ||
  (subject.kind === "asn" && isReservedAsn(subject.number));

/** The file that knows a subject. */
export const fileOf = (subject: Subject): BootstrapFile => {
  if (subject.kind === "ip") return subject.network.version === "v4" ? "ipv4" : "ipv6";
  return subject.kind === "asn" ? "asn" : "dns";
};

type Service = { readonly keys: readonly string[]; readonly url: string };

/**
 * A bootstrap file as a table, or null when it holds no service that can be used. `isUsable` judges a server's URL;
 * https goes before http. Longest match. Source: RFC 9224.
 */
export function readBootstrap(
  file: BootstrapFile,
  content: unknown,
  isUsable: (url: URL) => boolean,
): BootstrapTable | null {
  const services = servicesOf(content, isUsable);
  if (services.length === 0) return null;
  if (file === "dns") return domainTable(services);
  return file === "asn" ? asnTable(services) : networkTable(services);
}

function servicesOf(content: unknown, isUsable: (url: URL) => boolean): readonly Service[] {
  const services = memberOf(content, "services");
  if (!Array.isArray(services)) return [];
  return services.flatMap((service: unknown): Service[] => {
    if (!Array.isArray(service)) return [];
    const url = baseUrlOf(service[1], isUsable);
    const keys = Array.isArray(service[0]) ? service[0].map(cleanText).filter((key) => key !== null) : [];
    return url === null || keys.length === 0 ? [] : [{ keys, url }];
  });
}

function baseUrlOf(value: unknown, isUsable: (url: URL) => boolean): string | null {
  const urls = listOf(value)
    .map((text) => (typeof text === "string" ? URL.parse(text) : null))
    .filter((url) => url !== null && isUsable(url))
    .map((url) => url?.href ?? "");
  const best = urls.find((url) => url.startsWith("https:")) ?? urls[0];
  if (best === undefined) return null;
  return best.endsWith("/") ? best : `${best}/`;
}

/** Whole labels from the right; the longest entry wins. An empty entry is the root's. */
function domainTable(services: readonly Service[]): BootstrapTable {
  const urls = new Map<string, string>();
  for (const { keys, url } of services) for (const key of keys) urls.set(key.toLowerCase(), url);
  return {
    find: (subject) => {
      if (subject.kind !== "domain") return null;
      const labels = subject.name.split(".");
      for (let i = 0; i < labels.length; i++) {
        const url = urls.get(labels.slice(i).join("."));
        if (url !== undefined) return url;
      }
      return urls.get("") ?? null;
    },
  };
}

function networkTable(services: readonly Service[]): BootstrapTable {
  const ranges = services
    .flatMap(({ keys, url }) => keys.map((key) => ({ range: readCidr(key, { hostBits: "drop" }), url })))
    .flatMap(({ range, url }) => (range === null ? [] : [{ range, url, isSpecial: isSpecialNetwork(range) }]))
    .sort((a, b) => b.range.prefix - a.range.prefix);
  // Every lookup of an address asks, and nearly all ranges are a /8 or inside of one.
  const byFirstByte = Array.from({ length: 256 }, (_, byte) =>
    ranges.filter(({ range }) => range.prefix < 8 || firstByteOf(range) === byte),
  );
  const urlOf = (asked: Cidr): string | null => {
    const wantsSpecial = isSpecialNetwork(asked);
    const found = byFirstByte[firstByteOf(asked)]?.find(
      ({ range, isSpecial }) =>
        range.prefix <= asked.prefix && cidrContains(range, asked.network) && (isSpecial || !wantsSpecial),
    );
    return found?.url ?? null;
  };
  // Addresses that come again are asked about with one and the same network.
  const known = new WeakMap<Cidr, string | null>();
  return {
    find: (subject) => {
      if (subject.kind !== "ip") return null;
      const { network } = subject;
      const before = known.get(network);
      if (before !== undefined) return before;
      const url = urlOf(network);
      known.set(network, url);
      return url;
    },
  };
}

const firstByteOf = ({ network }: Cidr): number =>
  (network.version === "v4" ? network.value : network.words[0]) >>> 24;

type AsnRange = { readonly first: number; readonly last: number; readonly url: string };

function asnTable(services: readonly Service[]): BootstrapTable {
  const ranges = services
    .flatMap(({ keys, url }) => keys.map((key) => ({ range: asnRangeOf(key), url })))
    .flatMap(({ range, url }): AsnRange[] => (range === null ? [] : [{ ...range, url }]))
    .sort((a, b) => a.first - b.first || b.last - a.last);
  const urlOf = (number: number): string | null => {
    const found = rangeOf(ranges, number);
    if (found === null) return null;
    const isMeant = !isReservedAsn(number) || (isReservedAsn(found.first) && isReservedAsn(found.last));
    return isMeant ? found.url : null;
  };
  // A few systems hold most addresses.
  const known = new Map<number, string | null>();
  return {
    find: (subject) => {
      if (subject.kind !== "asn") return null;
      const { number } = subject;
      const before = known.get(number);
      if (before !== undefined) return before;
      const url = urlOf(number);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(number, url);
      return url;
    },
  };
}

/** AS numbers whose server is remembered. */
const MAX_KNOWN = 10_000;

/** How far back a range may begin that others begin inside of; IANA's do not overlap at all. */
const MAX_OVERLAPS = 16;

/** The range that begins last of those that hold the number: of ranges inside one another the narrowest. */
function rangeOf(ranges: readonly AsnRange[], number: number): AsnRange | null {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.first ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  for (let i = low - 1; i >= Math.max(0, low - MAX_OVERLAPS); i--) {
    const range = ranges[i];
    if (range !== undefined && number <= range.last) return range;
  }
  return null;
}

function asnRangeOf(text: string): { readonly first: number; readonly last: number } | null {
  const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last) };
}

const REGISTRIES: readonly (readonly [RegionalRegistry, RegExp])[] = [
  ["arin", /(^|\.)arin\.net$/],
  ["ripe", /(^|\.)ripe\.net$/],
  [
    "apnic",
    /(^|\.)(apnic\.net|nic\.ad\.jp|kisa\.or\.kr|krnic\.net|cnnic\.cn|cnnic\.net\.cn|twnic\.tw|twnic\.net(\.tw)?|idnic\.(id|net)|vnnic\.vn|vnnic\.net\.vn|irinn\.in)$/,
  ],
  ["lacnic", /(^|\.)(lacnic\.net|registro\.br|nic\.mx)$/],
  ["afrinic", /(^|\.)afrinic\.net$/],
];

/** The regional registry that a host name belongs to, the national ones of APNIC and LACNIC included; else null. */
export function registryOfHost(host: string): RegionalRegistry | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  return REGISTRIES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}
