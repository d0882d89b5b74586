import { daysAgo } from "../../base/counted.ts";
import { DAY_MS } from "../../base/durations.ts";
import { policyInForce } from "../../enrichment/dns-facts/mail-policy/dmarc.ts";
import type { TlsReport } from "../../net/tls/tls-shape.ts";
import type { Style } from "../product.ts";
import {
  absent,
  engineGroups,
  headline,
  labelled,
  reportText,
  traitsText,
  unknownFields,
  why,
} from "../reputation-terminal.ts";
import { saidBeside } from "../said-beside.ts";
import {
  allOf,
  fromDns,
  fromDnsAt,
  fromEngines,
  fromLists,
  fromRegistryAnswer,
  fromServer,
  fromTable,
} from "../sources.ts";
import { ageInDays, type Row, sourced } from "../terminal.ts";
import type { View } from "../views.ts";
import { DNSSEC_WORDS, DOMAIN_TRAITS, NO_CERTIFICATE, RELATIONS } from "../words.ts";
import type { DomainReport } from "./report.ts";

/** The report for a person at a terminal: trust, why, whose name it is, how it is set up, who says so. */
export function renderDomainReport(report: DomainReport, style: Style, view: View): string {
  const { domain, domain_unicode: unicode } = report;
  const title = unicode === domain ? domain : `${unicode} (${domain})`;
  return reportText(view, {
    head: [...headline(title, report, style), ...why(report, style, view)],
    details: () => [
      ...labelled(
        "Registration",
        [
          ...sourced(registrationRows(report), fromRegistryAnswer(report.whois)),
          ["Known as", knownAs(report), fromLists(report.freshness)],
        ],
        style,
      ),
      ...labelled("DNS and mail", dnsRows(report), style),
      ...labelled("Certificate", sourced(certificateRows(report.ssl), fromServer(report.ssl)), style),
      ...engineGroups(report.blacklists, style, view),
      ...unknownFields(report.unknown_fields, style, view),
    ],
  });
}

type Rows = readonly (readonly [string, string])[];

const sinceDays = (days: number): string => (days === 0 ? daysAgo(0) : `${ageInDays(days)} ago`);

function registrationRows({ whois, facts, freshness, unknown_fields: unknown }: DomainReport): Rows {
  if (whois.lookup_status === "error") return [["Registry", `gave no answer: ${whois.error?.message ?? ""}`]];
  const statuses = whois.status.join(", ");
  if (whois.registered === false) return [["Registered", statuses === "" ? "no" : `no (${statuses})`]];
  const none = (field: string) => absent([`whois.${field}`], unknown);
  const created = whois.creation_date?.slice(0, 10) ?? none("creation_date");
  const age = facts.age_days === null ? "" : `, ${sinceDays(facts.age_days)}`;
  return [
    ["Registered", `${created}${age}`],
    whois.expiration_date === null
      ? ["Expires", none("expiration_date")]
      : expiryRow(whois.expiration_date, freshness.computed_at),
    ...(statuses === "" ? [] : ([["Status", statuses]] as const)),
    ["Registrar", whois.registrar ?? none("registrar")],
    [
      "Holder",
      whois.registrant_organization ??
        whois.registrant_name ??
        (whois.privacy_protected ? "hidden" : none("registrant_name")),
    ],
  ];
}

function expiryRow(end: string, now: string): Rows[number] {
  const daysPast = Math.floor((Date.parse(now) - Date.parse(end)) / DAY_MS);
  const day = end.slice(0, 10);
  return daysPast < 0 ? ["Expires", day] : ["Expired", `${day}, ${daysAgo(daysPast)}`];
}

