import { z } from "zod";
import {
  allowedAtOf,
  blacklistsSchema,
  type Fact,
  type Place,
  type ScoreByHand,
  weighByHand,
  wholeBlacklists,
} from "./score-by-hand.ts";

/**
 * Sections 4.3, 4.4, 7.4 and 9 of the design for domains, URLs and e-mail addresses, written from their text: nothing of
 * the product is imported, and only what stands in the answer is read, in the view `standard` or `compact`.
 */

/** Of every view: in `compact` what is absent has its default. */
const flag = z.boolean().default(false);
const words = z.string().nullable().default(null);
const age = z.int().nullable().default(null);
const blacklists = z.preprocess(
  (given) =>
    typeof given === "object" && given !== null && "clear" in given ? wholeBlacklists(given) : given,
  blacklistsSchema,
);
const freshness = z.object({ computed_at: z.string() });
const shared = { blacklists, freshness, shared_infrastructure: words };

const fact = (name: string, strength: number, holds: boolean, repeats: readonly string[] = []): Fact[] =>
  holds ? [{ name, strength, repeats }] : [];

const ageFacts = (days: number | null): Fact[] => [
  ...fact("age_under_7_days", 0.3, days !== null && days < 7),
  ...fact("age_under_30_days", 0.15, days !== null && days >= 7 && days < 30),
];

const domainSchema = z.object({
  ...shared,
  dns: z.object({
    hosts: z.array(z.object({ role: z.string(), strong_hit: flag })).default([]),
  }),
  ssl: z.object({ valid: z.boolean().nullable().default(null) }),
  facts: z.object({
    age_days: age,
    is_risky_tld: flag,
    is_homoglyph: flag,
    is_lookalike: flag,
    is_parked: flag,
    is_dynamic_dns: flag,
    is_free_hosting: flag,
    is_sinkholed: flag,
  }),
  vendor_enrichment: z.object({ listed: flag }).optional(),
});

/** The score of an answer of domain-reputation. */
export function domainByHand(report: unknown): ScoreByHand {
  const { facts, dns, ssl, vendor_enrichment: vendor, ...rest } = domainSchema.parse(report);
  return weighByHand({
    ...placed(rest),
    facts: [
      ...ageFacts(facts.age_days),
      ...fact("risky_tld", 0.08, facts.is_risky_tld),
      ...fact("homoglyph", 0.35, facts.is_homoglyph),
      ...fact("lookalike", 0.35, facts.is_lookalike && !facts.is_homoglyph),
      ...fact("parked", 0.05, facts.is_parked),
      ...fact("dynamic_dns", 0.15, facts.is_dynamic_dns),
      ...fact("free_hosting", 0.1, facts.is_free_hosting),
      ...fact("sinkholed", 0.7, facts.is_sinkholed),
      ...fact(
        "address_listed",
        0.15,
        dns.hosts.some((host) => host.role === "a" && host.strong_hit),
      ),
      ...fact("certificate_invalid", 0.08, ssl.valid === false),
      ...fact("vendor_record", 0.8, vendor?.listed ?? false),
    ],
  });
}

const emailSchema = z.object({
  ...shared,
  is_valid_format: flag,
  is_disposable: flag,
  mx_status: words,
  is_suspicious_username: flag,
  is_risky_tld: flag,
  domain_age_days: age,
  spf: z
    .object({ present: z.boolean().nullable().default(null) })
    .nullable()
    .default(null),
});

/** The score of an answer of email-reputation. */
export function emailByHand(report: unknown): ScoreByHand {
  const answer = emailSchema.parse(report);
  const { mx_status: mx, spf } = answer;
  return weighByHand({
    ...placed(answer),
    facts: [
      ...fact("invalid_format", 0.99, !answer.is_valid_format),
      // The one engine that is the list of throwaway domains: it says the same.
      ...fact("disposable", 0.6, answer.is_disposable, ["disposable_email_domains"]),
      ...fact("no_mail_host", 0.6, mx === "none" || mx === "nxdomain"),
      ...fact("null_mx", 0.6, mx === "null_mx"),
      ...fact("suspicious_username", 0.15, answer.is_suspicious_username),
      ...fact("risky_tld", 0.08, answer.is_risky_tld),
      ...ageFacts(answer.domain_age_days),
      ...fact("no_spf", 0.03, spf?.present === false),
    ],
  });
}

type Placed = {
  readonly blacklists: z.infer<typeof blacklistsSchema>;
  readonly freshness: z.infer<typeof freshness>;
  readonly shared_infrastructure: string | null;
};

const placed = ({ blacklists: said, freshness: { computed_at: computedAt }, ...of }: Placed) => ({
  blacklists: said,
  computedAt,
  places: [{ allowedAt: allowedAtOf(said), isShared: of.shared_infrastructure !== null }],
  isBogon: false,
});

const place = {
  allowed_by: z.array(z.object({ level: z.string() })).default([]),
  shared_infrastructure: words,
};
const urlSchema = z.object({
  blacklists,
  freshness,
  report: z.object({
    host_info: z.object({ is_ip: flag, shared_infrastructure: words }),
    url_parts: z.object({ host: z.string() }),
    redirection: z
      .object({
        hops: z.array(z.object(place)).default([]),
        unfollowed: z.object(place).nullable().default(null),
      })
      .default({ hops: [], unfollowed: null }),
    security_checks: z.record(z.string(), z.boolean()).default({}),
  }),
});

