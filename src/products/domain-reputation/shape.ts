import { z } from "zod";
import { nullable, type Wire } from "../../base/wire.ts";
import { Blacklists } from "../../engines/shapes.ts";
import { DmarcShape, SpfShape } from "../../enrichment/dns-facts/mail-policy/shapes.ts";
import { RecordObjectShape } from "../../enrichment/dns-facts/record-shape.ts";
import { DomainFactsShape } from "../../enrichment/domain-names/domain-facts-shape.ts";
import { EnrichmentShape } from "../../enrichment/vendor.ts";
import { TlsShape } from "../../net/tls/tls-shape.ts";
import { Freshness, RiskScoreShape } from "../../risk/shapes.ts";
import { parseDomain } from "../../targets/domain.ts";
import { FREE_ENGINES } from "../free-engines.ts";
import { textOfKind } from "../shapes.ts";
import { WhoisDomainReport } from "../whois-lookup/shape.ts";

export const DomainReputationInput = z
  .object({ domain: textOfKind(parseDomain).describe("Domain name, Unicode or A-labels") })
  .meta({ id: "DomainReputationRequest" });

const records = z
  .array(RecordObjectShape)
  .describe("The first 16 KiB of the type; `unknown_fields` names it when there are more");

const Host = z
  .object({
    ip: z.string(),
    role: z.enum(["a", "mx", "ns"]),
    name: z.string(),
    asn: z.string(),
    isp: z.string().describe("Holder of the network"),
    country_code: z.string().describe("ISO 3166-1 alpha-2"),
    detections: z.int().describe("Engines that name the address"),
  })
  .meta({ id: "DomainHost" });

const Dns = z
  .object({
    status: z.enum(["ok", "nxdomain", "servfail", "timeout", "error"]),
    a: records,
    aaaa: records,
    mx: records,
    ns: records,
    txt: records,
    caa: records,
    soa: RecordObjectShape.nullable(),
    hosts: z.array(Host).describe("The first 100"),
    hosts_total: z
      .int()
      .nullable()
      .describe("Addresses found, and servers too many to ask for theirs, each as one"),
    spf: SpfShape,
    dmarc: DmarcShape,
    bimi_present: z.boolean().nullable().describe("Whether there is a BIMI record"),
    mta_sts_present: z.boolean().nullable().describe("Whether there is an MTA-STS record"),
    tls_rpt_present: z.boolean().nullable().describe("Whether there is a TLS reporting record"),
    null_mx: z.boolean().nullable().describe("Whether the domain says that it takes no mail (RFC 7505)"),
    wildcard: z.boolean().nullable().describe("A random name below it resolves"),
    dnssec: z.object({
      status: z.enum(["secure", "unsigned", "zone_signed_no_ds", "broken"]).nullable(),
      signed: z.boolean().nullable(),
      ds: z.array(
        z.object({ key_tag: z.int(), algorithm: z.int(), digest_type: z.int(), digest: z.string() }),
      ),
      checked_at: nullable,
    }),
    cname: nullable,
    cname_chain: z.array(z.string()).describe("Names that the alias leads through"),
    dangling_cname: z.boolean().nullable().describe("Whether the alias leads to a name that does not exist"),
    errors: z.record(z.string(), z.string()).describe("Outcome of each type that failed"),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: "DomainDns" });
export type DnsWire = Wire<typeof Dns>;

export const DomainReportShape = z
  .object({
    domain: z.string(),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: nullable.describe("By the public suffix list, ICANN and private section"),
    target_level: z.enum(["domain", "host"]),
    blacklists: Blacklists,
    dns: Dns,
    whois: WhoisDomainReport,
    ssl: TlsShape,
    facts: DomainFactsShape,
    risk_score: RiskScoreShape,
    vendor_enrichment: EnrichmentShape.optional(),
    freshness: Freshness,
    unknown_fields: z
      .array(z.string())
      .describe("Paths of members whose source is absent or failed; they hold their default"),
    elapsed_ms: z.int().default(0).describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "DomainReport" });

export const FreeDomainReport = z
  .object({
    domain: z.string(),
    input: z.string().describe("As it was sent"),
    domain_unicode: z.string().describe("The name as people read it"),
    registered_domain: nullable.describe("The name one below its public suffix"),
    target_level: z.enum(["domain", "host"]),
    blacklisted: z.boolean(),
    detections: z.int(),
    engines_count: z.int().describe("Engines that answered"),
    ...FREE_ENGINES,
    message: z.string(),
    registered: z
      .boolean()
      .nullable()
      .describe("False: the registry has no such registration; null: not known"),
    domain_age_days: z
      .int()
      .nullable()
      .describe("Days since the domain was registered; null when that is not known"),
    registrar: nullable.describe("Name of the registrar"),
    creation_date: nullable,
    expiration_date: nullable,
    risk_score: z.int().nullable().describe("Null when too few engines answered with fresh data"),
    freshness: Freshness,
    unknown_fields: z
      .array(z.string())
      .describe("Paths of members whose source is absent or failed; they hold their default"),
    elapsed_ms: z.int().describe("Time that the work took, milliseconds"),
  })
  .meta({ id: "FreeDomainReport" });
export type FreeDomainReport = Wire<typeof FreeDomainReport>;
