import type { Resolved } from "../../enrichment/dns-facts/resolve.ts";
import type { RecordType } from "../../net/dns/dns-types.ts";
import type { Deps } from "../deps.ts";
import { recordsFailure } from "../no-answer.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import { toFreeDnsReport } from "./free.ts";
import { type DnsReport, reportDns } from "./report.ts";
import { DnsLookupInput, DnsReportShape, DnsVerdict, FreeDnsInput, FreeDnsReport } from "./shape.ts";
import { type DnsTarget, dnsTargetOf } from "./target.ts";
import { renderDnsReport } from "./terminal.ts";

/** Records of a name, each type asked for itself and judged by itself. */
export const dnsLookup = defineProduct({
  name: "dns-lookup",
  summary: "Look up DNS records",
  description:
    "Asks for each record type by itself and tells apart that there is no record, no name, a refusal, a failure and " +
    "silence. A type that failed is named in `errors` and never shown as empty. Free of charge when every type failed.",
  price: 1,
  halfAllowance: false,
  targetKind: "domain",
  input: DnsLookupInput,
  output: DnsReportShape,
  verdict: {
    output: DnsVerdict,
    of: ({ domain, rcode, exists, freshness }) => ({ domain, rcode, exists, freshness }),
  },
  deadlineMs: 8000,
  field: "domain",
  parse: ({ domain, record_type: type }) => dnsTargetOf(domain, type),
  textOf: ({ domain, types }) => `${domain} ${types.join(",")}`,
  askedOf: ({ domain }) => domain,
  lookup: lookUp,
  isCharged: ({ lookups, errors }) => errors.length < Object.keys(lookups).length,
  failureOf: ({ errors }: DnsReport) => recordsFailure(errors),
  bulk: { field: "domains", item: "domain", concurrency: 16, deadlineMs: 60_000 },
  free: {
    path: "/api/free/dns-lookup",
    summary: "Look up DNS records, five at most and without an account",
    input: FreeDnsInput,
    output: FreeDnsReport,
    reduce: toFreeDnsReport,
  },
  cli: {
    word: "dns",
    type: { member: "record_type", takes: "record types, e.g. MX,TXT" },
    render: renderDnsReport,
  },
  page: {
    name: "DNS records",
    takes: ["domain"],
    form: { label: "Domain name", example: "example.com" },
    tool: {
      tab: "DNS",
      title: "DNS lookup",
      lead: "The records of a name, or the name of an address, asked for now.",
      label: "Name or IP address",
      example: "example.com",
      full: "sixteen record types at once, every record, and how each question ended",
    },
    isWholePublic: true,
  },
  example: { domain: "example.com", record_type: "A,MX" },
});

async function lookUp(target: DnsTarget, deps: Deps, context: LookupContext): Promise<DnsReport> {
  const { clock, dns, dnsRecords } = deps;
  const startedMs = clock.monotonicMs();
  const mayAsk = !target.isBogon || dns.configured;
  const lookups = mayAsk
    ? await Promise.all(target.types.map((type) => dnsRecords.resolve(target.queryName, type, context)))
    : target.types.map(notAsked);
  return reportDns({ target, lookups, computedAt: clock.now(), elapsedMs: clock.monotonicMs() - startedMs });
}

/** Who is no public address stays inside: only a resolver that the operator named is asked. */
const notAsked = (type: RecordType): Resolved<RecordType> => ({
  type,
  outcome: "error",
  rcode: null,
  authenticatedData: false,
  authority: null,
  records: [],
  texts: [],
  chain: [],
  message: "Not a public address: only resolvers of dns.servers are asked about it",
  elapsedMs: 0,
});
