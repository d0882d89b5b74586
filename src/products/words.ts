import type { DomainFacts } from "../enrichment/domain-names/domain-facts-shape.ts";
import type { RelationKind } from "../enrichment/domain-names/relation.ts";
import type { TlsReport } from "../net/tls/tls-shape.ts";
import type { IpReport } from "./check-ip/report.ts";
import type { EmailReport } from "./email-reputation/report.ts";
import type { UrlReport } from "./url-reputation/report.ts";
import type { WhoisDomainReport } from "./whois-lookup/shape.ts";

// Words for people that the terminal and the pages share. `npm run web:types` hands them to `web/`.

type Words<K extends string> = Readonly<Record<K, string>>;
type Information = IpReport["information"];

/** What an address is beside what hides it. */
export const ADDRESS_ROLES: readonly (readonly [keyof Information & `is_${string}`, string])[] = [
  ["is_search_engine_bot", "search engine crawler"],
  ["is_vendor_bot", "known crawler"],
  ["is_fake_bot", "pretended crawler"],
  ["is_public_dns", "public resolver"],
  ["is_satellite", "satellite access"],
  ["is_vendor_drop", "do not route list"],
  ["is_major_provider_spf_ip", "mail of a large provider"],
  ["is_vendor_service", "service of a known operator"],
];

/** Why there is no name of an address. */
export const NO_REVERSE_NAME: Words<NonNullable<Information["reverse_dns_status"]> | "unasked"> = {
  ok: "none",
  nxdomain: "none",
  timeout: "unknown: no answer in time",
  error: "unknown: the lookup failed",
  unasked: "not asked",
};

/** What a name is. */
export const DOMAIN_TRAITS: readonly (readonly [keyof DomainFacts & `is_${string}`, string])[] = [
  ["is_very_recent", "registered this week"],
  ["is_recent", "registered this month"],
  ["is_parked", "parked"],
  ["is_sinkholed", "sinkholed"],
  ["is_dynamic_dns", "dynamic DNS"],
  ["is_free_hosting", "free hosting"],
  ["is_url_shortener", "URL shortener"],
  ["is_disposable_email", "throwaway mail"],
  ["is_risky_tld", "risky top-level domain"],
  ["is_idn", "international name"],
];

/** How a name belongs to a brand. */
export const RELATIONS: Words<RelationKind> = {
  listed: "one of its domains",
  registrant: "same registrant",
  name_servers: "same name servers",
  network: "same network",
  label: "its name under another suffix",
};

/** Why no certificate was seen. */
export const NO_CERTIFICATE: Words<Exclude<TlsReport["status"], "ok">> = {
  no_tls: "the host offers no encryption",
  timeout: "the host did not answer in time",
  error: "the connection failed",
  blocked: "the target may not be reached",
  no_address: "the host name has no A or AAAA record",
};

/** What became of the way to a page. */
export const FETCH_WORDS: Words<UrlReport["url_fetch_status"]> = {
  ok: "fetched",
  http_error: "fetched, with an error",
  timeout: "no answer in time",
  dns_error: "no address was found",
  connect_error: "no connection",
  tls_error: "no secure connection",
  too_many_redirects: "gave up after ten redirects",
  redirect_loop: "redirects in a circle",
  too_large: "fetched in part: too large",
  blocked: "not fetched: leads to a forbidden address",
  invalid_response: "no proper answer",
};

/** What a file is that has no kind of its own; every other kind is its own word. */
export const FILE_KINDS: Words<"" | "UNKNOWN"> = { "": "empty", UNKNOWN: "of no known kind" };

/** How a zone is signed. */
export const DNSSEC_WORDS: Words<NonNullable<WhoisDomainReport["dnssec_status"]>> = {
  secure: "secure: signed, and it validates",
  unsigned: "unsigned",
  zone_signed_no_ds: "not protected: the zone is signed but has no DS record",
  broken: "broken: there is a DS record, and validation fails",
};

/** Where the mail of a domain goes that names no host. */
export const NO_MAIL_HOSTS: Words<NonNullable<EmailReport["mx_status"]>> = {
  ok: "none",
  implicit_a: "none: mail goes to the domain's own address",
  none: "none",
  null_mx: "none: the domain takes no mail (null MX)",
  nxdomain: "none: the domain does not exist",
  timeout: "unknown: DNS did not answer in time",
  error: "unknown: DNS gave no answer",
};

/** Why there is no reason for a score. */
export const NO_REASON: Words<"unasked" | "unknown" | "not_applicable" | "other"> = {
  unasked: "No engine was asked about it, and no other check found a sign of abuse.",
  unknown: "No engine that answered lists it, but too few answered with fresh data to call it clean.",
  // Lists of strangers are not asked about it, and the operator's own may have nothing to say.
  not_applicable: "No list says anything of it.",
  other: "No engine that answered lists it, and no other check found a sign of abuse.",
};
