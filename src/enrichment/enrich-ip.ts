import type { Clock } from "../clock.ts";
import type { Listings } from "../listings/listings.ts";
import type { Dns } from "../net/dns-types.ts";
import type { Ip } from "../targets/ip.ts";
import { type SpecialPurpose, specialPurposeOf } from "../targets/special-purpose.ts";
import type { Asn } from "./asn/asn.ts";
import { asnFactsOf, type Origin, originOf, unknownAsnFields } from "./asn-facts.ts";
import { type AsnListing, createAsnListing } from "./asn-listing.ts";
import { botFactsOf } from "./bot-facts.ts";
import { type Usage, usageOf } from "./classify.ts";
import { countryFactsOf, NO_COUNTRY } from "./country.ts";
import type { AsnFacts, Information, IpFacts } from "./facts.ts";
import type { Geo, GeoRow } from "./geo/geo.ts";
import type { Coverage, NetworkHit, Networks } from "./networks.ts";
import { createReverseDns, NOT_ASKED, type ReverseAnswer, type ReverseDns } from "./reverse-dns.ts";
import type { VendorEnrichment } from "./vendor.ts";
import { type Patience, within } from "./within.ts";

export type EnrichmentContext = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the answer must go out. */
  readonly deadlineMs: number;
};

export type IpEnrichment = {
  /** Everything known of the address beside the lists of the engines. Never rejects for an upstream's sake. */
  readonly enrich: (
    ip: Ip,
    special: SpecialPurpose | null,
    context: EnrichmentContext,
  ) => Promise<{ readonly facts: IpFacts; readonly vendor: VendorEnrichment | null }>;
  /** Number of the origin AS; null when no route is known. A table look-up of about a microsecond. */
  readonly asnOf: (ip: Ip) => number | null;
};

export type IpEnrichmentParts = {
  /** The bundled tables, null until they are prepared. */
  readonly geo: () => Geo | null;
  readonly asn: () => Asn | null;
  readonly listings: () => Listings | null;
  /** The operator's databases, which go first; asked of bogons too. */
  readonly operatorGeo: Geo | null;
  readonly operatorAsn: Asn | null;
  readonly networks: Networks;
  readonly dns: Pick<Dns, "query" | "configured">;
  readonly clock: Clock;
  readonly options: {
    /** `dns.timeout_ms`: of one question. */
    readonly dnsTimeoutMs: number;
    /** `enrichment.asn_listing.zone`. */
    readonly asnListingZone: string | null;
  };
};

const DAY_MS = 86_400_000;

/** Geography and ASN older than this are called stale: their publishers renew them at least monthly. */
const TABLE_STALE_MS = 30 * DAY_MS;

/** Kept back of the deadline for putting the answer together. */
const REPORT_MS = 20;

/** The enrichment of addresses: tables are asked in place, only reverse DNS and the AS zone are waited for. */
export function createIpEnrichment(parts: IpEnrichmentParts): IpEnrichment {
  const { dns, clock, options } = parts;
  const timeoutMs = options.dnsTimeoutMs;
  const reverse = createReverseDns({ dns, clock, timeoutMs });
  const zone = options.asnListingZone;
  const listing = zone === null ? null : createAsnListing({ zone, dns, clock, timeoutMs });
  return {
    asnOf: (ip) => {
      const special = specialPurposeOf(ip);
      return originFor(parts, special?.embeddedIpv4 ?? ip, special?.isBogon ?? false).row?.asn ?? null;
    },
    enrich: async (ip, special, context) => {
      const tables = askTables(parts, ip, special);
      const withinMs = Math.min(2 * timeoutMs, context.deadlineMs - REPORT_MS - clock.monotonicMs());
      const patience = { signal: context.signal, withinMs };
      const [reverseAnswer, vendor] = await Promise.all([
        findReverse(reverse, tables, { parts, ip, patience }),
        findListing(listing, tables, { ...patience, clock }),
      ]);
      return { facts: factsOf(tables, reverseAnswer, clock.now().getTime()), vendor };
    },
  };
}

function findReverse(
  reverse: ReverseDns,
  { isBogon }: Tables,
  asked: { parts: IpEnrichmentParts; ip: Ip; patience: Patience },
): Promise<ReverseAnswer> | ReverseAnswer {
  if (isBogon && !asked.parts.dns.configured) return { reverse: NOT_ASKED, cached: false };
  const kept = reverse.peek(asked.ip);
  return kept === null ? reverse.find(asked.ip, asked.patience) : { reverse: kept, cached: true };
}

async function findListing(
  listing: AsnListing | null,
  { isBogon, origin }: Tables,
  patience: Patience & Pick<IpEnrichmentParts, "clock">,
): Promise<VendorEnrichment | null> {
  if (listing === null || isBogon || origin.row === null || patience.withinMs <= 0) return null;
  return within(listing.find(origin.row.asn), null, patience);
}

/** What the tables in memory say of one address. */
type Tables = {
  readonly special: SpecialPurpose | null;
  readonly isBogon: boolean;
  readonly place: { readonly row: GeoRow; readonly source: string } | null;
  readonly hasGeo: boolean;
  readonly origin: Origin;
  readonly asn: AsnFacts;
  readonly usage: Usage;
  /** Milliseconds since the epoch of every source that answered. */
  readonly asOfMs: readonly number[];
  readonly stale: boolean;
};

const NO_COVERAGE: Coverage = { flags: new Set(), networks: 0, missing: [], asOfMs: null, stale: false };

