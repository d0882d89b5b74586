import type { Contact } from "./shapes.ts";

// What a registry says about a domain, a network or an AS number, in the one form that RDAP and WHOIS both become.
// A text that the registry left empty or redacted is null; nothing here is a default standing for an answer.

/** `2026-11-21T09:00:00Z`; a bare date stands at 00:00:00 (design 10). */
export type IsoTime = string;

/** RFC 5910's words as interface 2.11 has them. */
export type DelegationSigning = "signedDelegation" | "unsigned";

/** One delegation signer (RFC 4034 5); `digest` in upper-case hexadecimal digits without blanks. */
export type DsRecord = {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: string;
};

/** Who sold the registration. */
export type Registrar = {
  readonly name: string | null;
  /** Digits only. */
  readonly ianaId: string | null;
  readonly url: string | null;
  /** Lower case. */
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
};

/** Who holds it, as far as shown; a redacted text is null and named in `redactedFields`. */
export type Registrant = {
  readonly name: string | null;
  readonly organization: string | null;
  readonly state: string | null;
  /** As shown: a code in upper case (`NL`) or a name. */
  readonly country: string | null;
  /** Lower case, A-labels; never that of a redacted address. */
  readonly emailDomain: string | null;
};

/** What a registry, completed by the registrar, says about a domain. */
export type DomainRegistration = {
  /** The name that was asked for: lower case, A-labels. */
  readonly domain: string;
  /** False: the registry says that it is not registered, or cannot be (`reserved`, `blocked` in `statuses`). */
  readonly registered: boolean | null;
  readonly registrar: Registrar;
  readonly creationDate: IsoTime | null;
  readonly expirationDate: IsoTime | null;
  /** The domain's last change, never that of the registry's database. */
  readonly updatedDate: IsoTime | null;
  /** Lower case, without final dot, unique, sorted. */
  readonly nameServers: readonly string[];
  /** EPP's spellings (`clientTransferProhibited`), unique, sorted. */
  readonly statuses: readonly string[];
  /** Lower case, unique, sorted. */
  readonly emails: readonly string[];
  readonly registrant: Registrant;
  /** True: a privacy or proxy service, or redacted; null: nothing was said about a registrant. */
  readonly privacyProtected: boolean | null;
  /** The interface's names (`registrant_name`) where one fits, else the publisher's; unique, sorted. */
  readonly redactedFields: readonly string[];
  readonly dnssec: DelegationSigning | null;
  readonly dsRecords: readonly DsRecord[];
  readonly termsOfServiceUrl: string | null;
  /** The registrar's own server, not judged yet: a WHOIS host as written, or the URL of an RDAP `related` link. */
  readonly referral: string | null;
};

/** The five regional registries, as interface 2.11 spells them. */
export type RegionalRegistry = "arin" | "ripe" | "apnic" | "lacnic" | "afrinic";

/** What networks and AS numbers have in common. */
export type NumberRegistration = {
  readonly registered: boolean | null;
  readonly handle: string | null;
  readonly organization: string | null;
  readonly country: string | null;
  readonly registry: RegionalRegistry | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
  readonly registrationDate: IsoTime | null;
  readonly updatedDate: IsoTime | null;
  readonly termsOfServiceUrl: string | null;
  /** Lower case, unique, sorted. */
  readonly emails: readonly string[];
  /** EPP-like spellings (`active`), unique, sorted. */
  readonly statuses: readonly string[];
  readonly contacts: readonly Contact[];
  /** One text each, control characters removed. */
  readonly remarks: readonly string[];
};

/** What a regional registry says about a network. */
export type IpRegistration = NumberRegistration & {
  /** Most specific registered network that holds the query: a CIDR, or `first - last` when it is none. */
  readonly network: string | null;
  readonly startAddress: string | null;
  readonly endAddress: string | null;
  readonly ipVersion: 4 | 6 | null;
  readonly networkName: string | null;
  readonly cidrs: readonly string[];
  readonly parentHandle: string | null;
  /** As the registry writes it: `ALLOCATED PA`, `DIRECT ALLOCATION`. */
  readonly networkType: string | null;
};

/** What a regional registry says about an AS number. */
export type AsnRegistration = NumberRegistration & {
  readonly asn: number | null;
  readonly asnName: string | null;
  /** First and last number, when the registry answered with a block of more than one. */
  readonly asnRange: { readonly first: number; readonly last: number } | null;
};

/** Nothing known of a registrar. */
export const NO_REGISTRAR: Registrar = {
  name: null,
  ianaId: null,
  url: null,
  abuseEmail: null,
  abusePhone: null,
};

/** Nothing shown of a registrant. */
export const NO_REGISTRANT: Registrant = {
  name: null,
  organization: null,
  state: null,
  country: null,
  emailDomain: null,
};

/** A domain of which nothing is known but whether it is registered. */
export const emptyDomainRegistration = (domain: string, registered: boolean | null): DomainRegistration => ({
  domain,
  registered,
  registrar: NO_REGISTRAR,
  creationDate: null,
  expirationDate: null,
  updatedDate: null,
  nameServers: [],
  statuses: [],
  emails: [],
  registrant: NO_REGISTRANT,
  privacyProtected: null,
  redactedFields: [],
  dnssec: null,
  dsRecords: [],
  termsOfServiceUrl: null,
  referral: null,
});
