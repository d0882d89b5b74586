import type { Style } from "../product.ts";
import {
  absent,
  engineGroups,
  headline,
  labelled,
  reportText,
  unknownFields,
  why,
} from "../reputation-terminal.ts";
import { FROM_MAIL_SERVER, FROM_TARGET, fromDns, fromLists, fromRegistries } from "../sources.ts";
import { ageInDays, type Row } from "../terminal.ts";
import type { View } from "../views.ts";
import { NO_MAIL_HOSTS } from "../words.ts";
import type { EmailReport } from "./report.ts";

/** The report for a person at a terminal: trust, why, what kind of mailbox, how its domain takes mail. */
export function renderEmailReport(report: EmailReport, style: Style, view: View): string {
  return reportText(view, {
    head: [
      ...headline(report.email, report, style).slice(0, -1),
      `  ${verdictOf(report, style)}`,
      "",
      ...why(report, style, view),
    ],
    details: () => [
      ...labelled("Mailbox", mailboxRows(report), style),
      ...labelled("Mail", mailRows(report), style),
      ...engineGroups(report.blacklists, style, view),
      ...unknownFields(report.unknown_fields, style, view),
    ],
  });
}

function verdictOf({ should_block, score, unknown_fields }: EmailReport, style: Style): string {
  if (unknown_fields.includes("should_block"))
    return style.warn("No reason to block it so far: whether it takes mail could not be found out");
  const word = should_block ? style.bad("Block it") : style.good("No reason to block it");
  return `${word} · quality ${score} of 100`;
}

function mailboxRows(report: EmailReport): readonly Row[] {
  const ofLists = fromLists(report.freshness);
  const form =
    report.format_error === null ? "valid" : `not valid (${report.format_error.replaceAll("_", " ")})`;
  const words = [
    report.is_disposable ? "throwaway" : "",
    report.is_privacy_relay ? "forwarding alias" : "",
    report.is_free_provider ? "free provider" : "",
    report.is_role_address ? `a post (${report.role})` : "",
    report.is_noreply ? "not read by a person" : "",
    report.is_suspicious_username ? "made-up user name" : "",
  ];
  return [
    ["Format", form, FROM_TARGET],
    ["Kind", words.filter((word) => word !== "").join(", ") || report.domain_category, ofLists],
    ...(report.did_you_mean === null ? [] : ([["Meant", report.did_you_mean, ofLists]] as const)),
  ];
}

function mailRows(report: EmailReport): readonly Row[] {
  if (report.mx_status === null) return [];
  const hosts = report.mx_hosts.map(({ host }) => host).join(", ");
  const hasServer = report.mx_status === "ok" || report.mx_status === "implicit_a";
  const { unknown_fields: unknown, domain_age_days: days, freshness } = report;
  const ofDns = fromDns(freshness, report.mx_status);
  const age = days === null ? absent(["domain_age_days"], unknown) : ageInDays(days);
  return [
    ["Hosts", hosts === "" ? NO_MAIL_HOSTS[report.mx_status] : hosts, ofDns],
    ...(hasServer && report.smtp.checked
      ? ([["Mailbox", mailboxText(report.smtp), FROM_MAIL_SERVER]] as const)
      : []),
    ["Run by", report.mx_provider?.replaceAll("_", " ") ?? absent(["mx_provider"], unknown), ofDns],
    ["Domain age", age, fromRegistries(freshness)],
    ["Spoofable", spoofable(report), fromDns(freshness)],
  ];
}

const OUTCOMES = {
  deliverable: "its server takes mail for it",
  undeliverable: "its server says that it does not exist",
  catch_all: "its server takes mail for any address, so it may not exist",
  greylisted: "its server puts it off, so whether it exists is not known",
  unknown: "its server did not say whether it exists",
} as const;

/** What the mail server said when it was asked. */
const mailboxText = ({ outcome = "unknown", code }: EmailReport["smtp"]): string =>
  code == null ? OUTCOMES[outcome] : `${OUTCOMES[outcome]} (${code})`;

function spoofable({ is_spoofable, unknown_fields }: EmailReport): string {
  if (unknown_fields.includes("is_spoofable")) return "unknown";
  return is_spoofable ? "yes: no DMARC policy stops it" : "no";
}