function askTables(parts: IpEnrichmentParts, ip: Ip, special: SpecialPurpose | null): Tables {
  // 6to4, Teredo and NAT64: place and network are those of the IPv4 address inside.
  const subject = special?.embeddedIpv4 ?? ip;
  const isBogon = special?.isBogon ?? false;
  const nowMs = parts.clock.now().getTime();
  const geos = present([parts.operatorGeo, isBogon ? null : parts.geo()]);
  const asns = present([parts.operatorAsn, isBogon ? null : parts.asn()]);
  const origin = originFor(parts, subject, isBogon);
  const asn = asnFactsOf(origin);
  const listings = parts.listings();
  const coverage =
    listings === null ? NO_COVERAGE : parts.networks.coverage(listings, subject.version, nowMs);
  const usage = usageOf({
    hits: listings === null ? [] : hitsOf(parts.networks, { listings, subject, origin, isBogon, nowMs }),
    coverage,
    address: ip.text,
    asn: origin.row?.asn ?? null,
    isAsnKnown: origin.isKnown,
    asnType: asn.type,
  });
  const dates = present([...geos, ...asns].map(({ publishedAt }) => publishedAt)).map(instantMs);
  const listAgeMs = isBogon ? null : coverage.asOfMs;
  return {
    special,
    isBogon,
    place: placeOf(geos, subject),
    hasGeo: geos.length > 0,
    origin,
    asn,
    usage,
    asOfMs: listAgeMs === null ? dates : [...dates, listAgeMs],
    stale: (!isBogon && coverage.stale) || dates.some((date) => nowMs - date > TABLE_STALE_MS),
  };
}

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

const instants = new Map<string, number>();

/** Milliseconds of an ISO 8601 date; the handful of publishers' dates is read once each. */
function instantMs(text: string): number {
  const known = instants.get(text) ?? Date.parse(text);
  if (instants.size < 100) instants.set(text, known);
  return known;
}

function originFor(parts: IpEnrichmentParts, subject: Ip, isBogon: boolean): Origin {
  const tables = present([parts.operatorAsn, isBogon ? null : parts.asn()]);
  const origin = originOf((table) => table.find(subject), tables);
  // No table is needed to know that a bogon has no route.
  return isBogon ? { ...origin, isKnown: true } : origin;
}

function hitsOf(
  networks: Networks,
  asked: { listings: Listings; subject: Ip; origin: Origin; isBogon: boolean; nowMs: number },
): readonly NetworkHit[] {
  const { listings, subject, origin, isBogon, nowMs } = asked;
  const hits = networks.find(listings, subject, origin.row?.asn ?? null, nowMs);
  return isBogon ? hits.filter((hit) => !hit.builtin) : hits;
}

/** One source's whole row, the operator's first; never mixed. */
function placeOf(geos: readonly Geo[], ip: Ip): Tables["place"] {
  for (const geo of geos) {
    const row = geo.find(ip);
    if (row !== null) return { row, source: geo.source };
  }
  return null;
}

function factsOf(tables: Tables, { reverse, cached }: ReverseAnswer, nowMs: number): IpFacts {
  const { asn, usage, isBogon, special } = tables;
  const bots = botFactsOf(reverse, usage);
  const oldestMs = tables.asOfMs.reduce((oldest, date) => Math.min(oldest, date), Number.POSITIVE_INFINITY);
  return {
    information: {
      ...bots.information,
      ...geographyOf(tables.place),
      isp: asn.org,
      asn: asn.asn,
      is_bogon: isBogon,
      special_purpose: special && {
        name: special.name,
        rfc: special.rfc,
        embedded_ipv4: special.embeddedIpv4?.text ?? null,
      },
      ...usage.information,
    },
    asn,
    anonymity: usage.anonymity,
    unknownFields: unknownFieldsOf(tables, bots.unknown),
    dataAgeS: Number.isFinite(oldestMs) ? Math.max(0, Math.floor((nowMs - oldestMs) / 1000)) : null,
    stale: tables.stale,
    cached,
  };
}

type Geography = Pick<
  Information,
  | keyof typeof NO_COUNTRY
  | "region_name"
  | "city_name"
  | "latitude"
  | "longitude"
  | "geo_source"
  | "geo_accuracy"
>;

function geographyOf(place: Tables["place"]): Geography {
  if (place === null) return { ...NO_COUNTRY, ...NOWHERE };
  const { row, source } = place;
  return {
    ...countryFactsOf(row.countryCode),
    region_name: row.regionName,
    city_name: row.cityName,
    latitude: row.latitude,
    longitude: row.longitude,
    geo_source: source,
    geo_accuracy: row.accuracy,
  };
}

const NOWHERE = {
  region_name: "",
  city_name: "",
  latitude: 0,
  longitude: 0,
  geo_source: "",
  geo_accuracy: "none",
} as const;

const GEOGRAPHY_FIELDS = [
  ...Object.keys(NO_COUNTRY),
  "region_name",
  "city_name",
  "latitude",
  "longitude",
  "geo_accuracy",
].map((field) => `information.${field}`);

/** Sorted. Of a bogon only reverse DNS can be unknown: nobody but its own network knows anything of it. */
function unknownFieldsOf(tables: Tables, botFields: readonly string[]): readonly string[] {
  const unknown = new Set(botFields);
  if (!tables.isBogon) {
    for (const field of tables.usage.unknown) unknown.add(field);
    for (const field of unknownAsnFields(tables.asn, tables.origin)) unknown.add(field);
    if (!tables.hasGeo) for (const field of GEOGRAPHY_FIELDS) unknown.add(field);
  }
  return [...unknown].sort();
}
