import { doubled } from "../blocklist-index/columns.ts";
import { type EntryMatters, type Regions, wordsOf } from "../blocklist-index/regions.ts";
import type { ListedEntry } from "../engines/listed.ts";
import type { RouteRanges } from "../enrichment/ip/asn/routes.ts";
import { type Ip, ipv4Of, ipv6Of } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";
import type { Assessed, Assessor } from "./assess.ts";
import { createEntryTable, type EntryTable } from "./entries.ts";
import { createWeigh, cutOf, judgeEntry, subtractionOf } from "./judge.ts";
import { SUBTRACTIONS, type Subtraction } from "./options.ts";
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
      v4: createIpv4Ranges(sources.regions.ipv4Count),
      v6: createIpv6Ranges(),
      entries,
      allowed: createIpv4Ranges(),
      subtracted: { allowlists: 0, shared_infrastructure: 0, overrides: 0 },
    }),
  );
  const classes = createClasses(sinks, sources.now);
  const classify = createClassifier(classes, sources);
  eachIpv4Piece(sources.regions, sources.routes, (first, last, set, place) => {
    let row = classes.rowOf(classify.v4(first, set, place));
    const codes = classes.codes();
    for (const sink of sinks) {
      const code = codes[row++] ?? NO_ENTRY;
      if (code >= FIRST_ENTRY) sink.v4.push(first, last, code - FIRST_ENTRY);
      else if (code !== NO_ENTRY) {
        leaveOut(code, sink);
        if (code >= ALLOWED) sink.allowed.push(first, last, 0);
      }
    }
  });
  eachIpv6Piece(sources.regions, sources.routes, (first, last, set, place) => {
    let row = classes.rowOf(classify.v6(first, last, set, place));
    const codes = classes.codes();
    for (const sink of sinks) {
      const code = codes[row++] ?? NO_ENTRY;
      if (code >= FIRST_ENTRY) sink.v6.push(first, last, code - FIRST_ENTRY);
      else leaveOut(code, sink);
    }
  });
  return sinks;
}

/*
 * What an export says of a class, in one number that millions of pieces are asked for: an entry's number plus 8, or a place in
 * `SUBTRACTIONS` plus 1 of what cut it out, plus 4 where an export that promotes must leave the addresses out.
 */
const NO_ENTRY = 0;
const ALLOWED = 4;
const FIRST_ENTRY = 8;

/** Counts a stretch that was cut out. */
function leaveOut(code: number, { subtracted }: CollectedAddresses): void {
  const cut = code % ALLOWED;
  const by = cut === 0 ? undefined : SUBTRACTIONS[cut - 1];
  if (by !== undefined) subtracted[by]++;
}

/** Addresses that are the same to every lookup; in a column, a row for each class and export. */
type Classes = {
  /** The number of a new class. */
  readonly add: (assessed: Assessed) => number;
  /** The first row of a class; the exports follow in their order. */
  readonly rowOf: (found: number) => number;
  /** The column, with room behind its rows; another one once it grew. */
  readonly codes: () => Uint32Array;
};

/** The class of what is in no export. */
const NOTHING = 0;

function createClasses(sinks: readonly CollectedAddresses[], now: Date): Classes {
  let codes = new Uint32Array(1024);
  let length = 0;
  const push = (code: number): void => {
    if (length === codes.length) codes = doubled(codes);
    codes[length++] = code;
  };
  for (const _ of sinks) push(NO_ENTRY);
  return {
    add: (assessed) => {
      const weigh = createWeigh(assessed, now);
      for (const { spec, entries } of sinks) {
        const decision = judgeEntry(assessed, spec, now, weigh);
        if (decision.state !== "out") push(entries.add(decision.entry) + FIRST_ENTRY);
        else {
          const cutBy = cutOf(decision);
          const isAllowed = typeof spec.aggregate === "object" && subtractionOf(assessed, spec) !== null;
          push((cutBy === null ? 0 : SUBTRACTIONS.indexOf(cutBy) + 1) + (isAllowed ? ALLOWED : 0));
        }
      }
      return length / sinks.length - 1;
    },
    rowOf: (found) => found * sinks.length,
    codes: () => codes,
  };
}

function createClassifier(classes: Classes, { regions, assessor, mattersOf }: AddressSources) {
  const byKey = new Map<string, number>();
  const make = (ip: Ip, asn: number | null): number => classes.add(assessor.address(ip, asn));
  const keyed = (key: string, ip: Ip, asn: number | null): number => {
    const known = byKey.get(key) ?? make(ip, asn);
    byKey.set(key, known);
    return known;
  };
  const kinds = { v4: regions.kindsOf("v4", mattersOf), v6: regions.kindsOf("v6", mattersOf) };
  const plain: Record<keyof typeof kinds, (number | undefined)[]> = { v4: [], v6: [] };
  const ofKind = (version: keyof typeof kinds, kind: number, set: number): number => {
    const entries: ListedEntry[] = [];
    regions.eachEntry(version, set, (list, prefix) => entries.push({ list, prefix }));
    const made = classes.add(assessor.plain(version, entries));
    plain[version][kind] = made;
    return made;
  };
  return {
    v4: (first: number, set: number, { asn, isResolver, isPlain }: AddressContext): number => {
      if (isResolver) return make(ipv4Of(first), asn);
      const kind = kinds.v4[set] ?? 0;
      const details = regions.detailsAtIpv4(set, first);
      if (isPlain && details === "") return plain.v4[kind] ?? ofKind("v4", kind, set);
      const ip = ipv4Of(first);
      return keyed(`4 ${kind} ${asn} ${specialPurposeOf(ip)?.isBogon} ${details}`, ip, asn);
    },
    v6: (first: bigint, last: bigint, set: number, { asn, isResolver, isPlain }: AddressContext): number => {
      const kind = kinds.v6[set] ?? 0;
      const details = regions.detailsAtIpv6(set, first);
      if (isPlain && details === "") return plain.v6[kind] ?? ofKind("v6", kind, set);
      const ip = ipv6Of(wordsOf(first));
      // IPv4 as IPv6 (`::ffff:0:0/96`): programs such as Squid would block all of IPv4 by it, and the lists name IPv4 as such.
      if (ip.version === "v4") return NOTHING;
      const special = specialPurposeOf(ip);
      if (special?.embeddedIpv4 && !isOfOneIpv4(first, last)) return NOTHING;
      if (special?.embeddedIpv4 || isResolver) return make(ip, asn);
      return keyed(`6 ${kind} ${asn} ${special?.isBogon} ${details}`, ip, asn);
    },
  };
}

/**
 * Inside 6to4, Teredo and NAT64 each address is judged by another IPv4 address: a network of them has no one score, but that of one
 * site of 6to4, a /48, whose IPv4 address stands before it.
 */
const isOfOneIpv4 = (first: bigint, last: bigint): boolean =>
  first === last || (first >> 112n === SIX_TO_FOUR && first >> 80n === last >> 80n);

const SIX_TO_FOUR = 0x2002n;
