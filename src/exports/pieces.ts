import { numberOfWords, type Regions, type VisitRegion, wordsOf } from "../blocklist-index/regions.ts";
import { publicDnsAddresses } from "../enrichment/catalogue/public-dns.ts";
import type { RouteRange, RouteRanges } from "../enrichment/ip/asn/routes.ts";
import { parseCidr } from "../targets/cidr.ts";
import { type Ip, readIp } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";

/** Where addresses stand beside what lists say of them. */
export type AddressContext = {
  /** The AS that announces them, where that says something; else null. */
  readonly asn: number | null;
  /** A public resolver's own address. */
  readonly isResolver: boolean;
  /** Neither of the two, and for no special purpose: the lists say everything. */
  readonly isPlain: boolean;
};

/**
 * Takes addresses in a row that the compiled data says the same of. `set` is that of the index; 0: no list names them, but
 * their AS or the table of public resolvers.
 */
export type VisitPiece<T extends number | bigint> = (
  first: T,
  last: T,
  set: number,
  place: AddressContext,
) => void;

/**
 * Ranges that are for special purposes, and what lies between them: an address there is judged by other rules. `::ffff:0:0/96` is
 * IPv4 and cannot be written as IPv6: the networks before and behind it make it a piece of its own.
 */
const SPECIAL_V4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.0.9/32", "192.0.0.10/32", "192.0.2.0/24", "192.88.99.2/32", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  "255.255.255.255/32",
];
const SPECIAL_V6 = [
  ...[
    "::/128",
    "::1/128",
    "::fffe:0:0/96",
    "::1:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2000::/3",
  ],
  ...["2001::/23", "2001::/32", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:20::/27"],
  ...["2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "ff00::/8"],
];

type Space<T extends number | bigint> = {
  readonly version: "v4" | "v6";
  readonly special: readonly string[];
  readonly start: T;
  /** Beyond the last address. */
  readonly end: T;
  readonly of: (ip: Ip) => T;
  readonly isSpecial: (address: T) => boolean;
  /** Number of addresses of a network. */
  readonly size: (prefix: number) => T;
  readonly plus: (a: T, b: T) => T;
  readonly next: (a: T) => T;
  readonly before: (a: T) => T;
};

const V4: Space<number> = {
  version: "v4",
  special: SPECIAL_V4,
  start: 0,
  end: 2 ** 32,
  of: (ip) => (ip.version === "v4" ? ip.value : 0),
  isSpecial: (address) => specialPurposeOf({ version: "v4", text: "", value: address }) !== null,
  size: (prefix) => 2 ** (32 - prefix),
  plus: (a, b) => a + b,
  next: (a) => a + 1,
  before: (a) => a - 1,
};

const V6: Space<bigint> = {
  version: "v6",
  special: SPECIAL_V6,
  start: 0n,
  end: 1n << 128n,
  of: (ip) => (ip.version === "v6" ? numberOfWords(ip.words) : 0n),
  isSpecial: (address) => specialPurposeOf({ version: "v6", text: "", words: wordsOf(address) }) !== null,
  size: (prefix) => 1n << BigInt(128 - prefix),
  plus: (a, b) => a + b,
  next: (a) => a + 1n,
  before: (a) => a - 1n,
};

/** The IPv4 side of an index in pieces, in ascending order. */
export const eachIpv4Piece = (regions: Regions, routes: RouteRanges | null, visit: VisitPiece<number>) =>
  walk(V4, { each: regions.eachIpv4, routes: routes?.v4 ?? [] }, visit);

/** The IPv6 side. */
export const eachIpv6Piece = (regions: Regions, routes: RouteRanges | null, visit: VisitPiece<bigint>) =>
  walk(V6, { each: regions.eachIpv6, routes: routes?.v6 ?? [] }, visit);

type Source<T extends number | bigint> = {
  readonly each: (visit: VisitRegion<T>) => void;
  readonly routes: readonly RouteRange<T>[];
};

/** Cuts each region wherever something else than the lists may change; between regions only what an AS or a table names is visited. */
function walk<T extends number | bigint>(
  space: Space<T>,
  { each, routes }: Source<T>,
  visit: VisitPiece<T>,
): void {
  const enter = createPlaces(space, routes);
  // Where the addresses from `reached` on stand, up to the one before `beyond`.
  let { place, beyond } = enter(space.start);
  let reached = space.start;
  const goTo = (address: T): void => {
    if (address < beyond) return;
    ({ place, beyond } = enter(address));
  };
  const cut = (first: T, last: T, set: number): void => {
    for (let from = first; from <= last; ) {
      goTo(from);
      const to = beyond <= last ? space.before(beyond) : last;
      if (set !== 0 || place.asn !== null || place.isResolver) visit(from, to, set, place);
      from = space.next(to);
    }
  };
  each((first, last, set) => {
    if (first > reached && !(place.isPlain && first <= beyond)) cut(reached, space.before(first), 0);
    if (last < beyond) visit(first, last, set, place);
    else cut(first, last, set);
    reached = space.next(last);
  });
  if (reached < space.end) cut(reached, space.before(space.end), 0);
}

/** Finds where an address stands, and up to where others stand so; asked in ascending order. */
function createPlaces<T extends number | bigint>(
  space: Space<T>,
  routes: readonly RouteRange<T>[],
): (address: T) => { readonly place: AddressContext; readonly beyond: T } {
  const resolvers = resolversOf(space);
  const cuts = cutsOf(space, routes, resolvers);
  let cut = 0;
  let route = 0;
  return (address) => {
    while ((cuts[cut] ?? space.end) <= address) cut++;
    while ((routes[route]?.last ?? space.end) < address) route++;
    const range = routes[route];
    const asn = range !== undefined && range.first <= address ? range.asn : null;
    // What begins at a cut: its first address speaks for all up to the next one.
    const start = cuts[cut - 1] ?? space.start;
    const isResolver = resolvers.has(start);
    const isPlain = asn === null && !isResolver && !space.isSpecial(start);
    return { place: { asn, isResolver, isPlain }, beyond: cuts[cut] ?? space.end };
  };
}

/** Public resolvers of the family, each a piece of its own. */
const resolversOf = <T extends number | bigint>({ version, of }: Space<T>): ReadonlySet<T> =>
  new Set(
    publicDnsAddresses().flatMap((text) => {
      const ip = readIp(text);
      return ip?.version === version ? [of(ip)] : [];
    }),
  );

function cutsOf<T extends number | bigint>(
  space: Space<T>,
  routes: readonly RouteRange<T>[],
  resolvers: ReadonlySet<T>,
): readonly T[] {
  const cuts = new Set<T>();
  const add = (first: T, beyond: T) => cuts.add(first).add(beyond);
  for (const text of space.special) {
    const { network, prefix } = parseCidr(text);
    const first = space.of(network);
    add(first, space.plus(first, space.size(prefix)));
  }
  for (const address of resolvers) add(address, space.next(address));
  for (const { first, last } of routes) add(first, space.next(last));
  return [...cuts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
