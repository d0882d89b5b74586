import { type Field, tableOf } from "./fields.ts";
import { ABROAD } from "./labels-abroad.ts";
import type { StatementRole } from "./roles.ts";
import { ANYWHERE } from "./shared-labels.ts";

/** Labels that are the domain's at the top or under a heading of the domain's; `heading/label` only under that one. */
const OF_DOMAIN = tableOf({
  domain: [
    "complete domain name",
    "domain",
    "domain queried",
    "domain/name",
    "domaine",
    "dominio",
    "object",
    "queried domain",
    "query",
    "query domain",
  ],
  registrar: [
    "enregistreur",
    "registar",
    "registered by",
    "registrador",
    "registrar",
    "registrar handle",
    "registration service provider",
    "authorized agency",
  ],
  created: [
    "activated on",
    "activation",
    "assigned",
    "created",
    "created at",
    "created on",
    "entry created",
    "registered",
    "registered at",
    "registration",
  ],
  updated: [
    "changed",
    "changed at",
    "changed on",
    "date de modification",
    "date modified",
    "derniere modification",
    "entry updated",
    "fecha de actualizacion",
    "fecha de modificacion",
    "last changed",
    "last change",
    "last edited",
    "last modified",
    "last modified on",
    "last update",
    "last updated",
    "last updated date",
    "last updated on",
    "last update date",
    "last modification",
    "last modified date",
    "modification date",
    "modified",
    "modified on",
    "ultima actualizacion",
    "ultima modificacion",
    "modified date",
    "update date",
    "updated",
    "updated at",
    "updated date",
    "updated on",
  ],
  expires: ["expired", "expired on", "renewal", "renewed until"],
  nameServer: ["dns", "dns servers", "domain servers", "host name", "hostname", "nservers", "servers"],
  status: [
    "domain state",
    "domain status",
    "epp status",
    "eppstatus",
    "estatus del dominio",
    "etat",
    "flags",
    "query status",
    "registration status",
    "status",
    "statut",
  ],
  statusAndExpiry: ["state"],
  holder: ["holder", "holder c", "owner", "owner c", "registrant", "registrant c", "titular"],
  registrantName: ["person"],
  registrantOrganization: ["org", "organization", "organisation"],
  registrantCountry: ["country"],
  dnssec: ["dnssec", "dnssec signed", "signed"],
  key: ["keyset", "key set"],
  dsRecord: ["signing key"],
  referral: ["whois server"],
});

const OF_REGISTRANT = tableOf({
  holder: ["registrant", "holder", "owner"],
  registrantName: ["", "contact", "contact name", "full name", "name", "person", "personname", "role"],
  registrantOrganization: [
    "company",
    "company english name",
    "company name",
    "org",
    "organisation",
    "organisation name",
    "organization",
    "organization name",
    // UANIC: the name in the registrant's own script.
    "organization loc",
  ],
  registrantState: ["county", "province", "region", "state", "state province"],
  registrantCountry: ["country", "country code", "country economy"],
  registrantEmail: ["e mail", "email", "email address", "holder email"],
  holderKind: ["type"],
});

const OF_REGISTRAR = tableOf({
  registrar: ["registrar"],
  registrarName: [
    "",
    "name",
    "org",
    "organisation",
    "organisation name",
    "organization",
    "organization name",
    "org name",
    "registrar name",
  ],
  registrarIanaId: ["iana id"],
  registrarUrl: ["homepage", "url", "web", "website", "www"],
});

const OF_NAME_SERVER = tableOf({
  nameServer: ["", "dns", "host", "nserver", "host name", "hostname", "name", "name server name", "server"],
});

const OF_DNSSEC = tableOf({
  dnssec: ["dnssec", "dnssec signed", "dnssec status", "signed", "status"],
  dsRecord: ["ds", "signing key"],
});

const BY_ROLE: Readonly<Record<StatementRole, ReadonlyMap<string, Field>>> = {
  domain: OF_DOMAIN,
  registrant: OF_REGISTRANT,
  registrar: OF_REGISTRAR,
  nameServer: OF_NAME_SERVER,
  dnssec: OF_DNSSEC,
  abuse: new Map(),
  contact: tableOf({
    handle: ["contact", "person", "norid handle"],
    // NIC.LV keeps the date of the last change under a heading of its own.
    updated: ["whois/updated"],
  }),
};

/**
 * What a label tells under a heading: the registry's own table first, then the labels of the heading's role, then those that
 * mean the same everywhere. A value with only its heading is told by the heading. Null: nothing that we show.
 */
export function fieldOf(
  {
    label,
    section,
    role,
  }: { readonly label: string; readonly section: string; readonly role: StatementRole },
  own: Readonly<Record<string, Field>>,
): Field | null {
  const name = label === "" && (role === "domain" || role === "dnssec") ? section : label;
  const inSection = `${section}/${label}`;
  if (Object.hasOwn(own, inSection)) return own[inSection] ?? null;
  if (Object.hasOwn(own, name) && role === "domain") return own[name] ?? null;
  const ofRole = BY_ROLE[role];
  return ofRole.get(inSection) ?? ofRole.get(name) ?? anywhere(name) ?? null;
}

const FIELDS_OF_DOMAIN: ReadonlySet<Field | undefined> = new Set([
  "domain",
  "created",
  "expires",
  "updated",
  "dnssec",
  "nameServer",
]);

const DATES: ReadonlySet<Field | undefined> = new Set(["created", "expires", "updated"]);

/** What some registries put before the label of a date of the domain's: `record created on`, `domain expiration date`. */
const OF_WHAT = /^(?:(?:domain|record|registration) ){1,2}/;

function anywhere(label: string): Field | undefined {
  const known = ANYWHERE.get(label) ?? ABROAD.get(label);
  if (known !== undefined || !OF_WHAT.test(label)) return known;
  const rest = label.replace(OF_WHAT, "");
  const field = OF_DOMAIN.get(rest) ?? ANYWHERE.get(rest);
  return DATES.has(field) ? field : undefined;
}

/** Whether a label can only be the domain's, and never that of an object of this role. */
export function isDomainsAlone(label: string, role: StatementRole): boolean {
  if (role === "domain" || BY_ROLE[role].has(label)) return false;
  const field = label === "dnssec" ? "dnssec" : anywhere(label);
  return FIELDS_OF_DOMAIN.has(field) && field !== role;
}

const FIELDS_OF_COLUMNS: ReadonlySet<Field | undefined> = new Set([
  "domain",
  "created",
  "expires",
  "updated",
  "registrar",
  "nameServer",
  "status",
]);

/** What a label before a column of values tells of a domain; null when it may be something else. */
export function columnFieldOf(label: string): Field | null {
  const field = OF_DOMAIN.get(label) ?? anywhere(label);
  return field !== undefined && FIELDS_OF_COLUMNS.has(field) ? field : null;
}
