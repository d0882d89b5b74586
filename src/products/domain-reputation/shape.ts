import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { Blacklists } from "../../engines/shapes.ts";
import { DOMAIN_DNS_STATUSES } from "../../enrichment/dns-facts/domain-dns.ts";
import { DmarcShape, SpfShape } from "../../enrichment/dns-facts/mail-policy/shapes.ts";
import { RecordObjectShape } from "../../enrichment/dns-facts/record-shape.ts";
import { DomainFactsShape } from "../../enrichment/domain-names/domain-facts-shape.ts";
import { EnrichmentShape } from "../../enrichment/vendor.ts";
import { TlsShape } from "../../net/tls/tls-shape.ts";
import { DS_MEMBERS, LookupErrorShape } from "../../registry-data/shapes.ts";
import { RiskScoreShape, SharedInfrastructure } from "../../risk/shapes.ts";
import { parseDomain } from "../../targets/domain.ts";
import { FREE_ENGINES } from "../free-engines.ts";
import { REPORT_END, textOfKind } from "../shapes.ts";
import { WhoisDomainReport } from "../whois-lookup/shape.ts";

export const DomainReputationInput = z
  .object({ domain: textOfKind(parseDomain).describe("Domain name, Unicode or A-labels") })
  .meta({ id: "DomainReputationRequest" });

const records = z
  .array(RecordObjectShape)
  .describe("The first 16 KiB of the type; `unknown_fields` names it when there are more");

const Host = z
  .object({
    ip: z.string().describe("The address"),
    role: z.enum(["a", "mx", "ns"]).describe("Whose address: the name's, a mail host's, a name server's"),
    name: z.string().describe("Name that has the address"),
    asn: z.string().describe('Origin of its route, "AS64500"'),
    isp: z.string().describe("Holder of the network"),
    country_code: z.string().describe("ISO 3166-1 alpha-2"),
    detections: z.int().describe("Engines that name the address"),
    strong_hit: z
      .boolean()
      .describe("Whether one of them is a strong hit: of an A or AAAA address it is `signal_address_listed`"),
  })
  .meta({ id: "DomainHost" });

const Dns = z
  .object({
    status: z.enum(DOMAIN_DNS_STATUSES).describe("How asking DNS ended"),
    a: records,
    aaaa: records,
    mx: records,
    ns: records,
    txt: records,
    caa: records,
    soa: RecordObjectShape.nullable().describe("The zone's SOA record"),
    hosts: z.array(Host).describe("The first 100"),
    hosts_total: z
      .int()
      .nullable()
      .describe("Addresses found, and servers too many to ask for theirs, each as one"),
    spf: SpfShape,
    dmarc: DmarcShape,
    bimi_present: z.boolean().nullable().describe("Whether there is one BIMI record, and it names a logo"),
    mta_sts_present: z
      .boolean()
      .nullable()
      .describe("Whether there is one MTA-STS record, and it names a policy"),
    tls_rpt_present: z
      .boolean()
      .nullable()
      .describe("Whether there is one TLS-RPT record, and it names an address for reports"),
    null_mx: z.boolean().nullable().describe("Whether the domain says that it takes no mail (RFC 7505)"),
    wildcard: z.boolean().nullable().describe("A random name below it resolves"),
    dnssec: z
      .object({
        status: z
          .enum(["secure", "unsigned", "zone_signed_no_ds", "broken"])
          .nullable()
          .describe("Whether the zone is signed, and its parent says so"),
        signed: z.boolean().nullable().describe("The zone publishes DNSKEY records"),
        ds: z.array(z.object(DS_MEMBERS)).describe("DS records at the parent"),
        checked_at: nullable.describe("When that was asked, ISO 8601"),
      })
      .describe("DNSSEC of the zone"),
    cname: nullable.describe("Name that it is an alias of"),
    cname_chain: z.array(z.string()).describe("Names that the alias leads through"),
    dangling_cname: z.boolean().nullable().describe("Whether the alias leads to a name that does not exist"),
    errors: z.record(z.string(), z.string()).describe("Outcome of each type that failed"),
    error: LookupErrorShape.nullable().describe("Why nothing was found out; null when DNS answered"),
  })
  .meta({ id: "DomainDns", description: "What DNS says of the domain" });
export type DnsWire = Wire<typeof Dns>;

export const DomainReportShape = z
  .object({
    domain: z.string().describe("The name as A-labels in lower case"),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: nullable.describe("By the public suffix list, ICANN and private section"),
    target_level: z.enum(["domain", "host"]).describe("host: a name below the registered domain"),
    blacklists: Blacklists,
    dns: Dns,
    whois: WhoisDomainReport,
    ssl: TlsShape,
    facts: DomainFactsShape,
    shared_infrastructure: SharedInfrastructure,
    risk_score: RiskScoreShape,
    vendor_enrichment: EnrichmentShape.optional().describe(
      "Only when an enrichment upstream is configured and answered",
    ),
    ...REPORT_END,
  })
  .meta({ id: "DomainReport" });

export const FreeDomainReport = z
  .object({
    domain: z.string().describe("The name as A-labels in lower case"),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    target_level: z.enum(["domain", "host"]).describe("host: a name below the registered domain"),
    blacklisted: z.boolean().describe("Whether an engine names the domain"),
    detections: z.int().describe("Engines that name the domain"),
    engines_count: z.int().describe("Engines that answered"),
    ...FREE_ENGINES,
    message: z.string().describe("The result in one sentence"),
    registered: z
      .boolean()
      .nullable()
      .describe("False: the registry has no such registration; null: not known"),
    domain_age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    registrar: nullable.describe("Name of the registrar"),
    creation_date: nullable.describe("When it was registered, ISO 8601"),
    expiration_date: nullable.describe("When the registration ends, ISO 8601"),
    risk_score: z.int().nullable().describe("Null when too few engines answered with fresh data"),
    ...REPORT_END,
  })
  .meta({ id: "FreeDomainReport", description: "The reduced report of a domain" });
export type FreeDomainReport = Wire<typeof FreeDomainReport>;
