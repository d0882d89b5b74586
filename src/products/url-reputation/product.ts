import { InvalidValue } from "../../base/failure.ts";
import type { Consultation } from "../../engines/kind.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import { registeredOf } from "../../enrichment/page/links.ts";
import type { ReadResponse } from "../../enrichment/page/read-response.ts";
import type { Resources } from "../../enrichment/page/resources.ts";
import { turn } from "../../net/turns.ts";
import { ageOfConsultation, agesOfIp, ofRegistry, type PartAge } from "../../risk/freshness.ts";
import { parseUrl, type UrlHost } from "../../targets/url.ts";
import type { Deps } from "../deps.ts";
import { type DomainAge, lookUpDomainAge } from "../email-reputation/facts.ts";
import { defineProduct, type LookupContext } from "../product.ts";
import { verdictShape } from "../shapes.ts";
import { verdictOf } from "../views.ts";
import { agesOfHops, consultHops } from "./chain.ts";
import { consultUrl, engineHostOf, isBogonHost, sharedInfrastructureAt } from "./consult-url.ts";
import {
  type DescribedServer,
  describeServer,
  type HostRecords,
  lookUpHostRecords,
  NO_RECORDS,
} from "./dns-records.ts";
import { addressesOf, evidenceOf } from "./evidence.ts";
import { checkUnfetched } from "./free.ts";
import { FreeUrlReport } from "./free-shape.ts";
import { readingOf } from "./page-report.ts";
import { reportUrl, type UrlReport, type UrlRequest } from "./report.ts";
import { UrlReportShape, UrlReputationInput } from "./shape.ts";
import { renderUrlReport } from "./terminal.ts";
import { type VisitedPage, visitPage } from "./visit.ts";

/** Reputation of a URL: lists, the way to its page, what the page is and does, explained score. */
export const urlReputation = defineProduct({
  name: "url-reputation",
  summary: "Check a URL",
  description:
    "Asks every blacklist engine about a URL and its host, fetches the page as a browser would without running anything, " +
    "follows redirects, and says what the page is, what it asks for and which signs of abuse it shows. Private addresses are not reached.",
  price: 2,
  halfAllowance: true,
  targetKind: "url",
  input: UrlReputationInput,
  output: UrlReportShape,
  verdict: {
    output: verdictShape("UrlVerdict", "url"),
    of: (report) => verdictOf({ url: report.url }, { ...report, risk_score: report.report.risk_score }),
  },
  deadlineMs: 20_000,
  field: "url",
  parse: ({ url }) => requestOf(url),
  textOf: ({ url }) => textOf(url.url, url.text),
  lookup: gatherUrl,
  // Whatever became of the fetch is an answer (design 7.1).
  isCharged: () => true,
  failureOf: () => "upstream_error: no answer",
  judged: (report) => ({ score: report.report.risk_score, consultation: report.blacklists.consultation }),
  bulk: { field: "urls", item: "url", concurrency: 8, deadlineMs: 110_000 },
  free: null,
  cli: { word: "url", render: renderUrlReport },
  page: {
    name: "URL reputation",
    takes: ["url"],
    form: { label: "URL", example: "https://example.com/login" },
    tool: {
      tab: "URL",
      title: "URL check",
      lead: "Which blacklists name a link or its host. The page itself is fetched only for accounts.",
      label: "URL with http:// or https://",
      example: "https://example.com/login",
      full: "the page itself: redirects, certificate, forms, files, what it loads from elsewhere, and over seventy checks",
    },
    // It would open the page.
    isWholePublic: false,
    pageOnly: {
      output: FreeUrlReport,
      countsAs: "/api/free/domain-check",
      prepare: (text) => {
        const target = requestOf(text);
        return (deps, context) => checkUnfetched(target, deps, context);
      },
    },
  },
  example: { url: "http://example.com:8080/welcome" },
});

function requestOf(input: string): UrlRequest {
  return { url: parseUrl(input), input };
}

/** URLs that differ in user information or fragment are one to the lists, but not to the checks. */
const textOf = ({ username, password, hash }: URL, text: string): string =>
  `${username === "" && password === "" ? text : text.replace("//", "//***@")}${hash}`;

/** Lists answer within this; what is slower is a part of its own. */
const ENGINES_MS = 5000;
const DNS_MS = 5000;
const SERVER_MS = 2000;
/** Kept back of a call's time for putting the answer together. */
const REPORT_MS = 200;

