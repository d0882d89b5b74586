// Made by `npm run web:types` from src/products/words.ts.
export const ADDRESS_ROLES = [
  [
    "is_search_engine_bot",
    "search engine crawler"
  ],
  [
    "is_vendor_bot",
    "known crawler"
  ],
  [
    "is_fake_bot",
    "pretended crawler"
  ],
  [
    "is_public_dns",
    "public resolver"
  ],
  [
    "is_satellite",
    "satellite access"
  ],
  [
    "is_vendor_drop",
    "do not route list"
  ],
  [
    "is_major_provider_spf_ip",
    "mail of a large provider"
  ],
  [
    "is_vendor_service",
    "service of a known operator"
  ]
] as const;

export const DNSSEC_WORDS = {
  "secure": "secure: signed, and it validates",
  "unsigned": "unsigned",
  "zone_signed_no_ds": "not protected: the zone is signed but has no DS record",
  "broken": "broken: there is a DS record, and validation fails"
} as const;

export const DOMAIN_TRAITS = [
  [
    "is_very_recent",
    "registered this week"
  ],
  [
    "is_recent",
    "registered this month"
  ],
  [
    "is_parked",
    "parked"
  ],
  [
    "is_sinkholed",
    "sinkholed"
  ],
  [
    "is_dynamic_dns",
    "dynamic DNS"
  ],
  [
    "is_free_hosting",
    "free hosting"
  ],
  [
    "is_url_shortener",
    "URL shortener"
  ],
  [
    "is_disposable_email",
    "throwaway mail"
  ],
  [
    "is_risky_tld",
    "risky top-level domain"
  ],
  [
    "is_idn",
    "international name"
  ]
] as const;

export const FETCH_WORDS = {
  "ok": "fetched",
  "http_error": "fetched, with an error",
  "timeout": "no answer in time",
  "dns_error": "no address was found",
  "connect_error": "no connection",
  "tls_error": "no secure connection",
  "too_many_redirects": "gave up after ten redirects",
  "redirect_loop": "redirects in a circle",
  "too_large": "fetched in part: too large",
  "blocked": "not fetched: leads to a forbidden address",
  "invalid_response": "no proper answer"
} as const;

export const FILE_KINDS = {
  "": "empty",
  "UNKNOWN": "of no known kind"
} as const;

export const NO_CERTIFICATE = {
  "no_tls": "the host offers no encryption",
  "timeout": "the host did not answer in time",
  "error": "the connection failed",
  "blocked": "the target may not be reached",
  "no_address": "the host name has no A or AAAA record"
} as const;

export const NO_MAIL_HOSTS = {
  "ok": "none",
  "implicit_a": "none: mail goes to the domain's own address",
  "none": "none",
  "null_mx": "none: the domain takes no mail (null MX)",
  "nxdomain": "none: the domain does not exist",
  "timeout": "unknown: DNS did not answer in time",
  "error": "unknown: DNS gave no answer"
} as const;

export const NO_REASON = {
  "unasked": "No engine was asked about it, and no other check found a sign of abuse.",
  "unknown": "No engine that answered lists it, but too few answered with fresh data to call it clean.",
  "not_applicable": "No list says anything of it.",
  "other": "No engine that answered lists it, and no other check found a sign of abuse."
} as const;

export const NO_REVERSE_NAME = {
  "ok": "none",
  "nxdomain": "none",
  "timeout": "unknown: no answer in time",
  "error": "unknown: the lookup failed",
  "unasked": "not asked"
} as const;

export const RELATIONS = {
  "listed": "one of its domains",
  "registrant": "same registrant",
  "name_servers": "same name servers",
  "network": "same network",
  "label": "its name under another suffix"
} as const;
