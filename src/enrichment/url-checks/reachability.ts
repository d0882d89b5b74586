import { getDomainWithoutSuffix } from "tldts";
import { registeredOf } from "../page/links.ts";
import { ofResponse, shown, signal } from "./check.ts";
import type { UrlEvidence } from "./evidence.ts";

const codeIn =
  (from: number, to: number) =>
  ({ response }: UrlEvidence): boolean =>
    response !== null && response.status >= from && response.status <= to;

/** Whether the way led to another registered domain. */
const isExternal = ({ url, finalUrl }: UrlEvidence): boolean =>
  registeredOf(finalUrl.hostname) !== registeredOf(url.hostname);

/** A host is the way's known end also when it answers nothing. */
const isWayKnown = ({ response, hops }: UrlEvidence): boolean => response !== null || hops.length > 0;

const SEARCH_HOSTS =
  /^(?:www\.)?(?:google\.(?:com|(?:com?\.)?[a-z]{2})|bing\.com|duckduckgo\.com|baidu\.com|yandex\.(?:com|ru)|ecosia\.org|startpage\.com|qwant\.com)$|^(?:[a-z]{2}\.)?search\.yahoo\.com$/;
/** Other services of the same hosts (maps, translation) are no exit. */
const SEARCH_PATHS = /^\/(?:search|webhp|html|s|web)?\/?$/;

/** Cloaked pages send robots and strangers there. A search engine's own short names are its own. */
function leadsToSearchEngine(evidence: UrlEvidence): boolean {
  const { url, finalUrl } = evidence;
  if (!isExternal(evidence) || !SEARCH_HOSTS.test(finalUrl.hostname)) return false;
  const isSameName = getDomainWithoutSuffix(url.hostname) === getDomainWithoutSuffix(finalUrl.hostname);
  return SEARCH_PATHS.test(finalUrl.pathname) && !isSameName && !isOneOwner(evidence);
}

const isOneOwner = ({ url, finalUrl, brands }: UrlEvidence): boolean =>
  brands.some(
    ({ domains }) =>
      domains.includes(registeredOf(url.hostname)) && domains.includes(registeredOf(finalUrl.hostname)),
  );

const WIKIMEDIA = new Set(["wikipedia.org", "wikimedia.org", "w.wiki", "wikidata.org", "mediawiki.org"]);

const leadsToWikipedia = ({ url, finalUrl }: UrlEvidence): boolean =>
  registeredOf(finalUrl.hostname) === "wikipedia.org" && !WIKIMEDIA.has(registeredOf(url.hostname));

/** Design 7.4, Reachability: whether and how something answered. */
export const REACHABILITY_CHECKS = [
  shown(
    "is_url_accessible",
    ({ status }) => status === "ok",
    ({ status }) => status !== null,
  ),
  ...ofResponse([
    shown("is_http_status_error", codeIn(400, 999)),
    shown("is_http_client_error", codeIn(400, 499)),
    shown("is_http_server_error", codeIn(500, 599)),
  ]),
  shown("is_external_redirect", isExternal, isWayKnown),
  signal(
    "is_redirect_to_search_engine",
    0.1,
    "Redirects to a search engine, as pages do that hide from some visitors",
    leadsToSearchEngine,
    isWayKnown,
  ),
  signal(
    "is_redirect_to_wikipedia",
    0.1,
    "Redirects to Wikipedia, as pages do that hide from some visitors",
    leadsToWikipedia,
    isWayKnown,
  ),
  signal(
    "is_https_downgrade",
    0.1,
    "Redirects from https to http",
    ({ hops }) => hops.some(({ url, location }) => url.startsWith("https:") && location.startsWith("http:")),
    isWayKnown,
  ),
  shown(
    "is_valid_https",
    ({ isValidHttps }) => isValidHttps === true,
    ({ isValidHttps }) => isValidHttps !== null,
  ),
] as const;
