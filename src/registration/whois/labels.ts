import type { Role } from "./roles.ts";

const FIELDS = [
  "domain",
  "registrar",
  // In an object of the registrar's; goes before `registrar`, which may be its handle.
  "registrarName",
  "registrarIanaId",
  "registrarUrl",
  "abuseEmail",
  "abusePhone",
  "created",
  "expires",
  "updated",
  "nameServer",
  "status",
  // A status with the date of expiry in brackets: `Connected (2027/03/31)`.
  "statusAndExpiry",
  // A registrant's name, or the handle of an object that has it.
  "holder",
  "registrantName",
  "registrantOrganization",
  "registrantState",
  "registrantCountry",
  "registrantEmail",
  // Whether the holder is a person or an organisation.
  "holderKind",
  // The handle of an object.
  "handle",
  "dnssec",
  "dsRecord",
  "dsKeyTag",
  "dsAlgorithm",
  "dsDigestType",
  "dsDigest",
  // A key, or the set of keys: the delegation is signed.
  "key",
  "referral",
] as const;

/** What a statement tells. */
export type Field = (typeof FIELDS)[number];

type Labels = Readonly<Partial<Record<Field, readonly string[]>>>;

const tableOf = (labels: Labels): ReadonlyMap<string, Field> =>
  new Map(FIELDS.flatMap((field) => (labels[field] ?? []).map((label) => [label, field] as const)));

/** Labels that mean the same under every heading. */
const ANYWHERE = tableOf({
  domain: ["domain name", "domainname", "nom de domaine", "nombre de dominio", "nome de dominio"],
  registrar: [
    "agente registrador",
    "current registar",
    "current registrar",
    "registrar name",
    "registrar organization",
    "sponsoring registrar",
  ],
  registrarIanaId: ["registrar iana id", "sponsoring registrar iana id"],
  registrarUrl: [
    "referral url",
    "registrar homepage",
    "registrar info",
    "registrar url",
    "registrar web",
    "registrar website",
    "registration service url",
  ],
  abuseEmail: ["abuse email", "abuse mailbox", "registrar abuse contact email", "registrar abuse email"],
  abusePhone: ["abuse phone", "registrar abuse contact phone", "registrar abuse phone"],
  created: [
    "creation date",
    "created date",
    "date de creation",
    "date registered",
    "domain create date",
    "domain created",
    "domain created on",
    "domain creation date",
    "domain dateregistered",
    "domain name commencement date",
    "domain registered",
    "domain registration date",
    "fecha de creacion",
    "fecha de registro",
    "first registration date",
    "record created",
    "record created on",
    "registered date",
    "registered on",
    "registration date",
    "registration time",
  ],
  expires: [
    "domain datebilleduntil",
    "domain expiration date",
    "domain expires",
    "domain expiry date",
    "exp date",
    "expiration",
    "expiration date",
    "expiration time",
    "expire",
    "expire date",
    "expire on",
    "expires",
    "expires at",
    "expires on",
    "expiry",
    "expiry date",
    "fecha de expiracion",
    "fecha de vencimiento",
    "paid till",
    "record expires on",
    "registrar registration expiration date",
    "registry expiry date",
    "renewal date",
    "valid until",
    "validity",
  ],
  updated: ["domain datelastmodified", "domain last updated", "domain updated date"],
  nameServer: [
    "domain nameservers",
    "domain servers in listed order",
    "name server",
    "name server hostname",
    "name servers",
    "nameserver",
    "nameservers",
    "nserver",
    "ns name",
    "primary name server",
    "primary server",
    "secondary name server",
    "secondary server",
  ],
  registrantName: [
    "domain holder",
    "domain holder name",
    "owner name",
    "registrant contact name",
    "registrant name",
  ],
  registrantOrganization: [
    "domain holder organization",
    "org name",
    "registrant contact organisation",
    "registrant contact organization",
    "registrant organisation",
    "registrant organization",
  ],
  registrantState: ["registrant state", "registrant state province", "registrant contact state province"],
  registrantCountry: [
    "org country",
    "owner country code",
    "registrant contact country",
    "registrant country",
    "registrant country code",
    "registrant country economy",
  ],
  registrantEmail: ["owner email", "registrant contact email", "registrant email", "registrant e mail"],
  handle: ["nic handle", "nic hdl", "nic hdl br"],
  dnssec: ["domain signed"],
  dsKeyTag: ["ds key tag", "key tag"],
  dsAlgorithm: ["algorithm", "key algo"],
  dsDigestType: ["digest type", "key dgst t"],
  dsDigest: ["digest", "key dgst"],
  dsRecord: ["dnssec ds data", "ds data", "ds rdata", "ds record", "dsrecord", "ds records"],
  key: ["dnskey", "keys"],
  referral: ["registrar whois server", "registrar whois"],
});

/** Labels that are the domain's at the top or under a heading of the domain's; `heading/label` only under that one. */
const OF_DOMAIN = tableOf({
  domain: ["complete domain name", "domain", "domain/name", "query domain"],
  registrar: [
    "registar",
    "registered by",
    "registrar",
    "registrar handle",
    "registration service provider",
    "authorized agency",
  ],
  created: [
    "activated on",
    "assigned",
    "created",
    "created on",
    "entry created",
    "registered",
    "registration",
  ],
  updated: [
    "changed",
    "date modified",
    "entry updated",
    "last changed",
    "last change",
    "last edited",
    "last modified",
    "last modified on",
    "last update",
    "last updated",
    "last updated date",
    "last updated on",
    "modification date",
    "modified",
    "modified date",
    "update date",
    "updated",
    "updated date",
    "updated on",
  ],
  nameServer: ["dns", "dns servers", "domain servers", "host name", "hostname", "nservers", "servers"],
  status: [
    "domain state",
    "domain status",
    "epp status",
    "eppstatus",
    "flags",
    "query status",
    "registration status",
    "status",
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
  ],
  registrarIanaId: ["iana id"],
  registrarUrl: ["homepage", "url", "web", "website", "www"],
});

const OF_NAME_SERVER = tableOf({
  nameServer: ["", "dns", "host", "host name", "hostname", "name", "name server name", "server"],
});

const BY_ROLE: Readonly<Record<Role, ReadonlyMap<string, Field>>> = {
  domain: OF_DOMAIN,
  registrant: OF_REGISTRANT,
  registrar: OF_REGISTRAR,
  nameServer: OF_NAME_SERVER,
  abuse: new Map(),
  contact: tableOf({ handle: ["contact", "person", "norid handle"] }),
};

/**
 * What a label tells under a heading: the registry's own table first, then the labels of the heading's role, then those that
 * mean the same everywhere. A value with only its heading is told by the heading. Null: nothing that we show.
 */
export function fieldOf(
  { label, section, role }: { readonly label: string; readonly section: string; readonly role: Role },
  own: Readonly<Record<string, Field>>,
): Field | null {
  const name = label === "" && role === "domain" ? section : label;
  const inSection = `${section}/${label}`;
  if (Object.hasOwn(own, inSection)) return own[inSection] ?? null;
  if (Object.hasOwn(own, name) && role === "domain") return own[name] ?? null;
  const ofRole = BY_ROLE[role];
  return ofRole.get(inSection) ?? ofRole.get(name) ?? ANYWHERE.get(name) ?? null;
}
