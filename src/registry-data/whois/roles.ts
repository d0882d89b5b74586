/** What the statements under a heading are about. */
export type StatementRole =
  | "domain"
  | "registrant"
  | "registrar"
  | "nameServer"
  | "dnssec"
  | "abuse"
  | "contact";

const ROLES: readonly (readonly [StatementRole, RegExp])[] = [
  ["abuse", /^(?:registrar )?abuse(?: contact)?$/],
  ["registrar", /^registrar contact information$/],
  ["dnssec", /^dnssec\b|^ds (?:data|rdata|records?)$|^dnskey$|^delegation signers?\b/],
  [
    "registrant",
    /^(?:registrant|holder|owner|titular|licensee|domain (?:name )?(?:holder|owner)|holder of domain name|registered name holder|organization using domain name)(?: (?:contact|contacts|details|info|information|contact details|contact information|organization))?$/,
  ],
  [
    "nameServer",
    /\bname ?servers?\b|^nservers?$|^(?:domain|dns) servers?\b|^dns$|^servidor(?:es)? (?:de nombres?|dns)\b/,
  ],
  [
    "contact",
    /contact|\b(?:admin|administrative|technical|tech|billing|zone|onsite|reseller)\b|^(?:nic hdl|nic hdl br|nic handle|norid handle|person|personname|role|organisation|nsset|keyset|key set|whois|whois server)$/,
  ],
  [
    "registrar",
    /^(?:current |sponsoring |domain )?(?:registrar|registar)(?: (?:of record|info|information|details))?$|^registration service provider$|^authorized agency$/,
  ],
];

/** The role of a heading or an object's first label, as `plainLabel` has it; `domain` when it names no contact. */
export const roleOf = (label: string): StatementRole =>
  ROLES.find(([, pattern]) => pattern.test(label))?.[0] ?? "domain";
