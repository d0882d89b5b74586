import { counted } from "../../base/counted.ts";
import { DAY_MS } from "../../base/durations.ts";
import type { Style } from "../product.ts";
import { fromDnsAt, fromRegistryAnswer } from "../sources.ts";
import { sourcesOf, wrapped } from "../terminal.ts";
import { DNSSEC_WORDS } from "../words.ts";
import { ageText } from "./free.ts";
import type { WhoisAsnReport, WhoisDomainReport, WhoisIpReport, WhoisReport } from "./shape.ts";

type Row = readonly [label: string, value: string | null];

/** The registration for a person at a terminal: state, dates and holder; then the rest and the source. */
export function renderWhoisReport(report: WhoisReport, style: Style): string {
  const found = report.lookup_status === "ok";
  return [
    style.bold(titleOf(report)),
    `  ${stateOf(report, style)}`,
    "",
    ...(found ? rowLines(report, style) : []),
    ...sourceLines(report, style),
  ].join("\n");
}

function titleOf(report: WhoisReport): string {
  if (report.type !== "domain") return report.query;
  const { domain, domain_unicode: unicode, registered_domain: registered } = report;
  const written = unicode === domain ? "" : ` (${unicode})`;
  return domain + written + (registered === null || registered === domain ? "" : ` in ${registered}`);
}

function stateOf(report: WhoisReport, style: Style): string {
  if (report.lookup_status === "error")
    return style.warn(wrapped("", `No answer: ${report.error?.message ?? ""}`, style.width - 2, 2));
  if (report.lookup_status === "not_found") {
    const why = report.status.length === 0 ? "" : ` (${report.status.join(", ")})`;
    return style.warn(`Not registered${why}`);
  }
  if (report.type !== "domain") return holderOf(report) ?? "Registered, no holder shown";
  return [sinceText(report), untilText(report, style)].filter((text) => text !== null).join(" · ");
}

function sinceText({ creation_date: since, freshness }: WhoisDomainReport): string {
  return since === null ? "Registered" : `Registered ${ageText(since, freshness.computed_at)} ago`;
}

function untilText(report: WhoisDomainReport, style: Style): string | null {
  if (report.expiration_date === null) return null;
  const days = Math.floor(
    (Date.parse(report.expiration_date) - Date.parse(report.freshness.computed_at)) / DAY_MS,
  );
  if (days < 0) return style.bad(`expired ${counted(-days, "day")} ago`);
  const text = `expires in ${counted(days, "day")}`;
  return days < 30 ? style.warn(text) : text;
}

const holderOf = ({ organization, country }: WhoisIpReport | WhoisAsnReport): string | null =>
  joined([organization, country], ", ");

function joined(parts: readonly (string | null)[], separator: string): string | null {
  const text = parts.filter((part) => part !== null && part !== "").join(separator);
  return text === "" ? null : text;
}

function rowsOf(report: WhoisReport): readonly Row[] {
  if (report.type === "domain") return domainRows(report);
  return report.type === "ip" ? ipRows(report) : asnRows(report);
}

const domainRows = (report: WhoisDomainReport): readonly Row[] => [
  ["Holder", holderOfDomain(report)],
  ["Registrar", registrarText(report)],
  ["Dates", datesText(report.creation_date, report.updated_date, report.expiration_date)],
  ["Status", joined(report.status, ", ")],
  ["Name servers", joined(report.name_servers, ", ")],
  ["DNSSEC", signingText(report)],
  ["Abuse", joined([report.registrar_abuse_email, report.registrar_abuse_phone], " · ")],
];

function holderOfDomain(report: WhoisDomainReport): string {
  const {
    registrant_organization: organization,
    registrant_name: name,
    registrant_country: country,
  } = report;
  const shown = joined([organization, name === organization ? null : name, country], ", ");
  const hidden = report.privacy_protected ? "redacted or a privacy service" : null;
  return joined([shown, hidden], " · ") ?? "not shown";
}

function registrarText({ registrar, registrar_iana_id: id }: WhoisDomainReport): string | null {
  return joined([registrar, id === null ? null : `(IANA ${id})`], " ");
}

function datesText(created: string | null, changed: string | null, expires: string | null): string | null {
  const day = (word: string, date: string | null) => (date === null ? null : `${word} ${date.slice(0, 10)}`);
  return joined([day("created", created), day("changed", changed), day("expires", expires)], " · ");
}

function signingText({ dnssec_status: status, dnssec }: WhoisDomainReport): string | null {
  if (status !== null) return DNSSEC_WORDS[status];
  if (dnssec === null) return null;
  return dnssec === "unsigned" ? DNSSEC_WORDS.unsigned : "signed; whether it validates is not known";
}

const ipRows = (report: WhoisIpReport): readonly Row[] => [
  ["Network", joined([report.network, report.network_name], " · ")],
  ...numberRows(report),
  ["Part of", report.parent_handle],
  ["Kind", report.network_type],
];

const asnRows = (report: WhoisAsnReport): readonly Row[] => [
  ["Name", report.asn_name],
  ["In block", report.asn_range],
  ...numberRows(report),
];

const numberRows = (report: WhoisIpReport | WhoisAsnReport): readonly Row[] => [
  ["Abuse", joined([report.abuse_email, report.abuse_phone], " · ")],
  ["Registry", joined([report.registry?.toUpperCase() ?? null, report.handle], " · ")],
  ["Dates", datesText(report.registration_date, report.updated_date, null)],
  ["Status", joined(report.status, ", ")],
];

const LABEL_WIDTH = 16;

function rowLines(report: WhoisReport, style: Style): string[] {
  const lines = givenRows(report).map(([label, value]) => wrapped(labelOf(label), value, style.width));
  return [...lines, ""];
}

const givenRows = (report: WhoisReport): readonly (readonly [label: string, value: string])[] =>
  rowsOf(report).flatMap(([label, value]) => (value === null ? [] : ([[label, value]] as const)));

/** The registry, and DNS for what it says itself; nothing where no registry answered, as is told above. */
function sourceLines(report: WhoisReport, style: Style): string[] {
  const { source, lookup_status: status, fetched_at: at } = report;
  if (source === null || at === null) return [];
  const registry = fromRegistryAnswer(report);
  const rows = status === "ok" ? givenRows(report) : [];
  const told = rows.map(([label, value]) => [label, value, sourceOf(label, report) ?? registry] as const);
  return [
    style.dim(wrapped(labelOf("From"), rows.length === 0 ? registry : sourcesOf(told), style.width)),
    style.dim(`${labelOf("Asked")}${at.slice(0, 10)} ${at.slice(11, 16)} UTC`),
  ];
}

const labelOf = (label: string): string => `  ${label.padEnd(LABEL_WIDTH - 2)}`;

/** How the zone is signed says DNS, where it said so. */
const sourceOf = (label: string, report: WhoisReport): string | null =>
  label === "DNSSEC" && report.type === "domain" && report.dnssec_status !== null
    ? fromDnsAt(report.dnssec_checked_at, report.freshness)
    : null;
