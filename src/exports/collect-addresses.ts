import { type EntryMatters, type Regions, wordsOf } from "../blocklist-index/regions.ts";
import type { RouteRanges } from "../enrichment/ip/asn/routes.ts";
import { type Ip, ipv4Of, ipv6Of } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import type { Assessor } from "./assess.ts";
import { createEntryTable, type EntryTable } from "./entries.ts";
import { createWeigh, cutOf, type ExportDecision, judgeEntry, subtractionOf } from "./judge.ts";
import type { Subtraction } from "./options.ts";
import { type AddressContext, eachIpv4Piece, eachIpv6Piece } from "./pieces.ts";
import { createIpv4Ranges, createIpv6Ranges, type Ipv4Ranges, type Ranges } from "./ranges.ts";
import type { ExportSpec } from "./spec.ts";

/** Stretches or names that were cut out though the export would hold them, by what cut them out. */
export type Subtracted = Record<Subtraction, number>;

/** What the index holds for one export of addresses. */
export type CollectedAddresses = {
  readonly spec: ExportSpec;
  readonly v4: Ipv4Ranges;
  readonly v6: Ranges<bigint>;
  readonly entries: EntryTable;
  /** IPv4 addresses that must stay out, listed or not; empty unless the export promotes. */
  readonly allowed: Ranges<number>;
  readonly subtracted: Subtracted;
};

export type AddressSources = {
  readonly regions: Regions;
  /** Null: no table of AS numbers. */
  readonly routes: RouteRanges | null;
  readonly assessor: Assessor;
  /** What matters to scores and subtraction of the entries of a list of the index. */
  readonly mattersOf: (list: number) => EntryMatters;
  readonly now: Date;
};

/** What each export says of all addresses of one class: an entry's number, or nothing. */
type Verdict = {
  readonly sink: CollectedAddresses;
  readonly entry: number;
  readonly cutBy: Subtraction | null;
};
type Class = { readonly verdicts: readonly Verdict[]; readonly allowedBy: readonly CollectedAddresses[] };

/**
 * Reads the index once for all exports of addresses. Addresses that the same lists name by entries that are alike
 * (`Regions.kindsOf`), with the same details, are judged once: there are thousands of such classes among millions of entries.
 */
export function collectAddresses(
  specs: readonly ExportSpec[],
  sources: AddressSources,
): readonly CollectedAddresses[] {
  const entries = createEntryTable();
  const sinks = specs.map(
    (spec): CollectedAddresses => ({
      spec,
      v4: createIpv4Ranges(),
      v6: createIpv6Ranges(),
      entries,
      allowed: createIpv4Ranges(),
      subtracted: { allowlists: 0, shared_infrastructure: 0, overrides: 0 },
    }),
  );
  const classify = createClassifier(sinks, sources);
  eachIpv4Piece(sources.regions, sources.routes, (first, last, set, place) => {
    const { verdicts, allowedBy } = classify.v4(first, set, place);
    for (const { sink, entry, cutBy } of verdicts) {
      if (cutBy === null) sink.v4.push(first, last, entry);
      else sink.subtracted[cutBy]++;
    }
    for (const { allowed } of allowedBy) allowed.push(first, last, 0);
  });
  eachIpv6Piece(sources.regions, sources.routes, (first, last, set, place) => {
    for (const { sink, entry, cutBy } of classify.v6(first, last, set, place).verdicts) {
      if (cutBy === null) sink.v6.push(first, last, entry);
      else sink.subtracted[cutBy]++;
    }
  });
  return sinks;
}

function createClassifier(
  sinks: readonly CollectedAddresses[],
  { regions, assessor, mattersOf, now }: AddressSources,
) {
  const byKey = new Map<string, Class>();
  const make = (ip: Ip, asn: number | null): Class => {
    const assessed = assessor.address(ip, asn);
    const weigh = createWeigh(assessed, now);
    return {
      verdicts: sinks.flatMap((sink) => verdictOf(sink, judgeEntry(assessed, sink.spec, now, weigh))),
      allowedBy: sinks.filter(
        ({ spec }) => typeof spec.aggregate === "object" && subtractionOf(assessed, spec) !== null,
      ),
    };
  };
  const keyed = (key: string, ip: Ip, asn: number | null): Class => {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const made = make(ip, asn);
    byKey.set(key, made);
    return made;
  };
  const kinds = { v4: regions.kindsOf("v4", mattersOf), v6: regions.kindsOf("v6", mattersOf) };
  const plain: Record<keyof typeof kinds, (Class | undefined)[]> = { v4: [], v6: [] };
  const ofKind = (version: keyof typeof kinds, kind: number, ip: Ip): Class => {
    const made = make(ip, null);
    plain[version][kind] = made;
    return made;
  };
  return {
    v4: (first: number, set: number, { asn, isResolver, isPlain }: AddressContext): Class => {
      if (isResolver) return make(ipv4Of(first), asn);
      const kind = kinds.v4[set] ?? 0;
      const details = regions.detailsAtIpv4(set, first);
      if (isPlain && details === "") return plain.v4[kind] ?? ofKind("v4", kind, ipv4Of(first));
      const ip = ipv4Of(first);
      return keyed(`4 ${kind} ${asn} ${specialPurposeOf(ip)?.isBogon} ${details}`, ip, asn);
    },
    v6: (first: bigint, last: bigint, set: number, { asn, isResolver, isPlain }: AddressContext): Class => {
      const kind = kinds.v6[set] ?? 0;
      const details = regions.detailsAtIpv6(set, first);
      if (isPlain && details === "") return plain.v6[kind] ?? ofKind("v6", kind, ipv6Of(wordsOf(first)));
      const ip = ipv6Of(wordsOf(first));
      const special = ip.version === "v4" ? null : specialPurposeOf(ip);
      if (special?.embeddedIpv4 && !isOfOneIpv4(first, last)) return NOTHING;
      if (special?.embeddedIpv4 || isResolver) return make(ip, asn);
      return keyed(`6 ${kind} ${asn} ${special?.isBogon} ${details}`, ip, asn);
    },
  };
}

const NOTHING: Class = { verdicts: [], allowedBy: [] };

/**
 * Inside 6to4, Teredo and NAT64 each address is judged by another IPv4 address: a network of them has no one score, but that of one
 * site of 6to4, a /48, whose IPv4 address stands before it.
 */
const isOfOneIpv4 = (first: bigint, last: bigint): boolean =>
  first === last || (first >> 112n === SIX_TO_FOUR && first >> 80n === last >> 80n);

const SIX_TO_FOUR = 0x2002n;

function verdictOf(sink: CollectedAddresses, judgement: ExportDecision): readonly Verdict[] {
  if (judgement.state !== "out") return [{ sink, entry: sink.entries.add(judgement.entry), cutBy: null }];
  const cutBy = cutOf(judgement);
  return cutBy === null ? [] : [{ sink, entry: 0, cutBy }];
}