function knownAs({ facts, unknown_fields: unknown }: DomainReport): string {
  const traits = DOMAIN_TRAITS.map(([fact, word]) => ({
    of: `facts.${fact}`,
    word: fact === "is_parked" ? `parked${facts.parked_by === null ? "" : ` (${facts.parked_by})`}` : word,
    holds: facts[fact] && !(fact === "is_recent" && facts.is_very_recent),
  }));
  const others = [
    [facts.is_homoglyph, `looks like ${facts.homoglyph_of}`],
    [facts.is_lookalike, `imitates ${facts.lookalike_of}`],
    [
      facts.is_brand_related,
      `related to ${facts.brand_related_to} (${RELATIONS[facts.brand_related_by ?? "label"]})`,
    ],
  ] as const;
  const top = { of: "facts.in_top_list", word: "on the top list", holds: facts.in_top_list };
  return traitsText([top, ...traits, ...others.map(([holds, word]) => ({ of: "", word, holds }))], unknown);
}

function dnsRows({ domain, dns, freshness }: DomainReport): readonly Row[] {
  const ofDns = fromDns(freshness, dns.status);
  if (dns.status === "nxdomain") return [["Status", "the name does not exist", ofDns]];
  if (dns.error !== null) return [["Status", `${dns.status}: ${dns.error.message}`, ofDns]];
  const listed = dns.hosts.filter(({ detections }) => detections > 0).map(({ ip }) => ip);
  return [
    ["Addresses", addressesOf(dns), addressesFrom(dns, freshness)],
    ...(listed.length === 0 ? [] : ([["Listed", listed.join(", "), fromEngines(freshness)]] as const)),
    ["Mail", mailOf(dns), ofDns],
    [
      "SPF",
      presence(dns.spf.present, dns.spf.all === null ? "present" : `all: ${dns.spf.all}`, dns.spf.valid),
      ofDns,
    ],
    [
      "DMARC",
      presence(dns.dmarc.present, `policy: ${policyInForce(domain, dns.dmarc)}`, dns.dmarc.valid),
      ofDns,
    ],
    [
      "DNSSEC",
      dns.dnssec.status === null ? "unknown" : DNSSEC_WORDS[dns.dnssec.status],
      fromDnsAt(dns.dnssec.checked_at, freshness),
    ],
  ];
}

function mailOf({ null_mx: takesNone, mx }: DomainReport["dns"]): string {
  if (takesNone === null) return "unknown";
  return takesNone ? "takes none (null MX)" : mx.map(({ value }) => value).join(", ") || "no MX record";
}

/** Whose the networks behind it are says a table. */
const addressesFrom = ({ hosts }: DomainReport["dns"], freshness: DomainReport["freshness"]): string =>
  hosts.some(({ role, isp }) => role === "a" && isp !== "")
    ? allOf(fromDns(freshness), fromTable("network", freshness))
    : fromDns(freshness);

function addressesOf({ hosts, errors }: DomainReport["dns"]): string {
  const own = hosts.filter(({ role }) => role === "a");
  if (own.length === 0) return "A" in errors || "AAAA" in errors ? "unknown" : "none";
  return own.map(({ ip, isp }) => (isp === "" ? ip : `${ip} (${isp})`)).join(", ");
}

function presence(present: boolean | null, text: string, valid: boolean | null): string {
  if (present === null) return "unknown";
  if (!present) return "none";
  return valid === false ? `${text}, not valid` : text;
}

/** The certificate in three lines. */
export function certificateRows(tls: TlsReport): Rows {
  if (tls.status !== "ok") {
    const words = NO_CERTIFICATE[tls.status];
    const more = saidBeside(words, tls.error?.message);
    return [["Status", `none seen: ${words}${more === null ? "" : ` (${more})`}`]];
  }
  const reason = tls.error?.message ?? (tls.hostname_match === false ? "It is for another host" : null);
  const verdict = tls.valid ? "valid" : `not valid${reason === null ? "" : `: ${reason}`}`;
  return [
    ["Status", verdict],
    ["Issuer", tls.issuer?.organization ?? tls.issuer_name ?? "unknown"],
    ["Ends", `${tls.valid_to?.slice(0, 10) ?? "unknown"} (${tls.days_left} days)`],
  ];
}
