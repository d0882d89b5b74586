import type { Deps } from "../../deps.ts";
import type { Consultation } from "../../engines/kind.ts";
import type { UrlEvidence } from "../../enrichment/checks/evidence.ts";
import type { JudgedDomain } from "../../enrichment/names/domain-facts.ts";
import type { ReadResponse } from "../../enrichment/page/read-response.ts";
import { InvalidValue } from "../../failure.ts";
import type { FetchedPage } from "../../net/fetch-types.ts";
import type { Ip } from "../../targets/ip.ts";
import { hostOf, type UrlHost, type WebUrl } from "../../targets/url.ts";
import type { Visit } from "./visit.ts";
import { hostText } from "./way-report.ts";

export type EvidenceParts = {
  readonly target: WebUrl;
  readonly visit: Visit;
  readonly reading: ReadResponse;
  readonly judged: JudgedDomain | null;
  /** What the engines say of the URL. */
  readonly first: Consultation;
};

/** What the checks of design 7.4 are drawn from. */
export function evidenceOf(
  { target, visit, reading, judged, first }: EvidenceParts,
  { siteCategories, brands }: Pick<Deps, "siteCategories" | "brands">,
): UrlEvidence {
  const { fetched, read } = visit;
  const finalUrl = new URL(fetched.finalUrl);
  const finalHost = finalHostOf(finalUrl, target.host);
  return {
    url: target.url,
    host: target.host,
    domainFacts: judged?.facts ?? null,
    unknownFacts: judged?.unknown ?? [],
    isPopular: judged?.isPopular ?? false,
    addresses: addressesOf(fetched),
    silent: fetched.firstHost.silent,
    site: siteCategories.of(hostText(target.host)),
    isBlacklisted: namesHost(first),
    brands,
    status: fetched.status,
    hops: fetched.hops,
    finalUrl,
    finalHost,
    finalSite: siteCategories.of(hostText(finalHost)),
    unknownSite: siteCategories.unknown(),
    isValidHttps: finalUrl.protocol === "https:" ? (fetched.tls?.certificate?.valid ?? null) : false,
    response: fetched.response,
    isRead: read?.state === "answered",
    page: reading.page,
    forms: reading.forms,
    fileType: reading.fileType,
  };
}

/** Whether a list names more than the URL itself. */
const namesHost = ({ verdicts }: Consultation): boolean =>
  verdicts.some(({ detected, matched }) => detected && matched?.level !== "url");

/** Addresses of the host asked; null where its resolver gave no answer. */
export function addressesOf({ firstHost }: FetchedPage): readonly Ip[] | null {
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
