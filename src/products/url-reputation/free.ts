import type { Consultation } from "../../engines/kind.ts";
import { reportBlacklists } from "../../engines/report.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import { securityChecksOf } from "../../enrichment/url-checks/checks.ts";
import { urlSignals } from "../../enrichment/url-checks/signals.ts";
import { ageOfLists, besides, freshnessOf, ofRegistry } from "../../risk/freshness.ts";
import { scoreTarget } from "../../risk/score.ts";
import type { RiskScore } from "../../risk/shapes.ts";
import { hostText } from "../../targets/url.ts";
import type { Deps } from "../deps.ts";
import { type DomainAge, lookUpDomainAge } from "../email-reputation/facts.ts";
import { freeEngines } from "../free-engines.ts";
import { blacklistMessage } from "../messages.ts";
import type { LookupContext } from "../product.ts";
import { consultUrl, isBogonHost, NOTHING_ELSE, sharedInfrastructureAt } from "./consult-url.ts";
import { unfetchedEvidenceOf } from "./evidence.ts";
import type { FreeUrlReport } from "./free-shape.ts";
import type { UrlRequest } from "./report.ts";

/**
 * What is known of a URL without fetching anything: every engine is asked about it and its host, the registry about the
 * age of its domain. The score has what the URL and its host alone give. It is free, on the public page alone.
 */
export async function checkUnfetched(
  target: UrlRequest,
  deps: Deps,
  context: LookupContext,
): Promise<FreeUrlReport> {
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  const { host } = target.url;
  const [first, registered] = await Promise.all([
    consultUrl(target.url, deps, context),
    host.kind === "ip" ? null : lookUpDomainAge(host.domain, deps, context),
  ]);
  const ageDays = registered?.ageDays ?? null;
  const judged =
    host.kind === "ip" ? null : deps.domainFacts.judge(host.domain, { ...NOTHING_ELSE, ageDays });
  const computedAt = clock.now();
  const evidence = unfetchedEvidenceOf({ target: target.url, judged, first }, deps);
  const score = scoreTarget({
    consultation: first,
    signals: urlSignals(securityChecksOf(evidence).checks, evidence),
    sharedInfrastructure: sharedInfrastructureAt(host, deps),
    isBogon: isBogonHost(host),
    computedAt,
  });
  const elapsedMs = clock.monotonicMs() - startedMs;
  const { ownKeys } = deps.engines;
  return reportUnfetched(target, { first, registered, judged, score, computedAt, elapsedMs, ownKeys });
}

type Gathered = {
  readonly first: Consultation;
  readonly registered: DomainAge | null;
  readonly judged: JudgedDomain | null;
  readonly score: RiskScore;
  readonly computedAt: Date;
  readonly ownKeys: ReadonlySet<string>;
  readonly elapsedMs: number;
};

function reportUnfetched(
  { url: { text, host }, input }: UrlRequest,
  { first, registered, judged, score, computedAt, elapsedMs, ownKeys }: Gathered,
): FreeUrlReport {
  const blacklists = reportBlacklists(first, text);
  const ages = [
    ...(registered === null ? [] : [ofRegistry(registered.age)]),
    ...besides(judged === null ? [] : [ageOfLists(judged, computedAt)]),
  ];
  const domain = host.kind === "domain" ? host.domain : null;
  return {
    url: text,
    input,
    target_level: "url",
    is_fetched: false,
    host: hostText(host),
    is_host_ip: domain === null,
    registered_domain: domain?.registeredDomain ?? null,
    domain_unicode: domain?.unicode ?? null,
    blacklisted: blacklists.detections > 0,
    detections: blacklists.detections,
    engines_count: blacklists.engines_count,
    message: blacklistMessage(blacklists, score.verdict === "unknown"),
    ...freeEngines(blacklists, ownKeys),
    domain_age_days: registered?.ageDays ?? null,
    risk_score: score.verdict === "unknown" ? null : score.result,
    freshness: freshnessOf(first, ages, computedAt),
    unknown_fields: registered !== null && registered.ageDays === null ? ["domain_age_days"] : [],
    elapsed_ms: Math.max(Math.round(elapsedMs), Math.floor(first.scanTimeMs)),
  };
}
