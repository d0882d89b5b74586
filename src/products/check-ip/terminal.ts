import { ANONYMITY_NAMES } from "../../enrichment/facts.ts";
import type { Style } from "../product.ts";
import {
  absent,
  engineGroups,
  headline,
  isUnknown,
  labelled,
  reportText,
  traitsText,
  unknownFields,
  why,
} from "../reputation-terminal.ts";
import { FROM_SPECIAL, fromDns, fromHolders, fromLists, fromTable } from "../sources.ts";
import type { Row } from "../terminal.ts";
import type { View } from "../views.ts";
import { ADDRESS_ROLES, NO_REVERSE_NAME } from "../words.ts";
import type { IpReport } from "./report.ts";

/** The report for a person at a terminal, in the order of questions: trust, why, how sure, who. */
export function renderIpReport(report: IpReport, style: Style, view: View): string {
  return reportText(view, {
    head: [...headline(report.ip, report, style), ...why(report, style, view)],
    details: () => [
      ...who(report, style),
      ...engineGroups(report.blacklists, style, view),
      ...unknownFields(report.unknown_fields, style, view),
    ],
  });
}

const PLACE = ["country_code", "country_name", "region_name", "city_name"].map(
  (name) => `information.${name}`,
);

function who(report: IpReport, style: Style): string[] {
  const { information, asn, freshness, unknown_fields: unknown } = report;
  const network = [asn.asn, asn.org].filter(Boolean).join(" ");
  const ofNetwork = fromTable("network", freshness);
  const ofLists = fromLists(freshness);
  const rows: readonly Row[] = [
    ["Network", network || absent(["information.asn", "information.isp"], unknown), fromHolders(freshness)],
    ["Route", routeText(report), ofNetwork],
    ["Place", placeText(report), fromTable("place", freshness, information.geo_source)],
    ["Reverse DNS", reverseText(information, unknown), fromDns(freshness, information.reverse_dns_status)],
    ...specialRows(report),
    ["Known as", knownAs(report), ofLists],
    ["Used as", usedAs(report), ofLists],
  ];
  return labelled("Who", rows, style);
}

const specialRows = ({ information: { special_purpose: special } }: IpReport): readonly Row[] =>
  special === null
    ? []
    : [["Special", `${special.name.replaceAll("_", " ")} address (${special.rfc})`, FROM_SPECIAL]];

/** With how closely it is known. */
function placeText({ information, unknown_fields: unknown }: IpReport): string {
  const { city_name: city, region_name: region, country_name: country, country_code: code } = information;
  const place = [city, region === city ? "" : region, country || code].filter(Boolean);
  if (place.length === 0) return absent(PLACE, unknown);
  return `${place.join(", ")} (${information.geo_accuracy})`;
}

function reverseText(information: IpReport["information"], unknown: readonly string[]): string {
  const { reverse_dns: name, reverse_dns_status: status, reverse_dns_confirmed: isConfirmed } = information;
  if (name === null) {
    const words = NO_REVERSE_NAME[status ?? "unasked"];
    return words === "none" ? absent(["information.reverse_dns"], unknown) : words;
  }
  if (isConfirmed) return `${name} (confirmed)`;
  const isOpen = isUnknown("information.reverse_dns_confirmed", unknown);
  return `${name} (${isOpen ? "confirmation unknown" : "not confirmed"})`;
}

const SHOWN_ORIGINS = 8;

/** The announced prefix, and the systems that announce it where they are several. */
function routeText({ asn: { route, origins }, unknown_fields: unknown }: IpReport): string {
  if (route === "") return absent(["asn.route"], unknown);
  if (origins.length < 2) return route;
  const more = origins.length - SHOWN_ORIGINS;
  return `${route} announced by ${origins.slice(0, SHOWN_ORIGINS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMES = ["related_service_name", "cloud_provider", "edge_service"] as const;

function knownAs({ information, anonymity, unknown_fields: unknown }: IpReport): string {
  const names = [...NAMES.map((name) => information[name]), anonymity.provider];
  const isOpen = NAMES.some((name) => unknown.includes(`information.${name}`));
  return [...new Set(names.filter(Boolean))].join(", ") || (isOpen ? "unknown" : "no known operator");
}

/** What it is used for, as the tags of the page. */
function usedAs({ anonymity, information, unknown_fields: unknown }: IpReport): string {
  const traits = [
    ...ANONYMITY_NAMES.map(([flag, word]) => ({ of: `anonymity.${flag}`, word, holds: anonymity[flag] })),
    ...ADDRESS_ROLES.map(([flag, word]) => ({ of: `information.${flag}`, word, holds: information[flag] })),
  ];
  return traitsText(traits, unknown);
}
