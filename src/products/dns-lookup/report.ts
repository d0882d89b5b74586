import { isoSeconds } from "../../base/clock.ts";
import type { Wire } from "../../base/wire.ts";
import { isAnswered, type Resolved } from "../../enrichment/dns-facts/resolve.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import { boundRecords } from "./bound.ts";
import type { DnsReportShape, LookupShape } from "./shape.ts";
import type { DnsTarget } from "./target.ts";

export type DnsReport = Wire<typeof DnsReportShape>;

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

const lookupReport = (lookup: AnyResolved): Wire<typeof LookupShape> => ({
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
