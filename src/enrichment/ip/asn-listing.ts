import { printableLine } from "../../base/clean-text.ts";
import type { Clock } from "../../base/clock.ts";
import type { Answer } from "../../base/failure.ts";
import type { CountLook } from "../../base/metrics.ts";
import type { Cacheable } from "../../net/dns/answer-cache.ts";
import type { Dns, DnsReply } from "../../net/dns/dns-types.ts";
import { askThrough, type Ended } from "../dns-facts/ask-through.ts";
import { keepVendorAnswers, NOT_LISTED, type VendorAnswer, type VendorEnrichment } from "../vendor.ts";

/** Asks a DNS zone of listed autonomous systems. */
export type AsnListing = {
  /** Null when there was no answer: then the answer has no `vendor_enrichment`. Never rejects. */
  readonly find: (asn: number) => Promise<VendorAnswer | null>;
};

/**
 * Queries `<AS number>.<zone>`: an address in 127/8 save 127.0.0.1 and 127.255.255.0/24 means listed, and the TXT
 * record is the rule. A refusal code, an address outside 127/8, SERVFAIL and time-outs are no answer and are not
 * kept. Source: design 5.6, RFC 5782.
 */
export function createAsnListing(options: {
  readonly zone: string;
  readonly dns: Pick<Dns, "query">;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly count?: CountLook | null;
}): AsnListing {
  const find = keepVendorAnswers(options, (asn) => ask(Number(asn), options));
  return { find: (asn) => find(String(asn)) };
}

async function ask(
  asn: number,
  parts: { zone: string; dns: Pick<Dns, "query">; clock: Clock; timeoutMs: number },
): Promise<Cacheable<VendorEnrichment | null>> {
  const { zone, dns, clock, timeoutMs } = parts;
  // Names come back in lower case.
  const name = `${asn}.${zone.replace(/\.$/, "").toLowerCase()}`;
  const endMs = clock.monotonicMs() + timeoutMs + 1;
  const reading = readListing(await askThrough(parts, { name, type: "A", endMs }));
  if (reading.state === "none") return { value: null, ttlS: 0 };
  if (reading.state === "not_listed") return { value: NOT_LISTED, ttlS: reading.ttlS };
  const rule = readRule(await dns.query(name, "TXT", { timeoutMs }));
  return { value: { ...NOT_LISTED, listed: true, dataset: "ASN", rule, asn }, ttlS: reading.ttlS };
}

type Reading =
  | { readonly state: "none" }
  | { readonly state: "listed" | "not_listed"; readonly ttlS: number };

function readListing({ reading }: Ended): Reading {
  if (reading.state === "failed") return { state: "none" };
  const hits = reading.records.flatMap((record) => (record.type === "A" ? [record] : []));
  if (hits.length === 0) return { state: "not_listed", ttlS: 300 };
  if (!hits.every(({ data }) => isListedCode(data))) return { state: "none" };
  const ttlS = Math.min(...hits.map(({ ttl }) => ttl ?? 60));
  return { state: "listed", ttlS: Math.min(3600, Math.max(60, ttlS)) };
}

const isListedCode = (address: string): boolean =>
  address.startsWith("127.") && address !== "127.0.0.1" && !address.startsWith("127.255.255.");

const MAX_RULE_LENGTH = 300;

/** First TXT record, at most 300 characters, control characters removed; null without one. */
function readRule(answer: Answer<DnsReply>): string | null {
  if (answer.state === "unavailable") return null;
  const record = answer.value.answers.find(({ type }) => type === "TXT");
  if (record?.type !== "TXT") return null;
  const parts = Array.isArray(record.data) ? record.data : [record.data];
  const text = printableLine(parts.map(String).join("").slice(0, MAX_RULE_LENGTH)).toWellFormed();
  return text === "" ? null : text;
}
