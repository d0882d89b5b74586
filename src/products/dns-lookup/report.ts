import { isoSeconds } from "../../clock.ts";
import type { RecordObject } from "../../enrichment/dns/records.ts";
import { isAnswered, type Resolved } from "../../enrichment/dns/resolve.ts";
import type { Outcome } from "../../net/dns-reading.ts";
import type { RecordType } from "../../net/dns-types.ts";
import type { FreshnessReport } from "../../risk/freshness.ts";
import { boundRecords } from "./bound.ts";
import type { DnsTarget } from "./target.ts";

type TypeMap<T> = { readonly [K in RecordType]?: T };

export type DnsReport = {
  readonly domain: string;
  readonly input: string;
  readonly domain_unicode: string;
  readonly registered_domain: string | null;
  readonly query_name: string;
  readonly records: TypeMap<readonly RecordObject[]>;
  readonly lookups: TypeMap<LookupReport>;
  readonly rcode: string | null;
  readonly exists: boolean | null;
  readonly authenticated_data: boolean;
  readonly cname_chain: readonly string[];
  readonly errors: readonly {
    readonly type: RecordType;
    readonly outcome: Outcome;
    readonly message: string;
  }[];
  readonly freshness: FreshnessReport;
  readonly unknown_fields: readonly string[];
  readonly elapsed_ms: number;
};

type LookupReport = {
  readonly outcome: Outcome;
  readonly rcode: string | null;
  readonly authenticated_data: boolean;
  readonly authority: string | null;
  readonly records_total: number;
  readonly elapsed_ms: number;
};

/** With names, chains and messages at their longest, the whole answer stays below 256 KiB (security P22). */
const MAX_RECORD_BYTES = 200 * 1024;

type AnyResolved = Resolved<RecordType>;

/** What was found to the wire shape of interface 2.10 with design 8.2; pure. */
export function reportDns(gathered: {
  readonly target: DnsTarget;
  readonly lookups: readonly AnyResolved[];
  readonly computedAt: Date;
  readonly elapsedMs: number;
}): DnsReport {
  const { target, lookups } = gathered;
  const answered = lookups.filter(isAnswered);
  const failed = lookups.filter((lookup) => !isAnswered(lookup));
  const rcode = rcodeOf(answered, failed);
  return {
    domain: target.domain,
    input: target.input,
    domain_unicode: target.unicode,
    registered_domain: target.registeredDomain,
    query_name: target.queryName,
    records: Object.fromEntries(boundRecords(answered, MAX_RECORD_BYTES)),
    lookups: Object.fromEntries(lookups.map((lookup) => [lookup.type, lookupReport(lookup)])),
    rcode,
    exists: existenceOf(answered),
    authenticated_data: answered.length > 0 && answered.every((lookup) => lookup.authenticatedData),
    cname_chain: longestChain(lookups),
    errors: failed.map(({ type, outcome, message }) => ({ type, outcome, message: message ?? outcome })),
    freshness: {
      data_age_s: answered.length > 0 ? 0 : null,
      stale: false,
      cached: false,
      computed_at: isoSeconds(gathered.computedAt),
    },
    unknown_fields: failed.map(({ type }) => `records.${type}`).toSorted(),
    elapsed_ms: Math.round(gathered.elapsedMs),
  };
}

const lookupReport = (lookup: AnyResolved): LookupReport => ({
  outcome: lookup.outcome,
  rcode: lookup.rcode,
  authenticated_data: lookup.authenticatedData,
  authority: lookup.authority,
  records_total: lookup.records.length,
  elapsed_ms: Math.round(lookup.elapsedMs),
});

function rcodeOf(answered: readonly AnyResolved[], failed: readonly AnyResolved[]): string | null {
  if (answered.some(({ outcome }) => outcome === "nxdomain")) return "NXDOMAIN";
  return answered.length > 0 ? "NOERROR" : commonest(failed.flatMap(({ rcode }) => rcode ?? []));
}

/** Of equally many the one that came first. */
function commonest(words: readonly string[]): string | null {
  const counts = Map.groupBy(words, (word) => word);
  const most = Math.max(0, ...[...counts.values()].map(({ length }) => length));
  return [...counts].find(([, { length }]) => length === most)?.[0] ?? null;
}

/** NXDOMAIN behind a CNAME is the target's (RFC 6604, 3): the name itself exists. */
function existenceOf(answered: readonly AnyResolved[]): boolean | null {
  if (answered.length === 0) return null;
  if (answered.some(({ outcome, chain }) => outcome === "ok" || chain.length > 0)) return true;
  return !answered.some(({ outcome }) => outcome === "nxdomain");
}

const longestChain = (lookups: readonly AnyResolved[]): readonly string[] =>
  lookups.reduce<readonly string[]>(
    (longest, { chain }) => (chain.length > longest.length ? chain : longest),
    [],
  );
