import type { Consultation } from "../../engines/kind.ts";
import { type BlacklistsReport, reportBlacklists } from "../../engines/report.ts";
import type { IpFacts } from "../../enrichment/facts.ts";
import type { VendorAnswer, VendorEnrichment } from "../../enrichment/vendor.ts";
import { ageOfVendor, type FreshnessReport, freshnessOf } from "../../risk/freshness.ts";
import { type RiskScore, scoreTarget } from "../../risk/score.ts";
import type { Ip } from "../../targets/ip.ts";
import type { SpecialPurpose } from "../../targets/special-purpose.ts";
import { ipSignals, sharedInfrastructureOf } from "./signals.ts";

export type IpTarget = { readonly ip: Ip; readonly special: SpecialPurpose | null; readonly input: string };

export type GatheredIp = {
  readonly target: IpTarget;
  readonly consultation: Consultation;
  readonly facts: IpFacts;
  readonly vendor: VendorAnswer | null;
  readonly computedAt: Date;
  readonly elapsedMs: number;
};

export type IpReport = {
  readonly ip: string;
  readonly input: string;
  readonly version: "v4" | "v6";
  readonly target_level: "ip";
  readonly blacklists: BlacklistsReport;
  readonly information: IpFacts["information"];
  readonly asn: IpFacts["asn"];
  readonly anonymity: IpFacts["anonymity"];
  readonly risk_score: RiskScore;
  readonly vendor_enrichment?: VendorEnrichment;
  readonly freshness: FreshnessReport;
  readonly unknown_fields: readonly string[];
  readonly elapsed_ms: number;
};

/** Facts to the wire shape of interface 2.6 with design 3 to 5; pure. */
export function reportIp(gathered: GatheredIp): IpReport {
  const { target, consultation, facts, vendor, computedAt } = gathered;
  const score = scoreTarget({
    consultation,
    signals: ipSignals(facts, vendor?.said ?? null),
    sharedInfrastructure: sharedInfrastructureOf(facts),
    isBogon: target.special?.isBogon ?? false,
    computedAt,
  });
  return {
    ip: target.ip.text,
    input: target.input,
    version: target.ip.version,
    target_level: "ip",
    blacklists: reportBlacklists(consultation, target.ip.text),
    information: facts.information,
    asn: facts.asn,
    anonymity: facts.anonymity,
    risk_score: score,
    ...(vendor === null ? {} : { vendor_enrichment: vendor.said }),
    freshness: freshnessOf(consultation, [facts, ...ageOfVendor(vendor, computedAt)], computedAt),
    unknown_fields: facts.unknownFields,
    elapsed_ms: Math.max(Math.round(gathered.elapsedMs), Math.floor(consultation.scanTimeMs)),
  };
}
