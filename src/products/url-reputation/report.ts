import type { Consultation } from "../../engines/kind.ts";
import { reportBlacklists } from "../../engines/report.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import type { ReadResponse } from "../../enrichment/page/read-response.ts";
import { isSiteKnown } from "../../enrichment/url-checks/check.ts";
import { type SecurityChecks, securityChecksOf } from "../../enrichment/url-checks/checks.ts";
import type { UrlEvidence } from "../../enrichment/url-checks/evidence.ts";
import { urlSignals } from "../../enrichment/url-checks/signals.ts";
import { ageOfLists, besides, freshnessOf, type PartAge } from "../../risk/freshness.ts";
import { type ScoreInput, scoreTarget } from "../../risk/score.ts";
import type { WebUrl } from "../../targets/url.ts";
import type { Unviewed } from "../views.ts";
import { type ConsultedHop, clearancesOf, mergeChain } from "./chain.ts";
import type { DescribedServer, HostRecords } from "./dns-records.ts";
import { reportFetch, reportHtmlInfo, reportResources, reportResponse } from "./page-report.ts";
import type { PageWire, UrlReportShape } from "./shape.ts";
import { isUnread, type PageVisit } from "./visit.ts";
import { reportParts, reportRedirection } from "./way-report.ts";

export type UrlRequest = { readonly url: WebUrl; readonly input: string };

export type GatheredUrl = {
  readonly target: UrlRequest;
  readonly visit: PageVisit;
  readonly reading: ReadResponse;
  /** What the engines say of the URL itself. */
  readonly first: Consultation;
  /** What they say of what it redirects to. */
  readonly hops: readonly ConsultedHop[];
  readonly records: HostRecords;
  /** Null of an address. */
  readonly judged: JudgedDomain | null;
  readonly server: DescribedServer | null;
  /** Lists that name each domain that the page loads from. */
  readonly detections: ReadonlyMap<string, number>;
  /** Of the registration, of the tables that place hosts, and of those lists. */
  readonly ages: readonly PartAge[];
  readonly evidence: UrlEvidence;
  readonly isBogon: boolean;
  /** The sentence that names the shared infrastructure behind the host, or null (design 4.3). */
  readonly sharedInfrastructure: string | null;
  readonly computedAt: Date;
  readonly elapsedMs: number;
};

export type UrlReport = Unviewed<typeof UrlReportShape>;

/** What was gathered to the wire shape of interface 2.8 with design 7; pure. */
export function reportUrl(gathered: GatheredUrl): UrlReport {
  const { target, visit, evidence, computedAt } = gathered;
  const { host, text } = target.url;
  const security = securityChecksOf(evidence);
  const signals = urlSignals(security.checks, evidence);
  const consultation = mergeChain({ ...gathered, signals });
  return {
    url: text,
    input: target.input,
    target_level: "url",
    url_fetch_status: visit.fetched.status,
    registered_domain: host.kind === "ip" ? null : host.domain.registeredDomain,
    domain_unicode: host.kind === "ip" ? null : host.domain.unicode,
    blacklists: reportBlacklists(consultation, text),
    report: reportPage(gathered, { checks: security.checks, signals, consultation }),
    freshness: freshnessOf(consultation, agesOf(gathered), computedAt),
    unknown_fields: unknownFieldsOf(gathered, security.unknown),
    elapsed_ms: Math.max(Math.round(gathered.elapsedMs), Math.floor(consultation.scanTimeMs)),
  };
}

const agesOf = ({ judged, ages, computedAt }: GatheredUrl): readonly PartAge[] =>
  judged === null ? ages : [...besides([ageOfLists(judged, computedAt)]), ...ages];

type Judged = Pick<ScoreInput, "signals" | "consultation"> & { readonly checks: SecurityChecks };

function reportPage(gathered: GatheredUrl, { checks, signals, consultation }: Judged): UrlReport["report"] {
  const { target, visit, reading, evidence, judged } = gathered;
  const { fetched } = visit;
  const { response } = fetched;
  return {
    url_parts: reportParts(target.url),
    host_info: reportHost(gathered),
    redirection: reportRedirection(gathered),
    response: response === null ? null : reportResponse(response, reading.bodySha256),
    tls: response === null ? null : fetched.tls,
    file_type: reading.fileType,
    html_info: reading.htmlInfo === null ? null : reportHtmlInfo(reading.htmlInfo),
    html_forms: reading.forms,
    resources: reportResources(reading.resources, gathered.detections),
    site_category: { ...evidence.site, is_parked: judged?.facts.is_parked ?? false },
    dns_records: reportRecords(gathered.records),
    domain_facts: judged?.facts ?? null,
    security_checks: checks,
    risk_score: scoreTarget({
      consultation,
      signals,
      sharedInfrastructure: gathered.sharedInfrastructure,
      hops: clearancesOf(gathered.hops),
      isBogon: gathered.isBogon,
      computedAt: gathered.computedAt,
    }),
    fetch: reportFetch(visit),
  };
}

function reportHost({ target, visit, server, sharedInfrastructure }: GatheredUrl): PageWire["host_info"] {
  const { addresses, resolution } = visit.fetched.firstHost;
  return {
    is_ip: target.url.host.kind === "ip",
    addresses: addresses.map(({ text }) => text),
    resolution,
    server: server?.server ?? null,
    shared_infrastructure: sharedInfrastructure,
  };
}

const reportRecords = ({ ns, mx, cname }: HostRecords): PageWire["dns_records"] => ({
  ns: ns?.targets ?? [],
  mx: mx?.targets ?? [],
  cname: cname === "none" ? null : cname,
});

/** What there is only where a page could be read. */
const READ_FIELDS = ["html_forms", "html_info", "resources"];

function unknownFieldsOf(
  { visit, records, judged, server, evidence }: GatheredUrl,
  uncheckable: readonly string[],
): string[] {
  const { fetched, read } = visit;
  const { firstHost, response } = fetched;
  const unknown = uncheckable.map((name) => `security_checks.${name}`);
  if (firstHost.resolution === "timeout" || firstHost.resolution === "error")
    unknown.push("host_info.addresses");
  if (server?.isNameKnown === false) unknown.push("host_info.server.reverse_dns");
  if (response === null) unknown.push("response");
  else if (isUnread(response)) unknown.push("response.body_sha256");
  if (response === null && fetched.finalUrl.startsWith("https:")) unknown.push("tls");
  if (read?.state !== "answered") unknown.push(...READ_FIELDS);
  else if (read.value.page?.isCut) unknown.push("html_forms");
  if (records.ns?.isKnown !== true) unknown.push("dns_records.ns");
  if (records.mx?.isKnown !== true) unknown.push("dns_records.mx");
  if (records.cname === null) unknown.push("dns_records.cname");
  for (const field of judged?.unknown ?? []) unknown.push(`domain_facts.${field}`);
  if (judged?.unknown.includes("is_parked")) unknown.push("site_category.is_parked");
  const unlisted = evidence.unknownSite.filter((field) => !isSiteKnown(field)(evidence));
  unknown.push(...unlisted.map((field) => `site_category.${field}`));
  return unknown.map((field) => `report.${field}`).sort();
}
