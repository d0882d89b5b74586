import type { Listings } from "../../blocklist-index/types.ts";
import { type Cidr, networkOf } from "../../targets/cidr.ts";
import { type Ip, keyOfIp } from "../../targets/ip.ts";
import type { SpecialPurpose } from "../../targets/special-purpose.ts";
import type { AsnFacts } from "../facts.ts";
import { createRecent, REMEMBERED_ADDRESSES } from "../memoize.ts";
import { monthly, type TableDate } from "../table-age.ts";
import type { Asn } from "./asn/asn.ts";
import { asnFactsOf, type Origin, originOf } from "./asn-facts.ts";
import type { AddressUsage } from "./classify.ts";
import type { Geo } from "./geo/geo.ts";
import { createKnownUsage } from "./known-usage.ts";
import type { Coverage, NetworkHit, Networks } from "./networks.ts";
import { type Place, placeOf } from "./place-facts.ts";
import type { RegistryAnswers, SaidOfIp } from "./registry-facts.ts";
import type { ReverseName } from "./reverse-dns.ts";

/** The tables that are asked in place. */
export type IpTablesParts = {
  /** The bundled tables, null until they are prepared. */
  readonly geo: () => Geo | null;
  readonly asn: () => Asn | null;
  readonly listings: () => Listings | null;
  /** The operator's databases, which go first; asked of bogons too. */
  readonly operatorGeo: Geo | null;
  readonly operatorAsn: Asn | null;
  readonly networks: Networks;
};

/** What was said of an address last, and what beside its tables it was put together of. */
type SaidBefore = {
  readonly reverse: ReverseName;
  readonly registries: RegistryAnswers | null;
  readonly said: SaidOfIp;
};

/** What the tables in memory say of one address. */
export type TableFacts = {
  /** Room for the builder of an answer from these facts: it is kept as long as they are. */
  readonly memory: { before: SaidBefore | null };
  /** Whose place and network are meant: of 6to4, Teredo and NAT64 the IPv4 address inside. */
  readonly subject: Ip;
  /** The subject as a network of itself alone. */
  readonly network: Cidr;
  readonly special: SpecialPurpose | null;
  readonly isBogon: boolean;
  readonly place: Place | null;
  readonly hasGeo: boolean;
  readonly origin: Origin;
  readonly asn: AsnFacts;
  readonly usage: AddressUsage;
  /** Of the table that gave the place, or has none; null when there is none to ask. */
  readonly placeDate: TableDate | null;
  /** Milliseconds since the epoch: how old the oldest list of networks is that answers; null without any. */
  readonly listsAsOfMs: number | null;
  readonly areListsStale: boolean;
};

const knownUsageOf = createKnownUsage(2000);

export type IpTables = {
  readonly ask: (ip: Ip, special: SpecialPurpose | null, nowMs: number) => TableFacts;
  readonly originOf: (ip: Ip, isBogon: boolean) => Origin;
};

const NO_COVERAGE: Coverage = { flags: new Set(), networks: 0, missing: [], asOfMs: null, stale: false };
const NO_HITS: readonly NetworkHit[] = [];

/** Facts, and what they were drawn from: good as long as that is in force, a minute at most. */
type Known = {
  readonly sources: Sources;
  readonly coverage: Coverage;
  /** Milliseconds since the epoch; the clock may have been set back meanwhile. */
  readonly fromMs: number;
  readonly facts: TableFacts;
};

const KEPT_MS = 60_000;

const isRecent = (fromMs: number, nowMs: number): boolean => Math.abs(nowMs - fromMs) < KEPT_MS;

const NOTHING_ASKED: { readonly ip: Ip | null; readonly known: Known | undefined } = {
  ip: null,
  known: undefined,
};

