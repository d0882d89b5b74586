import { isOfRegistrant } from "./rdap/redaction.ts";
import type { DomainRegistration } from "./types.ts";

/** Whether the registry left something empty that a registrar may know. */
export function hasGaps({ registrant, registrar, expirationDate }: DomainRegistration): boolean {
  const shown = [registrant.name, registrant.organization, registrant.country, registrant.emailDomain];
  return [...shown, registrar.abuseEmail, registrar.abusePhone, expirationDate].includes(null);
}

/**
 * A registry's answer with its gaps filled by the registrar's. Dates, status, name servers and signatures are the
 * registry's wherever it has them (design 10). Emails are of both.
 */
export function completeRegistration(
  registry: DomainRegistration,
  registrar: DomainRegistration,
): DomainRegistration {
  const registrant = fill(registry.registrant, registrar.registrant);
  const redactedFields = redactedOf(registry, registrar, registrant);
  const isHolderShown = registry.registrant.name !== null || registry.registrant.organization !== null;
  return {
    ...fill(registry, registrar),
    registered: registry.registered,
    registrar: fill(registry.registrar, registrar.registrar),
    nameServers: filled(registry.nameServers, registrar.nameServers),
    statuses: filled(registry.statuses, registrar.statuses),
    emails: [...new Set([...registry.emails, ...registrar.emails])].sort(),
    registrant,
    privacyProtected: redactedFields.some(isOfRegistrant)
      ? true
      : isHolderShown
        ? registry.privacyProtected
        : (registrar.privacyProtected ?? registry.privacyProtected),
    redactedFields,
    dsRecords: filled(registry.dsRecords, registrar.dsRecords),
    referral: registry.referral,
  };
}

/** The first object, its nulls replaced by the second's members. */
function fill<T extends object>(first: T, second: T): T {
  const gaps = Object.entries(second).filter(([name]) => Reflect.get(first, name) === null);
  return { ...first, ...Object.fromEntries(gaps) };
}

const filled = <T>(first: readonly T[], second: readonly T[]): readonly T[] =>
  first.length > 0 ? first : second;

/** What one of the two redacted is no longer so once the other shows it. */
function redactedOf(
  registry: DomainRegistration,
  registrar: DomainRegistration,
  { name, organization, state, country, emailDomain }: DomainRegistration["registrant"],
): readonly string[] {
  const values: Readonly<Record<string, string | null>> = {
    registrant_name: name,
    registrant_organization: organization,
    registrant_state: state,
    registrant_country: country,
    registrant_email_domain: emailDomain,
  };
  const fields = new Set([...registry.redactedFields, ...registrar.redactedFields]);
  return [...fields].filter((field) => !Object.hasOwn(values, field) || values[field] === null).sort();
}
