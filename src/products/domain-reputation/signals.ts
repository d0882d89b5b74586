import { daysAgo } from "../../base/counted.ts";
import type { DomainFacts } from "../../enrichment/domain-names/domain-facts-shape.ts";
import type { Signal } from "../../risk/score.ts";

/** What a domain's signals are drawn from beside its facts. */
export type DomainSignalEvidence = {
  readonly facts: DomainFacts;
  /** Addresses of the name that some engine lists strongly. */
  readonly listedAddresses: readonly string[];
  /** A certificate was seen, and it is not valid. */
  readonly isCertificateInvalid: boolean;
};

/** Strengths of a domain's signals. Source: design 4.4. */
export const DOMAIN_SIGNALS = {
  age_under_7_days: 0.3,
  age_under_30_days: 0.15,
  risky_tld: 0.08,
  homoglyph: 0.35,
  lookalike: 0.35,
  parked: 0.05,
  dynamic_dns: 0.15,
  free_hosting: 0.1,
  sinkholed: 0.7,
  address_listed: 0.15,
  certificate_invalid: 0.08,
} as const;

/** The facts that add to a domain's score (design 4.4). */
export function domainSignals({
  facts,
  listedAddresses,
  isCertificateInvalid,
}: DomainSignalEvidence): Signal[] {
  const registered = `Registered ${daysAgo(facts.age_days ?? 0)}`;
  const rows: readonly (readonly [holds: boolean, name: keyof typeof DOMAIN_SIGNALS, reason: string])[] = [
    [facts.is_very_recent, "age_under_7_days", registered],
    [facts.is_recent && !facts.is_very_recent, "age_under_30_days", registered],
    [facts.is_risky_tld, "risky_tld", `The TLD .${facts.tld} has a high share of abuse`],
    [facts.is_homoglyph, "homoglyph", `Looks like ${facts.homoglyph_of}`],
    [
      facts.is_lookalike && !facts.is_homoglyph,
      "lookalike",
      `Imitates ${facts.lookalike_of} (${facts.lookalike_kind?.replace("_", " ")})`,
    ],
    [facts.is_parked, "parked", `Parked (${facts.parked_by})`],
    [facts.is_dynamic_dns, "dynamic_dns", "A name of a dynamic-DNS service"],
    [facts.is_free_hosting, "free_hosting", "A name of a free-hosting service"],
    [facts.is_sinkholed, "sinkholed", "Taken from its owner for abuse: a sinkhole answers for it"],
    [listedAddresses.length > 0, "address_listed", `Its address ${listedAddresses[0]} is listed`],
    [isCertificateInvalid, "certificate_invalid", "Shows a certificate that is not valid for it"],
  ];
  return rows.flatMap(([holds, name, reason]) =>
    holds ? [{ name, strength: DOMAIN_SIGNALS[name], reason }] : [],
  );
}