export function createIpTables(parts: IpTablesParts): IpTables {
  const { networks } = parts;
  const sourcesFor = createSources(parts);
  const recent = createRecent<Known>(REMEMBERED_ADDRESSES);
  // One call asks for the origin, and then for all.
  let latest = NOTHING_ASKED;
  const knownOf = (ip: Ip): Known | undefined => {
    if (latest.ip !== ip) latest = { ip, known: recent.get(keyOfIp(ip)) };
    return latest.known;
  };
  return {
    originOf: (ip, isBogon) => {
      const sources = sourcesFor(isBogon);
      const known = knownOf(ip);
      return known?.sources === sources ? known.facts.origin : originIn(sources.asns, ip, isBogon);
    },
    ask: (ip, special, nowMs) => {
      const subject = special?.embeddedIpv4 ?? ip;
      const asked = { ip, subject, special, sources: sourcesFor(special?.isBogon ?? false) };
      const listings = parts.listings();
      if (listings === null) return factsOf(asked, NO_COVERAGE, () => NO_HITS);
      const coverage = networks.coverage(listings, subject.version, nowMs);
      const known = knownOf(ip);
      const isGood =
        known?.sources === asked.sources && known.coverage === coverage && isRecent(known.fromMs, nowMs);
      if (isGood) return known.facts;
      const hitsOf = (asn: number | null) => networks.find(listings, subject, asn, nowMs);
      const facts = factsOf(asked, coverage, hitsOf);
      const made = { sources: asked.sources, coverage, fromMs: nowMs, facts };
      recent.set(keyOfIp(ip), made);
      latest = { ip, known: made };
      return facts;
    },
  };
}

type Asked = Pick<TableFacts, "subject" | "special"> & { readonly ip: Ip; readonly sources: Sources };

function factsOf(
  { ip, subject, special, sources }: Asked,
  coverage: Coverage,
  hitsOf: (asn: number | null) => readonly NetworkHit[],
): TableFacts {
  const { geos, asns } = sources;
  const isBogon = special?.isBogon ?? false;
  const origin = originIn(asns, subject, isBogon);
  const asn = asnFactsOf(origin);
  const number = origin.row?.asn ?? null;
  const hits = hitsOf(number);
  const place = placeOf(geos, subject);
  return {
    memory: { before: null },
    subject,
    network: networkOf(subject),
    special,
    isBogon,
    place,
    hasGeo: geos.length > 0,
    origin,
    asn,
    usage: knownUsageOf({
      hits: isBogon ? hits.filter((hit) => !hit.builtin) : hits,
      coverage,
      address: ip.text,
      asn: number,
      isAsnKnown: origin.isKnown,
      asnType: asn.type,
    }),
    placeDate: geos.length === 0 ? null : monthly((place ?? geos.at(-1))?.publishedAt ?? null),
    listsAsOfMs: isBogon ? null : coverage.asOfMs,
    areListsStale: !isBogon && coverage.stale,
  };
}

function originIn(asns: readonly Asn[], ip: Ip, isBogon: boolean): Origin {
  const origin = originOf(ip, asns);
  // No table is needed to know that a bogon has no route.
  return isBogon && !origin.isKnown ? { ...origin, isKnown: true } : origin;
}

/** The tables to ask. */
type Sources = { readonly geos: readonly Geo[]; readonly asns: readonly Asn[] };

/** Bogons have no holder: only the operator's tables are asked of them. */
function createSources(parts: IpTablesParts): (isBogon: boolean) => Sources {
  const { operatorGeo, operatorAsn } = parts;
  const ofBogons = sourcesOf([operatorGeo], [operatorAsn]);
  let latest = { geo: parts.geo(), asn: parts.asn(), sources: ofBogons };
  latest = { ...latest, sources: sourcesOf([operatorGeo, latest.geo], [operatorAsn, latest.asn]) };
  return (isBogon) => {
    if (isBogon) return ofBogons;
    const geo = parts.geo();
    const asn = parts.asn();
    if (latest.geo !== geo || latest.asn !== asn) {
      latest = { geo, asn, sources: sourcesOf([operatorGeo, geo], [operatorAsn, asn]) };
    }
    return latest.sources;
  };
}

const sourcesOf = (geos: readonly (Geo | null)[], asns: readonly (Asn | null)[]): Sources => ({
  geos: geos.filter((geo) => geo !== null),
  asns: asns.filter((asn) => asn !== null),
});
