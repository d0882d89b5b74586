import { type Clock, isoSeconds } from "../../base/clock.ts";
import type { Answer } from "../../base/failure.ts";
import type { CountLook } from "../../base/metrics.ts";
import { type Cacheable, createAnswerCache } from "../../net/dns/answer-cache.ts";
import type { Dns, DnsRecord, DnsReply } from "../../net/dns/dns-types.ts";
import { within } from "../../net/within.ts";
import { isDelegated } from "./ds-match.ts";
import type { RecordFields } from "./record-shape.ts";
import { recordObject } from "./records.ts";
import type { LookupTime } from "./resolve.ts";

type DnssecStatus = "secure" | "unsigned" | "zone_signed_no_ds" | "broken";

/** What DNS says of a name's signatures. */
export type DnssecCheck = {
  /** Null: it could not be found out, or the resolver does not validate. */
  readonly status: DnssecStatus | null;
  /** Whether the zone publishes DNSKEY records; null when that is not known. */
  readonly zoneSigned: boolean | null;
  /** Null when that is not known. */
  readonly dsRecords: readonly RecordFields["DS"][] | null;
  /** ISO 8601; null when nothing was found out. */
  readonly checkedAt: string | null;
  /** Found out for an earlier question, within the hour. */
  readonly cached: boolean;
};

export type DnssecChecks = {
  /** Of a zone's own name, as a registered domain is one. Never rejects. */
  readonly statusOf: (name: string, time: LookupTime) => Promise<DnssecCheck>;
};

const UNKNOWN: DnssecCheck = {
  status: null,
  zoneSigned: null,
  dsRecords: null,
  checkedAt: null,
  cached: false,
};

/** Interface 2.11: refreshed hourly. */
const KEEP_S = 3600;
const MAX_ENTRIES = 20_000;
/** Kept back of the deadline for putting the answer together. */
const REPORT_MS = 20;

type Parts = {
  readonly dns: Pick<Dns, "query">;
  readonly clock: Clock;
  readonly count?: CountLook | null;
};

/**
 * The state of names' signatures, by DS, DNSKEY and SOA through the resolver. What was found out is kept for an
 * hour, also that the resolver does not validate; silence and failures are not. Source: design 10.
 */
export function createDnssecChecks(parts: Parts): DnssecChecks {
  const { clock, count = null } = parts;
  const cache = createAnswerCache<DnssecCheck>(clock, MAX_ENTRIES, count);
  return {
    statusOf: async (name, { signal, deadlineMs }) => {
      const kept = cache.peek(name);
      if (kept !== null) return { ...kept, cached: true };
      const withinMs = deadlineMs - REPORT_MS - clock.monotonicMs();
      if (withinMs <= 0 || signal.aborted) return UNKNOWN;
      const asked = cache.ask(name, () => check(name, parts));
      return within(asked, UNKNOWN, { signal, withinMs, clock });
    },
  };
}

async function check(name: string, parts: Parts): Promise<Cacheable<DnssecCheck>> {
  const [ds, dnskey, soa] = await Promise.all([
    look(name, "DS", parts),
    look(name, "DNSKEY", parts),
    look(name, "SOA", parts),
  ]);
  const verdict = judge(name, { ds, dnskey, soa });
  const isAnythingKnown = ds.state !== "unknown" || verdict !== "unknown";
  const value: DnssecCheck = {
    status: verdict === "unknown" ? null : verdict,
    zoneSigned: dnskey.state === "unknown" ? null : dnskey.records.length > 0,
    dsRecords: ds.state === "unknown" ? null : dsObjects(ds.records),
    checkedAt: isAnythingKnown ? isoSeconds(parts.clock.now()) : null,
    cached: false,
  };
  return { value, ttlS: verdict === "unknown" ? 0 : KEEP_S };
}

function dsObjects(records: readonly DnsRecord[]): RecordFields["DS"][] {
  const objects = records.map(recordObject).flatMap((record) => (record?.type === "DS" ? [record] : []));
  return objects
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
    .map(({ key_tag, algorithm, digest_type, digest }) => ({ key_tag, algorithm, digest_type, digest }));
}

/** What one type's question brought. `bogus`: records that the resolver holds back because they do not validate. */
type Seen =
  | {
      readonly state: "answered" | "bogus";
      readonly records: readonly DnsRecord[];
      readonly validated: boolean;
    }
  | { readonly state: "unknown" };

type Evidence = { readonly ds: Seen; readonly dnskey: Seen; readonly soa: Seen };

/** `null`: everything was answered, by a resolver that does not validate. */
function judge(name: string, { ds, dnskey, soa }: Evidence): DnssecStatus | null | "unknown" {
  if ([ds, dnskey, soa].some(({ state }) => state === "bogus")) return "broken";
  if (ds.state === "unknown") return "unknown";
  const isValidated = ds.validated && soa.state === "answered" && soa.validated;
  if (dnskey.state === "unknown") return ds.records.length > 0 && isValidated ? "secure" : "unknown";
  if (ds.records.length === 0) return dnskey.records.length === 0 ? "unsigned" : "zone_signed_no_ds";
  if (dnskey.records.length === 0) return "broken";
  if (isValidated) return "secure";
  // Not validated: that no key is one the parent names is seen without.
  if (delegates(name, ds.records, dnskey.records) === false) return "broken";
  return soa.state === "unknown" ? "unknown" : null;
}

function delegates(name: string, ds: readonly DnsRecord[], keys: readonly DnsRecord[]): boolean | null {
  return isDelegated(
    name,
    ds.flatMap((record) => (record.type === "DS" ? [record.data] : [])),
    keys.flatMap((record) => (record.type === "DNSKEY" ? [record.data] : [])),
  );
}

async function look(name: string, type: "DS" | "DNSKEY" | "SOA", { dns }: Parts): Promise<Seen> {
  const recordsOf = ({ answers }: DnsReply) =>
    answers.filter((record) => record.type === type && record.name === name);
  const plain = await dns.query(name, type);
  if (isReply(plain, "NOERROR") || isReply(plain, "NXDOMAIN")) {
    return { state: "answered", records: recordsOf(plain.value), validated: plain.value.authenticatedData };
  }
  if (!isReply(plain, "SERVFAIL")) return { state: "unknown" };
  const unchecked = await dns.query(name, type, { checkingDisabled: true });
  if (!isReply(unchecked, "NOERROR")) return { state: "unknown" };
  // The first failure may have been the name servers': only one that stays is the signatures'.
  if (!isReply(await dns.query(name, type, { isRetry: true }), "SERVFAIL")) return { state: "unknown" };
  return { state: "bogus", records: recordsOf(unchecked.value), validated: false };
}

const isReply = (
  answer: Answer<DnsReply>,
  rcode: string,
): answer is Extract<typeof answer, { state: "answered" }> =>
  answer.state === "answered" && answer.value.rcode === rcode;
