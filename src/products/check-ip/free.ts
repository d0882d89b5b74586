import { ANONYMITY_FLAGS } from "../../enrichment/facts.ts";
import type { Deps } from "../deps.ts";
import { freeEngines } from "../free-engines.ts";
import { blacklistMessage } from "../messages.ts";
import type { IpReport } from "./report.ts";
import type { FreeIpReport } from "./shape.ts";

/** The reduced answer of the free tool (interface 2.13, design 12); counts are of all engines. */
export function toFreeIpReport(report: IpReport, { engines }: Pick<Deps, "engines">): FreeIpReport {
  const { information, asn, anonymity, blacklists, risk_score: score } = report;
  const { tor_role: _, sources: __, provider, ...flags } = anonymity;
  const hasPoint =
    information.geo_accuracy !== "none" && !report.unknown_fields.includes("information.latitude");
  return {
    ip: report.ip,
    input: report.input,
    target_level: "ip",
    detections: blacklists.detections,
    engines_count: blacklists.engines_count,
    detection_rate: blacklists.detection_rate,
    message: messageOf(report),
    reverse_dns: information.reverse_dns,
    isp: information.isp,
    asn: information.asn,
    organization: asn.org,
    region: information.region_name,
    city: information.city_name,
    country: information.country_name === "" ? null : information.country_name,
    country_code: information.country_code === "" ? null : information.country_code,
    latitude: hasPoint ? information.latitude : null,
    longitude: hasPoint ? information.longitude : null,
    anonymity: flags,
    provider,
    ...freeEngines(blacklists, engines.ownKeys),
    risk_score: score.verdict === "unknown" ? null : score.result,
    freshness: report.freshness,
    unknown_fields: freeUnknownFields(report.unknown_fields),
    elapsed_ms: report.elapsed_ms,
  };
}

/** Where the free answer shows a paid answer's field under another name. */
const FREE_NAMES: Readonly<Record<string, string>> = {
  "information.reverse_dns": "reverse_dns",
  "information.isp": "isp",
  "information.asn": "asn",
  "asn.org": "organization",
  "information.region_name": "region",
  "information.city_name": "city",
  "information.country_name": "country",
  "information.country_code": "country_code",
  "information.latitude": "latitude",
  "information.longitude": "longitude",
  "anonymity.provider": "provider",
};

const FREE_ANONYMITY: ReadonlySet<string> = new Set(ANONYMITY_FLAGS.map((flag) => `anonymity.${flag}`));

function freeUnknownFields(paths: readonly string[]): string[] {
  const named = paths.flatMap((path) => {
    if (FREE_ANONYMITY.has(path)) return [path];
    return Object.hasOwn(FREE_NAMES, path) ? [FREE_NAMES[path] ?? path] : [];
  });
  return named.toSorted();
}

function messageOf(report: IpReport): string {
  const { risk_score: score, information, blacklists } = report;
  if (score.verdict === "not_applicable") {
    return `Not a public address (${(information.special_purpose?.name ?? "special").replaceAll("_", " ")}).`;
  }
  return blacklistMessage(blacklists, score.verdict === "unknown");
}
