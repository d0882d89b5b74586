import type { Style } from "../product.ts";
import { ageText, column, scoreBar, wrapped } from "../terminal.ts";
import type { IpReport } from "./report.ts";

type Engine = ReturnType<IpReport["blacklists"]["engines"]["toObject"]>[string];

/** The report for a person at a terminal, in the order of questions: trust, why, how sure, who. */
export function renderIpReport(report: IpReport, style: Style): string {
  return [
    ...headline(report, style),
    ...why(report, style),
    ...who(report, style),
    ...engineGroups(report, style),
    ...unknown(report, style),
  ].join("\n");
}

function headline(report: IpReport, style: Style): string[] {
  const { risk_score: score, blacklists, freshness } = report;
  const word = score.verdict.replaceAll("_", " ");
  const paint = painterOf(score.verdict, style);
  const verdict = `${word[0]?.toUpperCase() ?? ""}${word.slice(1)}`;
  const unanswered = blacklists.engines_total - blacklists.engines_count;
  const asked = `Listed by ${blacklists.detections} of ${blacklists.engines_count} engines`;
  return [
    style.bold(report.ip),
    `  ${paint(style.bold(`${verdict} · ${score.result} of 100`))}   ${scoreBar(score.result, style)}`,
    `  ${asked}${unanswered > 0 ? style.warn(` · ${unanswered} did not answer`) : ""}`,
    `  ${freshnessText(freshness.data_age_s, score.coverage)}`,
    "",
  ];
}

function painterOf(verdict: IpReport["risk_score"]["verdict"], style: Style): (text: string) => string {
  if (verdict === "clean" || verdict === "low") return style.good;
  if (verdict === "unknown") return style.warn;
  return verdict === "not_applicable" ? style.dim : style.bad;
}

const freshnessText = (ageS: number | null, coverage: number): string => {
  const share = `${Math.round(coverage * 100)}% of the engines answered with fresh data`;
  return ageS === null ? share : `Data up to ${ageText(ageS)} old · ${share}`;
};

function why(report: IpReport, style: Style): string[] {
  const { factors, adjustments, verdict } = report.risk_score;
  const rows = [...factors, ...adjustments].map(({ points, reason }) =>
    wrapped(`${String(points).padStart(5)}  `, reason, style.width),
  );
  if (rows.length === 0) rows.push(noReason(verdict));
  return [style.bold("Why"), ...rows, ""];
}

const noReason = (verdict: string): string =>
  verdict === "unknown"
    ? "  No list names it, but too few answered with fresh data to call it clean."
    : "  No list names it.";

function who(report: IpReport, style: Style): string[] {
  const { information, asn } = report;
  const place = [information.city_name, information.region_name, information.country_name].filter(Boolean);
  const reverse = information.reverse_dns ?? `none (${information.reverse_dns_status ?? "not asked"})`;
  const rows: [string, string][] = [
    ["Network", [asn.asn, asn.org].filter(Boolean).join(" ") || "unknown"],
    ["Place", place.length === 0 ? "unknown" : `${place.join(", ")} (${information.geo_source})`],
    ["Reverse DNS", reverse],
    ["Known as", knownAs(report)],
    ["Used as", usedAs(report)],
  ];
  return [
    style.bold("Who"),
    ...rows.map(([label, value]) => wrapped(`  ${label.padEnd(13)}`, value, style.width)),
    "",
  ];
}

function knownAs({ information }: IpReport): string {
  const names = [
    information.special_purpose === null
      ? ""
      : `${information.special_purpose.name.replaceAll("_", " ")} address (${information.special_purpose.rfc})`,
    information.is_public_dns ? "public DNS resolver" : "",
    information.related_service_name,
    information.cloud_provider,
    information.edge_service,
  ];
  return [...new Set(names.filter(Boolean))].join(", ") || "nothing in particular";
}

const FLAGS = [
  ["is_tor", "Tor exit"],
  ["is_vpn", "VPN"],
  ["is_proxy", "proxy"],
  ["is_residential_proxy", "residential proxy"],
  ["is_webproxy", "web proxy"],
  ["is_relay", "privacy relay"],
  ["is_hosting", "hosting"],
] as const;

function usedAs({ anonymity, unknown_fields: unknownFields }: IpReport): string {
  const set = FLAGS.filter(([flag]) => anonymity[flag]).map(([, word]) => word);
  const open = FLAGS.filter(([flag]) => unknownFields.includes(`anonymity.${flag}`)).map(([, word]) => word);
  const known = set.length === 0 ? "no flag set" : set.join(", ");
  return open.length === 0 ? known : `${known}; unknown: ${open.join(", ")}`;
}

function engineGroups(report: IpReport, style: Style): string[] {
  const { blacklists } = report;
  const engines = Object.values(blacklists.engines.toObject());
  const absent = blacklists.engines_unavailable;
  const listed = engines.filter(({ detected }) => detected);
  const clear = engines.filter(({ detected }) => !detected);
  return [
    ...group(`Listed (${listed.length})`, listed.map(listedRow), style),
    ...group(
      `Did not answer (${absent.length})`,
      absent.map(({ name, status, detail }) => `${column(name, 28)} ${column(status, 12)} ${detail}`),
      style,
    ),
    ...group(
      `Not listed (${clear.length})`,
      clear.map(
        ({ name, data_age_s: age, seed }) => `${column(name, 28)} ${ageText(age)} old${seed ? ", seed" : ""}`,
      ),
      style,
    ),
  ];
}

function listedRow({ name, category, matched, data_age_s: age, last_seen: seen }: Engine): string {
  const entry = `${matched?.value ?? ""} (${(matched?.level ?? "").replaceAll("_", " ")})`;
  const when = seen === null ? `${ageText(age)} old` : `seen ${seen.slice(0, 10)}`;
  return `${column(name, 24)} ${column(category, 10)} ${column(entry, 26)} ${when}`;
}

const group = (title: string, rows: readonly string[], style: Style): string[] =>
  rows.length === 0
    ? []
    : [style.bold(title), ...rows.map((row) => column(`  ${row}`, style.width).trimEnd()), ""];

function unknown({ unknown_fields: paths }: IpReport, style: Style): string[] {
  if (paths.length === 0) return [];
  return [wrapped(style.dim("Not known: "), paths.join(", "), style.width, 11)];
}