async function gatherUrl(target: UrlRequest, deps: Deps, context: LookupContext): Promise<UrlReport> {
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  const time = { ...context, deadlineMs: context.deadlineMs - REPORT_MS };
  const until = (ms: number) => ({
    ...time,
    deadlineMs: Math.min(time.deadlineMs, clock.monotonicMs() + ms),
  });
  const { host, url } = target.url;
  const [visit, first, registered, records] = await Promise.all([
    visitPage(url, deps, time),
    consultUrl(target.url, deps, until(ENGINES_MS)),
    host.kind === "ip" ? null : lookUpDomainAge(host.domain, deps, time),
    host.kind === "ip" ? NO_RECORDS : lookUpHostRecords(host.domain, deps, until(DNS_MS)),
  ]);
  // Connections of a hundred visits may end at the same moment.
  await turn();
  const { fetched } = visit;
  const reading = readingOf(visit);
  const judged = judge(host, { fetched, reading, registered, records }, deps);
  const [server, resources, hops] = await Promise.all([
    describeFirstServer(fetched, deps, until(SERVER_MS)),
    consultResources(reading.resources, deps, time),
    consultHops(target.url, { fetched, first }, deps, until(ENGINES_MS)),
  ]);
  await turn();
  const evidence = evidenceOf({ target: target.url, visit, reading, judged, first }, deps);
  return reportUrl({
    ...{ target, visit, reading, first, hops, records, judged, server, evidence },
    detections: resources.detections,
    ages: [
      ...(registered === null ? [] : [ofRegistry(registered.age)]),
      ...[...(server === null ? [] : [server.ages]), ...records.ages].flatMap(agesOfIp),
      ...[...resources.ages, ...agesOfHops(hops)],
    ],
    sharedInfrastructure: judged === null ? sharedInfrastructureAt(host, deps) : judged.sharedInfrastructure,
    isBogon: isBogonHost(host),
    computedAt: clock.now(),
    elapsedMs: clock.monotonicMs() - startedMs,
  });
}

type Known = {
  readonly fetched: VisitedPage;
  readonly reading: ReadResponse;
  readonly registered: DomainAge | null;
  readonly records: HostRecords;
};

function judge(
  host: UrlHost,
  { fetched, reading, registered, records }: Known,
  { domainFacts }: Pick<Deps, "domainFacts">,
): JudgedDomain | null {
  if (host.kind === "ip") return null;
  return domainFacts.judge(host.domain, {
    ageDays: registered?.ageDays ?? null,
    registry: registered?.registry ?? null,
    addresses: addressesOf(fetched),
    silent: fetched.firstHost.silent,
    nameServers: records.ns?.targets.map(({ target }) => target) ?? null,
    // Another site's page says nothing of this name.
    isForSale: isSameSite(host.domain.name, fetched.finalUrl) ? reading.isForSale : null,
  });
}

const isSameSite = (name: string, finalUrl: string): boolean =>
  registeredOf(name) === registeredOf(new URL(finalUrl).hostname);

/** The machine that answered for the host asked, or that would not; null where none was asked. */
function describeFirstServer(
  { firstHost }: VisitedPage,
  deps: Deps,
  time: LookupContext,
): Promise<DescribedServer> | null {
  const ip = firstHost.ip ?? (firstHost.resolution === "ok" ? firstHost.addresses[0] : undefined);
  return ip === undefined ? null : describeServer(ip, deps, time);
}

/** What the lists say of the domains that a page loads from, and how old they are. */
type AskedResources = {
  readonly detections: ReadonlyMap<string, number>;
  readonly ages: readonly PartAge[];
};

/** How many lists name each domain that a page loads from. DNS blacklists are not asked: a page may name a hundred. */
async function consultResources(
  { domains }: Resources,
  deps: Pick<Deps, "engines" | "ipEnrichment">,
  time: LookupContext,
): Promise<AskedResources> {
  const asked = await Promise.all(
    domains.map(async ({ domain }) => {
      const host = resourceHost(domain);
      if (host === null) return { domain, said: null };
      const said = await deps.engines.consult(engineHostOf(host, deps), { ...time, isListsOnly: true });
      return { domain, said };
    }),
  );
  return {
    detections: new Map(asked.map(({ domain, said }) => [domain, detectionsOf(said)])),
    ages: asked.flatMap(({ said }) => (said === null ? [] : [ageOfConsultation(said)])),
  };
}

const detectionsOf = (said: Consultation | null): number =>
  said === null ? 0 : said.verdicts.filter(({ detected }) => detected).length;

/** What a page writes may be no name at all. */
function resourceHost(domain: string): UrlHost | null {
  try {
    return parseUrl(`http://${domain}/`).host;
  } catch (error) {
    if (error instanceof InvalidValue) return null;
    throw error;
  }
}
