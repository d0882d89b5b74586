import type { Consultation } from "../../engines/kind.ts";
import { reportBlacklists } from "../../engines/report.ts";
import type { IpFacts } from "../../enrichment/facts.ts";
import type { VendorAnswer } from "../../enrichment/vendor.ts";
import { ageOfVendor, agesOfIp, besides, freshnessOf, type PartAge } from "../../risk/freshness.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { Ip } from "../../targets/ip.ts";
import type { SpecialPurpose } from "../../targets/special-purpose.ts";
import type { Unviewed } from "../views.ts";
import type { CheckIpReport } from "./shape.ts";
import { ipSignals, sharedInfrastructureOf } from "./signals.ts";

export type IpRequest = { readonly ip: Ip; readonly special: SpecialPurpose | null; readonly input: string };

export type GatheredIp = {
  readonly target: IpRequest;
  readonly consultation: Consultation;
  readonly facts: IpFacts;
  readonly vendor: VendorAnswer | null;
  readonly computedAt: Date;
  readonly elapsedMs: number;
};

export type IpReport = Unviewed<typeof CheckIpReport>;

const agesOf = ({ facts, vendor, computedAt }: GatheredIp): readonly PartAge[] => [
  ...agesOfIp(facts.ages),
  ...besides(ageOfVendor(vendor, computedAt)),
];

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
    freshness: freshnessOf(consultation, agesOf(gathered), computedAt),
    unknown_fields: facts.unknownFields,
    elapsed_ms: Math.max(Math.round(gathered.elapsedMs), Math.floor(consultation.scanTimeMs)),
  };
}
