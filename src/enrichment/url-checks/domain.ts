import { daysAgo } from "../../base/counted.ts";
import { icannDomainOf } from "../../targets/domain.ts";
import { type SpecialPurposeName, specialPurposeOf } from "../../targets/special-purpose.ts";
import { looksRandom } from "../domain-names/label.ts";
import { isSiteKnown, shown, signal } from "./check.ts";
import type { UrlEvidence } from "./evidence.ts";

/** Purposes of the name's IPv4 addresses; null: an ordinary one. None of a host that is an address. */
const ipv4PurposesOf = ({ host, addresses }: UrlEvidence): readonly (SpecialPurposeName | null)[] =>
  host.kind === "ip" || addresses === null
    ? []
    : addresses.filter(({ version }) => version === "v4").map((ip) => specialPurposeOf(ip)?.name ?? null);

const hasAddressOf =
  (test: (purpose: SpecialPurposeName) => boolean) =>
  (evidence: UrlEvidence): boolean =>
    ipv4PurposesOf(evidence).some((purpose) => purpose !== null && test(purpose));

/** Addresses have no registration, no name servers and no IPv4 assigned. */
const isAddress = ({ host }: UrlEvidence): boolean => host.kind === "ip";
const isIpv4Known = (evidence: UrlEvidence): boolean =>
  isAddress(evidence) || (evidence.addresses !== null && !evidence.silent.includes("v4"));
const isAgeKnown = (evidence: UrlEvidence): boolean =>
  isAddress(evidence) || (evidence.domainFacts !== null && evidence.domainFacts.age_days !== null);
const areFactsKnown = (evidence: UrlEvidence): boolean =>
  isAddress(evidence) || evidence.domainFacts !== null;

/** A random label below a content network's name was given by the network, so the name counts that a registry sold. */
function isRandomName({ host, isPopular }: UrlEvidence): boolean {
  if (host.kind === "ip" || isPopular) return false;
  const sold = icannDomainOf(host.domain.name);
  return sold !== null && looksRandom(sold.split(".")[0] ?? "");
}

const isLookalike = ({ domainFacts }: UrlEvidence): boolean => domainFacts?.is_lookalike === true;

const ageReason = ({ domainFacts }: UrlEvidence): string =>
  `The domain was registered ${daysAgo(domainFacts?.age_days ?? 0)}`;

/** Design 7.4, Domain: what is known of the host asked. */
export const DOMAIN_CHECKS = [
  shown("is_domain_blacklisted", ({ isBlacklisted }) => isBlacklisted),
  signal(
    "is_suspicious_domain",
    0.15,
    (evidence) =>
      isLookalike(evidence)
        ? `Imitates ${evidence.domainFacts?.lookalike_of}`
        : "The domain's name looks drawn at random",
    (evidence) => isLookalike(evidence) || isRandomName(evidence),
    areFactsKnown,
  ),
  signal(
    "is_sinkholed_domain",
    0.7,
    "Taken from its owner for abuse: a sinkhole answers for it",
    ({ domainFacts }) => domainFacts?.is_sinkholed === true,
    (evidence) => areFactsKnown(evidence) && !evidence.unknownFacts.includes("is_sinkholed"),
  ),
  signal(
    "is_domain_recent",
    0.15,
    ageReason,
    ({ domainFacts }) => domainFacts?.is_recent === true,
    isAgeKnown,
  ),
  signal(
    "is_domain_very_recent",
    0.3,
    ageReason,
    ({ domainFacts }) => domainFacts?.is_very_recent === true,
    isAgeKnown,
  ),
  shown("is_domain_ipv4_assigned", (evidence) => ipv4PurposesOf(evidence).length > 0, isIpv4Known),
  signal(
    "is_domain_ipv4_private",
    0.15,
    "The domain's address is a private one",
    hasAddressOf((purpose) => purpose === "private"),
    isIpv4Known,
  ),
  shown(
    "is_domain_ipv4_loopback",
    hasAddressOf((purpose) => purpose === "loopback"),
    isIpv4Known,
  ),
  shown(
    "is_domain_ipv4_reserved",
    hasAddressOf((purpose) => purpose !== "private" && purpose !== "loopback"),
    isIpv4Known,
  ),
  shown(
    "is_domain_ipv4_valid",
    (evidence) => {
      const purposes = ipv4PurposesOf(evidence);
      return purposes.length > 0 && purposes.every((purpose) => purpose === null);
    },
    isIpv4Known,
  ),
  signal(
    "is_free_hosting",
    0.1,
    "A site of a free-hosting service",
    ({ site }) => site.is_free_hosting,
    isSiteKnown("is_free_hosting"),
  ),
  signal(
    "is_free_dynamic_dns",
    0.15,
    "A name of a dynamic-DNS service",
    ({ site }) => site.is_free_dynamic_dns,
    isSiteKnown("is_free_dynamic_dns"),
  ),
  shown("is_url_shortener", ({ site }) => site.is_url_shortener, isSiteKnown("is_url_shortener")),
  signal(
    "is_risky_category",
    0.15,
    "A site of a kind that often brings harm",
    ({ site }) => site.is_risky_category,
  ),
] as const;
