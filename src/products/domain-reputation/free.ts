import type { Deps } from "../deps.ts";
import { freeEngines } from "../free-engines.ts";
import { blacklistMessage } from "../messages.ts";
import type { DomainReport } from "./report.ts";
import type { FreeDomainReport } from "./shape.ts";

/** The reduced answer of the free tool: interface 2.13, design 12. */
export function toFreeDomainReport(
  report: DomainReport,
  { engines }: Pick<Deps, "engines">,
): FreeDomainReport {
  const { blacklists, risk_score: score, whois } = report;
  return {
    domain: report.domain,
    input: report.input,
    domain_unicode: report.domain_unicode,
    registered_domain: report.registered_domain,
    target_level: report.target_level,
    blacklisted: blacklists.detections > 0,
    detections: blacklists.detections,
    engines_count: blacklists.engines_count,
    ...freeEngines(blacklists, engines.ownKeys),
    message: messageOf(report),
    registered: whois.registered,
    domain_age_days: whois.domain_age_days,
    registrar: whois.registrar,
    creation_date: whois.creation_date,
    expiration_date: whois.expiration_date,
    risk_score: score.verdict === "unknown" ? null : score.result,
    freshness: report.freshness,
    unknown_fields: freeUnknownFields(report.unknown_fields),
    elapsed_ms: report.elapsed_ms,
  };
}

const SHOWN_OF_WHOIS = ["registered", "domain_age_days", "registrar", "creation_date", "expiration_date"];

/** The free report has the registration's fields at its top. */
const freeUnknownFields = (fields: readonly string[]): string[] =>
  SHOWN_OF_WHOIS.filter((field) => fields.includes("whois") || fields.includes(`whois.${field}`)).sort();

/** Nothing in DNS, and the registry has no such registration. */
function messageOf({ dns, whois, blacklists, risk_score: score }: DomainReport): string {
  if (dns.status === "nxdomain" && whois.registered === false && blacklists.detections === 0) {
    return "This domain is not registered.";
  }
  return blacklistMessage(blacklists, score.verdict === "unknown");
}
