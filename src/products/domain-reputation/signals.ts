import type { DomainFacts } from "../../enrichment/names/domain-facts.ts";
import type { Signal } from "../../risk/score.ts";

/** What a domain's signals are drawn from beside its facts. */
export type DomainEvidence = {
  readonly facts: DomainFacts;
  /** Addresses of the name that some engine lists strongly. */
  readonly listedAddresses: readonly string[];
  /** A certificate was seen, and it is not valid. */
  readonly isCertificateInvalid: boolean;
};

/** The facts that add to a domain's score (design 4.4). */
export function domainSignals({ facts, listedAddresses, isCertificateInvalid }: DomainEvidence): Signal[] {
  const rows: readonly (readonly [holds: boolean, name: string, strength: number, reason: string])[] = [
    [facts.is_very_recent, "age_under_7_days", 0.3, `Registered ${facts.age_days} days ago`],
    [
      facts.is_recent && !facts.is_very_recent,
      "age_under_30_days",
      0.15,
      `Registered ${facts.age_days} days ago`,
    ],
    [facts.is_risky_tld, "risky_tld", 0.08, `The TLD .${facts.tld} has a high share of abuse`],
    [facts.is_homoglyph, "homoglyph", 0.35, `Looks like ${facts.homoglyph_of}`],
    [
      facts.is_lookalike && !facts.is_homoglyph,
      "lookalike",
      0.35,
      `Imitates ${facts.lookalike_of} (${facts.lookalike_kind?.replace("_", " ")})`,
    ],
    [facts.is_parked, "parked", 0.05, `Parked (${facts.parked_by})`],
    [facts.is_dynamic_dns, "dynamic_dns", 0.15, "A name of a dynamic-DNS service"],
    [facts.is_free_hosting, "free_hosting", 0.1, "A name of a free-hosting service"],
    [facts.is_sinkholed, "sinkholed", 0.7, "Taken from its owner for abuse: a sinkhole answers for it"],
    [listedAddresses.length > 0, "address_listed", 0.15, `Its address ${listedAddresses[0]} is listed`],
    [isCertificateInvalid, "certificate_invalid", 0.08, "Shows a certificate that is not valid for it"],
  ];
  return rows.flatMap(([holds, name, strength, reason]) => (holds ? [{ name, strength, reason }] : []));
}
