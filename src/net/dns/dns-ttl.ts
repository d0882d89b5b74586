import type { DnsRecord } from "./dns-types.ts";

const MIN_S = 60;
const MAX_POSITIVE_S = 3600;
const MAX_NEGATIVE_S = 300;

const ttlOf = (record: DnsRecord): number => ("ttl" in record ? (record.ttl ?? 0) : 0);

/** Seconds that records may be kept: the least TTL, within 60 to 3600. Source: design 3.4. */
export const positiveTtlS = (records: readonly DnsRecord[]): number =>
  records.reduce((least, record) => Math.min(least, Math.max(MIN_S, ttlOf(record))), MAX_POSITIVE_S);

/**
 * Seconds that "there is none" may be kept: the lesser of the SOA's own TTL and its minimum (RFC 2308), within 60 to
 * 300; 60 without an SOA. Source: design 3.4.
 */
export function negativeTtlS(authorities: readonly DnsRecord[]): number {
  const soa = authorities.find((record) => record.type === "SOA");
  if (soa === undefined) return MIN_S;
  return Math.min(MAX_NEGATIVE_S, Math.max(MIN_S, Math.min(ttlOf(soa), soa.data.minimum ?? MAX_NEGATIVE_S)));
}