/** The score of an answer of url-reputation. */
export function urlByHand(report: unknown): ScoreByHand {
  const answer = urlSchema.parse(report);
  const { host_info: host, redirection, security_checks: checks, url_parts: parts } = answer.report;
  const hops = [...redirection.hops, ...(redirection.unfollowed === null ? [] : [redirection.unfollowed])];
  return weighByHand({
    blacklists: answer.blacklists,
    computedAt: answer.freshness.computed_at,
    places: [
      { allowedAt: allowedAtOf(answer.blacklists), isShared: host.shared_infrastructure !== null },
      ...hops.map(
        ({ allowed_by: allowedBy, shared_infrastructure: reason }, hop): Place => ({
          hop,
          allowedAt: allowedBy.map(({ level }) => level),
          isShared: reason !== null,
        }),
      ),
    ],
    facts: checkFacts(checks),
    isBogon: host.is_ip && /^(10|127)\./.test(parts.host),
  });
}

/** 7.4. */
const CHECKS: Readonly<Record<string, number>> = {
  ...{ is_host_an_ipv4: 0.2, is_host_an_ipv6: 0.2, is_suspicious_url_pattern: 0.3 },
  ...{ is_suspicious_file_extension: 0.15, is_most_abused_tld: 0.08, is_uncommon_clickable_url: 0.2 },
  ...{ is_non_standard_port: 0.1, is_email_address_on_url_query: 0.15, has_userinfo: 0.25 },
  ...{ is_homoglyph_host: 0.35, is_redirect_to_search_engine: 0.1, is_redirect_to_wikipedia: 0.1 },
  ...{ is_https_downgrade: 0.1, is_suspicious_domain: 0.15, is_sinkholed_domain: 0.7 },
  ...{ is_domain_recent: 0.15, is_domain_very_recent: 0.3, is_domain_ipv4_private: 0.15 },
  ...{ is_free_hosting: 0.1, is_free_dynamic_dns: 0.15, is_risky_category: 0.15 },
  ...{ is_directory_listing: 0.1, is_exe_on_directory_listing: 0.4, is_zip_on_directory_listing: 0.15 },
  ...{ is_php_on_directory_listing: 0.15, is_doc_on_directory_listing: 0.15 },
  ...{ is_pdf_on_directory_listing: 0.15, is_apk_on_directory_listing: 0.15 },
  ...{ is_defaced_heuristic: 0.35, is_suspicious_content: 0.3, is_phishing_heuristic: 0.6 },
  ...{ is_credit_card_field: 0.1, is_form_to_external_domain: 0.2, is_password_over_http: 0.2 },
  ...{ is_possible_emotet: 0.4, is_masked_file: 0.4, is_windows_exe_file: 0.3 },
  ...{ is_masked_windows_exe_file: 0.6, is_linux_elf_file: 0.3, is_masked_linux_elf_file: 0.6 },
  is_android_apk_file: 0.25,
  ...programsOn("is_windows_exe_file", 0.6),
  ...programsOn("is_linux_elf_file", 0.6),
  ...programsOn("is_android_apk_file", 0.5),
};

function programsOn(file: string, strength: number): Record<string, number> {
  return Object.fromEntries(
    ["on_ipv4", "on_free_hosting", "on_free_dynamic_dns"].map((where) => [`${file}_${where}`, strength]),
  );
}

/** Of the checks of a row only the strongest is a signal, of equals the first. */
const PROGRAMS = [
  ...["is_windows_exe_file_on_ipv4", "is_windows_exe_file_on_free_hosting"],
  ...["is_windows_exe_file_on_free_dynamic_dns", "is_masked_windows_exe_file"],
  ...["is_linux_elf_file_on_ipv4", "is_linux_elf_file_on_free_hosting"],
  ...["is_linux_elf_file_on_free_dynamic_dns", "is_masked_linux_elf_file"],
  ...["is_android_apk_file_on_ipv4", "is_android_apk_file_on_free_hosting"],
  ...["is_android_apk_file_on_free_dynamic_dns", "is_masked_file", "is_windows_exe_file"],
  ...["is_linux_elf_file", "is_android_apk_file", "is_uncommon_clickable_url"],
  "is_suspicious_file_extension",
];
const onEach = (where: string): string[] =>
  ["windows_exe", "linux_elf", "android_apk"].map((kind) => `is_${kind}_file_on_${where}`);
const LISTING = ["zip", "php", "doc", "pdf", "apk"].map((kind) => `is_${kind}_on_directory_listing`);
const ROWS: readonly (readonly string[])[] = [
  PROGRAMS,
  [...onEach("ipv4"), "is_host_an_ipv4"],
  [...onEach("free_hosting"), "is_free_hosting"],
  [...onEach("free_dynamic_dns"), "is_free_dynamic_dns"],
  ["is_exe_on_directory_listing", "is_directory_listing"],
  [...LISTING, "is_directory_listing"],
  ["is_domain_very_recent", "is_domain_recent"],
  ["is_homoglyph_host", "is_suspicious_domain"],
];

function checkFacts(checks: Readonly<Record<string, boolean>>): readonly Fact[] {
  const order = ROWS.flat();
  const held = Object.entries(CHECKS)
    .filter(([name]) => checks[name] === true)
    .sort(([a, s], [b, t]) => t - s || order.indexOf(a) - order.indexOf(b));
  const kept: string[] = [];
  for (const [name] of held) {
    const rows = ROWS.filter((row) => row.includes(name));
    if (!rows.some((row) => kept.some((other) => row.includes(other)))) kept.push(name);
  }
  return kept.flatMap((name) => fact(name.replace(/^is_/, ""), CHECKS[name] ?? Number.NaN, true));
}
