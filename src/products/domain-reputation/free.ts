import type { Deps } from "../../deps.ts";
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
    risk_score: score.verdict === "unknown" ? null : score.result,
    freshness: report.freshness,
    unknown_fields:
      whois.domain_age_days === null && whois.lookup_status === "error" ? ["domain_age_days"] : [],
    elapsed_ms: report.elapsed_ms,
  };
}

/** Nothing in DNS, and the registry says that nobody has it. */
function messageOf({ dns, whois, blacklists, risk_score: score }: DomainReport): string {
  if (dns.status === "nxdomain" && whois.registered === false && blacklists.detections === 0) {
    return "This domain is not registered.";
  }
  return blacklistMessage(blacklists, score.verdict === "unknown");
}
