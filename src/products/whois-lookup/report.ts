import type { DnssecCheck } from "../../enrichment/dns-facts/dnssec.ts";
import { ageOf } from "../../registry-data/ages.ts";
import type { RegistryLookup } from "../../registry-data/outcome.ts";
import { type DomainRegistration, emptyDomainRegistration } from "../../registry-data/types.ts";
import { ageOfDnssec } from "../../risk/freshness.ts";
import { endOf, type Gathered } from "./common-report.ts";
import type { WhoisDomainReport } from "./shape.ts";
import type { WhoisTarget } from "./target.ts";

type DomainTarget = Extract<WhoisTarget, { kind: "domain" }>;

/**
 * A domain's registration as it stands on the wire: interface 2.11, design 10; pure. `dnssec` is null when no source
 * checked.
 */
export function reportDomain(
  target: DomainTarget,
  lookup: RegistryLookup<DomainRegistration>,
  dnssec: DnssecCheck | null,
  gathered: Gathered,
): WhoisDomainReport {
  const { domain, registeredDomain } = target;
  const registration = lookup.registration ?? emptyDomainRegistration(domain.name, null);
  // An unregistered name is no zone; a registry's silence leaves what DNS says.
  const check = lookup.status === "not_found" ? null : dnssec;
  const signing = signingOf(registration, check);
  return {
    type: "domain",
    query: target.query,
    input: target.input,
    domain: domain.name,
    domain_unicode: domain.unicode,
    registered_domain: registeredDomain,
    registered: lookup.status === "not_found" ? false : registration.registered,
    ...registrarOf(registration),
    ...datesOf(registration, gathered.computedAt),
    name_servers: registration.nameServers,
    status: registration.statuses,
    emails: registration.emails,
    ...registrantOf(registration, gathered),
    ...signing,
    source: lookup.source,
    ...endOf(
      lookup,
      gathered,
      { registry: REGISTRY_FIELDS, others: lookup.status === "not_found" ? [] : unknownSigning(signing) },
      [ageOfDnssec(check, gathered.computedAt)],
    ),
    terms_of_service_url: registration.termsOfServiceUrl,
  };
}

/** What only the registry tells, by the names on the wire. */
const REGISTRY_FIELDS = [
  "creation_date",
  "domain_age_days",
  "domain_age_months",
  "domain_age_years",
  "emails",
  "expiration_date",
  "name_servers",
  "privacy_protected",
  "registered",
  "registrant_country",
  "registrant_email_domain",
  "registrant_email_is_free",
  "registrant_name",
  "registrant_organization",
  "registrant_state",
  "registrar",
  "registrar_abuse_email",
  "registrar_abuse_phone",
  "registrar_iana_id",
  "registrar_url",
  "status",
  "terms_of_service_url",
  "updated_date",
];

const registrarOf = ({ registrar }: DomainRegistration) => ({
  registrar: registrar.name,
  registrar_iana_id: registrar.ianaId,
  registrar_url: registrar.url,
  registrar_abuse_email: registrar.abuseEmail,
  registrar_abuse_phone: registrar.abusePhone,
});

function datesOf({ creationDate, expirationDate, updatedDate }: DomainRegistration, now: Date) {
  const age = creationDate === null ? null : ageOf(creationDate, now);
  return {
    creation_date: creationDate,
    expiration_date: expirationDate,
    updated_date: updatedDate,
    domain_age_days: age?.days ?? null,
    domain_age_months: age?.months ?? null,
    domain_age_years: age?.years ?? null,
  };
}

const registrantOf = (
  { registrant, privacyProtected, redactedFields }: DomainRegistration,
  { isFreeMailbox }: Gathered,
) => ({
  registrant_name: registrant.name,
  registrant_organization: registrant.organization,
  registrant_state: registrant.state,
  registrant_country: registrant.country,
  registrant_email_domain: registrant.emailDomain,
  registrant_email_is_free: registrant.emailDomain === null ? null : isFreeMailbox(registrant.emailDomain),
  privacy_protected: privacyProtected,
  redacted_fields: redactedFields,
});

type Signing = Pick<
  WhoisDomainReport,
  "dnssec" | "dnssec_status" | "dnssec_zone_signed" | "dnssec_checked_at" | "ds_records"
>;

/** `dnssec` and `ds_records` are the registry's, else what DNS says (design 10). */
function signingOf({ dnssec, dsRecords }: DomainRegistration, check: DnssecCheck | null): Signing {
  const registryRecords = dsRecords.map(({ keyTag, algorithm, digestType, digest }) => ({
    key_tag: keyTag,
    algorithm,
    digest_type: digestType,
    digest,
  }));
  const dnsRecords = dnssec === "unsigned" ? [] : (check?.dsRecords ?? []);
  return {
    dnssec: dnssec ?? signingByDns(check),
    dnssec_status: check?.status ?? null,
    dnssec_zone_signed: check?.zoneSigned ?? null,
    dnssec_checked_at: check?.checkedAt ?? null,
    ds_records: registryRecords.length > 0 ? registryRecords : dnsRecords,
  };
}

function signingByDns(check: DnssecCheck | null): DomainRegistration["dnssec"] {
  if (check === null || check.dsRecords === null) return null;
  return check.dsRecords.length > 0 ? "signedDelegation" : "unsigned";
}

const unknownSigning = (signing: Signing): string[] => [
  ...(signing.dnssec === null ? ["dnssec", "ds_records"] : []),
  ...(["dnssec_status", "dnssec_zone_signed", "dnssec_checked_at"] as const).filter(
    (field) => signing[field] === null,
  ),
];
