import { ageSeconds, type Clock } from "../../base/clock.ts";
import type { CacheMetrics } from "../../base/metrics.ts";
import type { Dns } from "../../net/dns/dns-types.ts";
import { type WaitLimit, within } from "../../net/within.ts";
import type { Registrations } from "../../registry-data/lookup.ts";
import type { Ip } from "../../targets/ip.ts";
import { type SpecialPurpose, specialPurposeOf } from "../../targets/special-purpose.ts";
import type { Anonymity, IpAges, IpFacts } from "../facts.ts";
import type { RecordApi } from "../record-api.ts";
import { tableAge } from "../table-age.ts";
import { type Fields, sortedFields } from "../unknown-fields.ts";
import type { VendorAnswer } from "../vendor.ts";
import { lowestOrigin, unknownAsnFields } from "./asn-facts.ts";
import { type AsnListing, createAsnListing } from "./asn-listing.ts";
import { type BotFacts, botFactsOf } from "./bot-facts.ts";
import type { AddressUsage } from "./classify.ts";
import { createIpTables, type IpTablesParts, type TableFacts } from "./ip-tables.ts";
import { countryAt, GEOGRAPHY_FIELDS, unknownOfPlace, whereIs } from "./place-facts.ts";
import {
  ageOfRegistries,
  askRegistries,
  isSameAnswer,
  type RegistryAnswers,
  type SaidOfIp,
  withRegistries,
} from "./registry-facts.ts";
import {
  createReverseDns,
  NOT_ASKED,
  type ReverseAnswer,
  type ReverseDns,
  type ReverseName,
} from "./reverse-dns.ts";

type EnrichmentContext = {
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which the answer must go out. */
  readonly deadlineMs: number;
};

/** What the tables say of an address, and how old they are. */
export type DescribedIp = Pick<IpFacts, "information" | "asn" | "ages">;

/** What of an address adds to its score or takes from it, by the tables in memory. */
type IpFlags = {
  readonly ages: IpAges;
  readonly information: BotFacts["information"] & AddressUsage["information"];
  readonly anonymity: Anonymity;
};

/** Everything known of an address beside the lists of the engines. */
export type EnrichedIp = { readonly facts: IpFacts; readonly vendor: VendorAnswer | null };

export type IpEnrichment = {
  /** Never rejects for an upstream's sake; at once where all is in memory. */
  readonly enrich: (
    ip: Ip,
    special: SpecialPurpose | null,
    context: EnrichmentContext,
  ) => Promise<EnrichedIp> | EnrichedIp;
  /** Place and network by the tables in memory, as hosts of a domain are shown with; nothing is waited for. */
  readonly describe: (ip: Ip) => DescribedIp;
  /** What the score rests on beside the lists: by the tables, and by a reverse name that was asked for before. */
  readonly flagsOf: (ip: Ip, special: SpecialPurpose | null) => IpFlags;
  /** Number of the origin AS; null when no route is known. `special`: where it is known already. A table lookup of about a microsecond. */
  readonly asnOf: (ip: Ip, special?: SpecialPurpose | null) => number | null;
};

export type IpEnrichmentParts = IpTablesParts & {
  /** The operator's service of records; it wins over the AS zone. Null: not configured. */
  readonly records: RecordApi | null;
  readonly dns: Pick<Dns, "query" | "recall" | "configured" | "isOff">;
  readonly registrations: Pick<Registrations, "ip" | "asn" | "registryOfAsn">;
  readonly clock: Clock;
  /** Default: not counted. */
  readonly metrics?: CacheMetrics | null;
  readonly options: {
    /** `dns.timeout_ms`: of one question. */
    readonly dnsTimeoutMs: number;
    /** `enrichment.asn_listing.zone`. */
    readonly asnListingZone: string | null;
  };
};

/** Kept back of the deadline for putting the answer together. */
const REPORT_MS = 20;

/** The enrichment of addresses: tables are asked in place, only reverse DNS and the AS zone are waited for. */
export function createIpEnrichment(parts: IpEnrichmentParts): IpEnrichment {
  const { dns, clock, options, metrics } = parts;
  const timeoutMs = options.dnsTimeoutMs;
  const reverse = createReverseDns({ dns, clock, timeoutMs, count: metrics?.cache("reverse_dns") ?? null });
  const zone = options.asnListingZone;
  const listing =
    zone === null
      ? null
      : createAsnListing({ zone, dns, clock, timeoutMs, count: metrics?.cache("asn_listing") ?? null });
  const tables = createIpTables(parts);
  const isVendorAsked = listing !== null || parts.records !== null;
  return {
    describe: (ip) => {
      const nowMs = clock.now().getTime();
      const known = tables.ask(ip, specialPurposeOf(ip), nowMs);
      return { ...saidByTables(known, NOT_ASKED), ages: agesOfTables(known, false, nowMs) };
    },
    flagsOf: (ip, special) => {
      const nowMs = clock.now().getTime();
      const known = tables.ask(ip, special, nowMs);
      const bots = botFactsOf(reverse.known(ip) ?? NOT_ASKED, known.usage);
      return {
        information: { ...bots.information, ...known.usage.information },
        anonymity: known.usage.anonymity,
        ages: agesOfTables(known, false, nowMs),
      };
    },
    asnOf: (ip, special = specialPurposeOf(ip)) => {
      return tables.originOf(special?.embeddedIpv4 ?? ip, special?.isBogon ?? false).row?.asn ?? null;
    },
    enrich: (ip, special, context) => {
      const known = tables.ask(ip, special, clock.now().getTime());
      const withinMs = Math.min(2 * timeoutMs, context.deadlineMs - REPORT_MS - clock.monotonicMs());
      const patience = { signal: context.signal, withinMs };
      const name = findReverse(reverse, known, { parts, ip, patience });
      const record = isVendorAsked
        ? findVendor({ listing, records: parts.records }, ip, known, { ...patience, clock })
        : null;
      const asn = known.origin.row?.asn ?? null;
      const registries = known.isBogon ? null : askRegistries(parts, known.network, asn, context);
      // Mostly all is known: a promise for what is there costs a turn of its own.
      if (name instanceof Promise || record instanceof Promise || registries instanceof Promise) {
        return Promise.all([name, record, registries]).then((all) => answerOf(known, all, clock.now()));
      }
      return answerOf(known, [name, record, registries], clock.now());
    },
  };
}

