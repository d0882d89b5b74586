import { counted } from "../../base/counted.ts";
import { certificateRows } from "../domain-reputation/terminal.ts";
import type { Style } from "../product.ts";
import { engineGroups, headline, labelled, reportText, unknownFields, why } from "../reputation-terminal.ts";
import { saidBeside } from "../said-beside.ts";
import {
  allOf,
  fromDns,
  fromEngines,
  fromLists,
  fromPage,
  fromRegistries,
  fromServer,
  fromTable,
} from "../sources.ts";
import { ageInDays, type Row, sizeText, sourced } from "../terminal.ts";
import type { View } from "../views.ts";
import { FETCH_WORDS, FILE_KINDS } from "../words.ts";
import type { UrlReport } from "./report.ts";

/** The report for a person at a terminal: trust, why, where it leads, what is there, whose it is, who says so. */
export function renderUrlReport(answer: UrlReport, style: Style, view: View): string {
  const { url, report, blacklists, freshness, unknown_fields: unknown } = answer;
  const { risk_score } = report;
  return reportText(view, {
    head: [
      ...headline(url, { blacklists, freshness, unknown_fields: unknown, risk_score }, style),
      ...why({ risk_score, blacklists }, style, view),
    ],
    details: () => [
      ...labelled("Where it leads", wayRows(answer), style),
      ...labelled("Page", sourced(pageRows(answer), fromPage(report.response)), style),
      ...labelled("Host", hostRows(answer), style),
      ...(report.tls === null
        ? []
        : labelled("Certificate", sourced(certificateRows(report.tls), fromServer(report.tls)), style)),
      ...engineGroups(blacklists, style, view),
      ...unknownFields(shortened(unknown), style, view),
    ],
  });
}

type Rows = readonly (readonly [string, string])[];

function wayRows({ url_fetch_status: status, report, freshness }: UrlReport): readonly Row[] {
  const { redirection, fetch, response } = report;
  const ofHops = fromPage(redirection.hops[0] ?? response);
  const hops = redirection.hops.flatMap((hop): readonly Row[] => [
    [hop.type === "meta" ? "refresh" : String(hop.status), hop.location, ofHops],
    ...sourced(listedRows(hop), fromEngines(freshness)),
  ]);
  const line = response === null ? "" : `: ${response.status}`;
  const reason = fetch.blocked_reason === null ? "" : ` (${fetch.blocked_reason.replace("_", " ")})`;
  const words = FETCH_WORDS[status];
  const more = saidBeside(words, fetch.error?.message);
  return [
    ...hops,
    ["Status", `${words}${line}${reason}${more === null ? "" : ` (${more})`}`, fromPage(response)],
    ...(redirection.downgrade ? ([["Downgrade", "from https to http", ofHops]] as const) : []),
  ];
}

type Hop = UrlReport["report"]["redirection"]["hops"][number];

function listedRows({ detections, listed_by: listed }: Hop): Rows {
  if (detections === 0) return [];
  const place = listed.some(({ level }) => level === "url") ? "a listed URL" : "a listed host";
  return [["Listed", `redirects to ${place}, named by ${counted(detections, "engine")}`]];
}

function pageRows({ report }: UrlReport): Rows {
  const { response, html_info: info, html_forms: forms, file_type: file, resources } = report;
  if (response === null) return [];
  const { signature } = file;
  const kind = signature === "" || signature === "UNKNOWN" ? FILE_KINDS[signature] : signature;
  const type = `${kind}, ${sizeText(response.body_bytes)}${file.mismatch ? ", not what it is said to be" : ""}`;
  if (info === null) return [["Type", type]];
  const asks = [
    forms.password_field_present ? "a password" : "",
    forms.credit_card_field_present ? "a card number" : "",
    forms.otp_field_present ? "a one-time code" : "",
    forms.email_field_present ? "an e-mail address" : "",
    forms.phone_field_present ? "a telephone number" : "",
    forms.file_field_present ? "a file" : "",
  ].filter((word) => word !== "");
  return [
    ["Type", type],
    ["Title", info.title === "" ? "none" : info.title],
    ["Asks for", asks.join(", ") || "nothing"],
    ...(forms.external_action ? ([["Sends to", forms.actions.join(", ")]] as const) : []),
    ["Loads", `${counted(resources.count, "resource")}, ${resources.external_count} from elsewhere`],
    ["Links", `${info.links_count}, ${info.external_links_count} of them lead elsewhere`],
  ];
}

function hostRows({ report, freshness, unknown_fields }: UrlReport): readonly Row[] {
  const { host_info: host, domain_facts: facts, site_category: site } = report;
  const { server } = host;
  const none = unknown_fields.includes("report.host_info.addresses") ? "unknown" : "none";
  const unasked = host.addresses.length === 0 ? none : `${host.addresses.join(", ")} (not asked)`;
  const place = [server?.city_name, server?.country_name].filter(Boolean).join(", ");
  const network = [server?.isp, place].filter(Boolean).join(", ");
  const age =
    facts?.age_days === undefined || facts.age_days === null ? "unknown" : ageInDays(facts.age_days);
  const kinds = Object.entries(site).flatMap(([name, holds]) =>
    holds ? [name.replace(/^is_/, "").replaceAll("_", " ")] : [],
  );
  return [
    [
      "Address",
      server === null ? unasked : `${server.ip}${network === "" ? "" : ` (${network})`}`,
      allOf(
        fromDns(freshness, server?.ip ?? host.addresses[0] ?? null),
        ...(server?.isp ? [fromTable("network", freshness)] : []),
        ...(place === "" ? [] : [fromTable("place", freshness)]),
      ),
    ],
    ...(server?.reverse_dns ? ([["Named", server.reverse_dns, fromDns(freshness)]] as const) : []),
    ...(facts === null ? [] : ([["Domain age", age, fromRegistries(freshness)]] as const)),
    ...(kinds.length === 0 ? [] : ([["Kind", kinds.join(", "), fromLists(freshness)]] as const)),
  ];
}

/** Fifty names of checks tell a person less than their number. */
function shortened(unknown: readonly string[]): readonly string[] {
  const checks = unknown.filter((field) => field.startsWith("report.security_checks."));
  const others = unknown
    .filter((field) => !checks.includes(field))
    .map((field) => field.replace(/^report\./, ""));
  return checks.length === 0
    ? others
    : [`${checks.length} security ${checks.length === 1 ? "check" : "checks"}`, ...others];
}
