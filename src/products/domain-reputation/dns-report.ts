import type { DomainDns, DomainHost } from "../../enrichment/dns-facts/domain-dns.ts";
import type { DescribedIp } from "../../enrichment/ip/enrich-ip.ts";
import type { DnsWire } from "./shape.ts";

/** An address behind the domain, with what is known of it. */
export type KnownHost = DomainHost & {
  readonly place: DescribedIp;
  readonly detections: number;
  /** Whether what names it is strong enough for the domain's own score. Design 4.3. */
  readonly hasStrongHit: boolean;
};

/** Of one type; `dns-lookup` shows more. A domain with thousands of mail and name servers makes no answer of megabytes. */
const MAX_TYPE_CHARS = 16_384;

/** The first records, as many as have room. */
function shownOf<T>(records: readonly T[]): readonly T[] {
  let chars = 0;
  const more = records.findIndex((record) => {
    chars += JSON.stringify(record).length;
    return chars > MAX_TYPE_CHARS;
  });
  return more < 0 ? records : records.slice(0, more);
}

/** What DNS says, as it stands on the wire: design 6.1; pure. */
export const reportDomainDns = (dns: DomainDns, hosts: readonly KnownHost[]): DnsWire => ({
  status: dns.status,
  a: shownOf(dns.a),
  aaaa: shownOf(dns.aaaa),
  mx: shownOf(dns.mx),
  ns: shownOf(dns.ns),
  txt: shownOf(dns.txt),
  caa: shownOf(dns.caa),
  soa: dns.soa,
  hosts: hosts.map(({ ip, role, name, place, detections, hasStrongHit }) => ({
    ip,
    role,
    name,
    asn: place.asn.asn,
    isp: place.information.isp,
    country_code: place.information.country_code,
    detections,
    strong_hit: hasStrongHit,
  })),
  hosts_total: failureOf(dns) === null ? dns.hosts.length + dns.unaskedHostNames : null,
  spf: dns.spf,
  dmarc: dns.dmarc,
  bimi_present: dns.bimiPresent,
  mta_sts_present: dns.mtaStsPresent,
  tls_rpt_present: dns.tlsRptPresent,
  null_mx: dns.nullMx,
  wildcard: dns.wildcard,
  dnssec: {
    status: dns.dnssec.status,
    signed: dns.dnssec.zoneSigned,
    ds: dns.dnssec.dsRecords ?? [],
    checked_at: dns.dnssec.checkedAt,
  },
  cname: dns.cnameChain[0] ?? null,
  cname_chain: dns.cnameChain,
  dangling_cname: dns.danglingCname,
  errors: Object.fromEntries(dns.errors),
  error: failureOf(dns),
});

const FAILURES: Readonly<Partial<Record<DomainDns["status"], string>>> = {
  servfail: "The name servers of the domain fail",
  timeout: "The resolver did not answer in time",
  error: "The resolver gave no usable answer",
};

function failureOf({ status, failure }: Pick<DomainDns, "status" | "failure">): DnsWire["error"] {
  const message = FAILURES[status];
  if (message === undefined) return null;
  return { code: status, message: status === "error" ? (failure ?? message) : message };
}

/** Types that lead to hosts. */
const HOST_TYPES = ["A", "AAAA", "MX", "NS"] as const;

const RECORD_FIELDS = ["a", "aaaa", "mx", "ns", "txt", "caa"] as const;

/** Paths of the fields that DNS left open, or that were too long to be shown whole. */
export function unknownDnsFields(dns: DomainDns): readonly string[] {
  const open: readonly (readonly [string, boolean])[] = [
    ["hosts", !dns.areHostsKnown || HOST_TYPES.some((type) => dns.errors.has(type))],
    ["hosts_total", dns.unaskedHostNames > 0 || failureOf(dns) !== null],
    ["spf", dns.spf.present === null],
    ["dmarc", dns.dmarc.present === null],
    ["bimi_present", dns.bimiPresent === null],
    ["mta_sts_present", dns.mtaStsPresent === null],
    ["tls_rpt_present", dns.tlsRptPresent === null],
    ["null_mx", dns.nullMx === null],
    ["wildcard", dns.wildcard === null],
    ["dnssec", dns.dnssec.status === null],
    ["cname", dns.danglingCname === null && dns.cnameChain.length === 0],
    ["cname_chain", dns.danglingCname === null],
    ["dangling_cname", dns.danglingCname === null],
  ];
  const failed = [...dns.errors.keys()].map((type) => type.toLowerCase());
  const cut = RECORD_FIELDS.filter((field) => shownOf<unknown>(dns[field]).length < dns[field].length);
  return [...failed, ...cut, ...open.flatMap(([field, isOpen]) => (isOpen ? [field] : []))].map(
    (field) => `dns.${field}`,
  );
}
