import { ANONYMITY_NAMES } from "../../enrichment/facts.ts";
import type { Style } from "../product.ts";
import { engineGroups, headline, labelled, reportText, unknownFields, why } from "../reputation-terminal.ts";
import type { View } from "../views.ts";
import type { IpReport } from "./report.ts";

/** The report for a person at a terminal, in the order of questions: trust, why, how sure, who. */
export function renderIpReport(report: IpReport, style: Style, view: View): string {
  return reportText(view, {
    head: [...headline(report.ip, report, style), ...why(report.risk_score, style, view)],
    details: () => [
      ...who(report, style),
      ...engineGroups(report.blacklists, style, view),
      ...unknownFields(report.unknown_fields, style, view),
    ],
  });
}

const REVERSE_WORDS = {
  ok: "none",
  nxdomain: "none",
  timeout: "unknown: no answer in time",
  error: "unknown: the lookup failed",
  unasked: "not asked",
} as const;

function who(report: IpReport, style: Style): string[] {
  const { information, asn } = report;
  const place = [information.city_name, information.region_name, information.country_name].filter(Boolean);
  const reverse = information.reverse_dns ?? REVERSE_WORDS[information.reverse_dns_status ?? "unasked"];
  const rows: [string, string][] = [
    ["Network", [asn.asn, asn.org].filter(Boolean).join(" ") || "unknown"],
    ["Route", routeText(asn)],
    ["Place", place.length === 0 ? "unknown" : `${place.join(", ")} (${information.geo_source})`],
    ["Reverse DNS", reverse],
    ["Known as", knownAs(report)],
    ["Used as", usedAs(report)],
  ];
  return labelled("Who", rows, style);
}

const SHOWN_ORIGINS = 8;

/** The announced prefix, and the systems that announce it where they are several. */
function routeText({ route, origins, status }: IpReport["asn"]): string {
  if (route === "") return status === "unrouted" ? "none" : "unknown";
  if (origins.length < 2) return route;
  const more = origins.length - SHOWN_ORIGINS;
  return `${route} announced by ${origins.slice(0, SHOWN_ORIGINS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMES = ["related_service_name", "cloud_provider", "edge_service"] as const;

function knownAs({ information, anonymity, unknown_fields: unknown }: IpReport): string {
  const names = [
    information.special_purpose === null
      ? ""
      : `${information.special_purpose.name.replaceAll("_", " ")} address (${information.special_purpose.rfc})`,
    information.is_public_dns ? "public DNS resolver" : "",
    ...NAMES.map((name) => information[name]),
    anonymity.provider,
  ];
  const isUnknown = NAMES.some((name) => unknown.includes(`information.${name}`));
  return [...new Set(names.filter(Boolean))].join(", ") || (isUnknown ? "unknown" : "nothing in particular");
}

function usedAs({ anonymity, unknown_fields: unknownFields }: IpReport): string {
  const set = ANONYMITY_NAMES.filter(([flag]) => anonymity[flag]).map(([, word]) => word);
  const open = ANONYMITY_NAMES.filter(([flag]) => unknownFields.includes(`anonymity.${flag}`)).map(
    ([, word]) => word,
  );
  const known = set.length === 0 ? "no flag set" : set.join(", ");
  return open.length === 0 ? known : `${known}; unknown: ${open.join(", ")}`;
}