type Answers = readonly [ReverseAnswer, VendorAnswer | null, RegistryAnswers | null];

/** What is said of an address: the same as before where nothing of what it is put together of has changed. */
function saidOf(
  tables: TableFacts,
  reverse: ReverseName,
  registries: RegistryAnswers | null,
  now: Date,
): SaidOfIp {
  const { before } = tables.memory;
  if (before?.reverse === reverse && isSameAnswer(before.registries, registries)) return before.said;
  const ofTables = saidByTables(tables, reverse);
  const said = registries === null ? ofTables : withRegistries(ofTables, registries, now);
  tables.memory.before = { reverse, registries, said };
  return said;
}

function answerOf(
  tables: TableFacts,
  [{ reverse, cached }, vendor, registries]: Answers,
  now: Date,
): EnrichedIp {
  const { information, asn, anonymity, unknownFields } = saidOf(tables, reverse, registries, now);
  const registry = ageOfRegistries(registries, now);
  const ages = { ...agesOfTables(tables, cached, now.getTime()), registry };
  return { facts: { information, asn, anonymity, unknownFields, ages }, vendor };
}

function findReverse(
  reverse: ReverseDns,
  { isBogon }: TableFacts,
  asked: { parts: IpEnrichmentParts; ip: Ip; patience: WaitLimit },
): Promise<ReverseAnswer> | ReverseAnswer {
  if (isBogon && !asked.parts.dns.configured) return { reverse: NOT_ASKED, cached: false };
  return reverse.find(asked.ip, asked.patience);
}

type Vendors = { readonly listing: AsnListing | null; readonly records: RecordApi | null };

/** A record of the address itself wins over the listing of its AS; one upstream's silence leaves a listing of the other's, but no "not listed". */
async function findVendor(
  { listing, records }: Vendors,
  ip: Ip,
  { isBogon, origin }: TableFacts,
  patience: WaitLimit & Pick<IpEnrichmentParts, "clock">,
): Promise<VendorAnswer | null> {
  if (isBogon || patience.withinMs <= 0) return null;
  const isZoneAsked = listing !== null && origin.row !== null;
  const [record, listed] = await Promise.all([
    records === null ? null : within(records.find(ip.text), null, patience),
    listing === null || origin.row === null ? null : within(listing.find(origin.row.asn), null, patience),
  ]);
  if (record?.said.listed) return record;
  if (listed?.said.listed) return listed;
  const isSilent = (records !== null && record === null) || (isZoneAsked && listed === null);
  return isSilent ? null : (record ?? listed);
}

function saidByTables(tables: TableFacts, reverse: ReverseName): SaidOfIp {
  const { asn, usage, isBogon, special } = tables;
  const bots = botFactsOf(reverse, usage);
  return {
    information: {
      ...bots.information,
      ...countryAt(tables.place),
      ...whereIs(tables.place),
      isp: asn.org,
      asn: lowestOrigin(tables.origin),
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
  };
}

const NO_REGISTRY = ageOfRegistries(null, new Date(0));

/** `cached`: whether the reverse name was kept. */
const agesOfTables = (
  { placeDate, origin, listsAsOfMs, areListsStale }: TableFacts,
  cached: boolean,
  nowMs: number,
): IpAges => ({
  place: tableAge(placeDate, nowMs),
  network: tableAge(origin.date, nowMs),
  registry: NO_REGISTRY,
  other: {
    dataAgeS: listsAsOfMs === null ? null : ageSeconds(listsAsOfMs, nowMs),
    stale: areListsStale,
    cached,
  },
});

/** Sorted. Of a bogon only reverse DNS can be unknown: only its own network knows anything of it. */
function unknownFieldsOf(tables: TableFacts, botFields: Fields): Fields {
  if (tables.isBogon) return sortedFields([botFields]);
  return sortedFields([
    botFields,
    tables.usage.unknown,
    unknownAsnFields(tables.asn, tables.origin),
    tables.hasGeo ? unknownOfPlace(tables.place) : GEOGRAPHY_FIELDS,
  ]);
}
