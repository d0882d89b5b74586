import { InvalidValue } from "../../base/failure.ts";
import type { Consultation } from "../../engines/kind.ts";
import type { JudgedDomain } from "../../enrichment/domain-names/domain-facts.ts";
import { NO_FORMS } from "../../enrichment/page/forms.ts";
import { extensionOf } from "../../enrichment/page/links.ts";
import type { ReadResponse } from "../../enrichment/page/read-response.ts";
import type { UrlEvidence } from "../../enrichment/url-checks/evidence.ts";
import type { Ip } from "../../targets/ip.ts";
import { hostOf, hostText, type UrlHost, type WebUrl } from "../../targets/url.ts";
import type { Deps } from "../deps.ts";
import { typeByName } from "./page-report.ts";
import type { PageVisit, VisitedPage } from "./visit.ts";

/** What is known of a URL before its page is. */
export type UrlParts = {
  readonly target: WebUrl;
  readonly judged: JudgedDomain | null;
  /** What the engines say of the URL. */
  readonly first: Consultation;
};

type Tables = Pick<Deps, "siteCategories" | "brands">;

/** What the checks of design 7.4 are drawn from. */
export function evidenceOf(
  { visit, reading, ...parts }: UrlParts & { readonly visit: PageVisit; readonly reading: ReadResponse },
  tables: Tables,
): UrlEvidence {
  const { fetched, read } = visit;
  const finalUrl = new URL(fetched.finalUrl);
  const finalHost = finalHostOf(finalUrl, parts.target.host);
  return {
    ...knownOf(parts, tables),
    addresses: addressesOf(fetched),
    silent: fetched.firstHost.silent,
    status: fetched.status,
    hops: fetched.hops,
    finalUrl,
    finalHost,
    finalSite: tables.siteCategories.of(hostText(finalHost)),
    isValidHttps: finalUrl.protocol === "https:" ? (fetched.tls?.valid ?? null) : false,
    response: fetched.response,
    isRead: read?.state === "answered",
    page: reading.page,
    forms: reading.forms,
    fileType: reading.fileType,
  };
}

/** The same of a URL that is not fetched, and whose host is not asked for its addresses. */
export function unfetchedEvidenceOf(parts: UrlParts, tables: Tables): UrlEvidence {
  const known = knownOf(parts, tables);
  const { url, host } = parts.target;
  return {
    ...known,
    addresses: host.kind === "ip" ? [host.ip] : null,
    silent: [],
    status: null,
    hops: [],
    finalUrl: url,
    finalHost: host,
    finalSite: known.site,
    isValidHttps: url.protocol === "https:" ? null : false,
    response: null,
    isRead: false,
    page: null,
    forms: NO_FORMS,
    fileType: typeByName(extensionOf(url)),
  };
}

const knownOf = ({ target, judged, first }: UrlParts, { siteCategories, brands }: Tables) => ({
  url: target.url,
  host: target.host,
  domainFacts: judged?.facts ?? null,
  unknownFacts: judged?.unknown ?? [],
  isPopular: judged?.isPopular ?? false,
  site: siteCategories.of(hostText(target.host)),
  unknownSite: siteCategories.unknown(),
  isBlacklisted: namesHost(first),
  brands,
});

/** Whether a list names more than the URL itself. */
const namesHost = ({ verdicts }: Consultation): boolean =>
  verdicts.some(({ detected, matched }) => detected && matched?.level !== "url");

/** Addresses of the host asked; null where its resolver gave no answer. */
export function addressesOf({ firstHost }: VisitedPage): readonly Ip[] | null {
  const { resolution, addresses } = firstHost;
  return resolution === "timeout" || resolution === "error" ? null : addresses;
}

/** A server may redirect to a host that no name is, which then has no address either. */
function finalHostOf(url: URL, first: UrlHost): UrlHost {
  try {
    return hostOf(url);
  } catch (error) {
    if (error instanceof InvalidValue) return first;
    throw error;
  }
}
