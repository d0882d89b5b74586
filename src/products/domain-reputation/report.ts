import type { Consultation } from "../../engines/kind.ts";
import { reportBlacklists } from "../../engines/report.ts";
import type { DomainDns } from "../../enrichment/dns-facts/domain-dns.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import { VENDOR_RECORD_STRENGTH, type VendorAnswer } from "../../enrichment/vendor.ts";
import type { TlsReport } from "../../net/tls/tls-shape.ts";
import {
  ageOfData,
  ageOfDnssec,
  ageOfLists,
  ageOfVendor,
  besides,
  freshnessOf,
  ofRegistry,
  type PartAge,
} from "../../risk/freshness.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { Domain } from "../../targets/domain.ts";
import type { Unviewed } from "../views.ts";
import type { WhoisDomainReport } from "../whois-lookup/shape.ts";
import { type KnownHost, reportDomainDns, unknownDnsFields } from "./dns-report.ts";
import type { DomainReportShape } from "./shape.ts";
import { domainSignals } from "./signals.ts";

export type DomainRequest = { readonly domain: Domain; readonly input: string };

export type GatheredDomain = {
  readonly target: DomainRequest;
  readonly consultation: Consultation;
  readonly dns: DomainDns;
  readonly hosts: readonly KnownHost[];
  /** Of what was asked about the hosts' addresses. */
  readonly hostAges: readonly PartAge[];
  readonly whois: WhoisDomainReport;
  readonly tls: TlsReport;
  readonly judged: JudgedDomain;
  readonly vendor: VendorAnswer | null;
  readonly computedAt: Date;
  readonly elapsedMs: number;
};

export type DomainReport = Unviewed<typeof DomainReportShape>;

/** What was gathered to the wire shape of interface 2.7 with design 6; pure. */
export function reportDomain(gathered: GatheredDomain): DomainReport {
  const { target, consultation, dns, whois, tls, judged, vendor, computedAt } = gathered;
  const { domain, input } = target;
  const signals = domainSignals({
    facts: judged.facts,
    listedAddresses: gathered.hosts.flatMap(({ ip, role, hasStrongHit }) =>
      role === "a" && hasStrongHit ? [ip] : [],
    ),
    isCertificateInvalid: tls.valid === false,
  });
  const vendorSignal = vendor?.said.listed
    ? [
        {
          name: "vendor_record",
          strength: VENDOR_RECORD_STRENGTH,
          reason: `Recorded in ${vendor.said.dataset ?? "the record service"}`,
        },
      ]
    : [];
  return {
    domain: domain.name,
    input,
    domain_unicode: domain.unicode,
    registered_domain: domain.registeredDomain,
    target_level: levelOf(domain),
    blacklists: reportBlacklists(consultation, domain.name),
    dns: reportDomainDns(dns, gathered.hosts),
    whois,
    ssl: tls,
    facts: judged.facts,
    shared_infrastructure: judged.sharedInfrastructure,
    risk_score: scoreTarget({
      consultation,
      signals: [...signals, ...vendorSignal],
      sharedInfrastructure: judged.sharedInfrastructure,
      isBogon: false,
      computedAt,
    }),
    ...(vendor === null ? {} : { vendor_enrichment: vendor.said }),
    freshness: freshnessOf(consultation, agesOf(gathered), computedAt),
    unknown_fields: unknownFieldsOf(gathered),
    elapsed_ms: Math.max(Math.round(gathered.elapsedMs), Math.floor(consultation.scanTimeMs)),
  };
}

function agesOf({ whois, judged, dns, hostAges, vendor, computedAt }: GatheredDomain): readonly PartAge[] {
  const { fetched_at: at, freshness } = whois;
  const { stale, cached } = freshness;
  const registry = ageOfData({ asOf: at === null ? null : new Date(at), stale, cached }, computedAt);
  const others = [
    ageOfLists(judged, computedAt),
    ageOfDnssec(dns.dnssec, computedAt),
    ...ageOfVendor(vendor, computedAt),
  ];
  return [ofRegistry(registry), ...besides(others), ...hostAges];
}

/** A host is a name below a registered one; nothing is registered above a public suffix (design 3.3). */
const levelOf = ({ name, registeredDomain }: Domain): "domain" | "host" =>
  registeredDomain === null || registeredDomain === name ? "domain" : "host";

function unknownFieldsOf({ dns, whois, tls, judged }: GatheredDomain): readonly string[] {
  const unseen =
    tls.status === "timeout" || tls.status === "error" || tls.status === "blocked" ? ["ssl.valid"] : [];
  return [
    ...unknownDnsFields(dns),
    ...unseen,
    ...judged.unknown.map((field) => `facts.${field}`),
    ...whois.unknown_fields.map((field) => `whois.${field}`),
  ].sort();
}
