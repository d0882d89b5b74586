import { tldOf } from "../../enrichment/names/tlds.ts";
import { extensionOf, registeredOf } from "../../enrichment/page/links.ts";
import type { FetchedPage } from "../../net/fetch-types.ts";
import type { UrlHost, WebUrl } from "../../targets/url.ts";
import type { PageWire } from "./shape.ts";

/** Name or address of a host, without brackets. */
export const hostText = (host: UrlHost): string => (host.kind === "ip" ? host.ip.text : host.domain.name);

/** The URL's parts as design 7.2 names them; pure. */
export function reportParts({ url, host }: WebUrl): PageWire["url_parts"] {
  const text = hostText(host);
  const domain = host.kind === "domain" ? host.domain : null;
  return {
    scheme: url.protocol === "https:" ? "https" : "http",
    userinfo: url.username !== "" || url.password !== "",
    host: text,
    host_nowww: text.replace(/^www\d?\./, ""),
    host_unicode: domain?.unicode ?? text,
    registered_domain: domain?.registeredDomain ?? null,
    tld: domain === null ? "" : tldOf(domain.name),
    port: url.port === "" ? null : Number(url.port),
    path: url.pathname,
    query: url.search.slice(1),
    query_params_count: url.searchParams.size,
    fragment: url.hash.slice(1),
    extension: extensionOf(url),
  };
}

/** The way from the URL to its last response; pure. */
export function reportRedirection(url: URL, { hops, finalUrl }: FetchedPage): PageWire["redirection"] {
  const own = registeredOf(url.hostname);
  return {
    found: hops.length > 0,
    external: hops.some(({ location }) => registeredOf(new URL(location).hostname) !== own),
    hops: hops.map(({ url: from, status, location, type, ip, tls, elapsedMs }) => ({
      url: from,
      status,
      location,
      type,
      ip,
      tls,
      elapsed_ms: elapsedMs,
    })),
    hops_count: hops.length,
    final_url: finalUrl,
    final_host: new URL(finalUrl).hostname.replace(/^\[(.*)\]$/, "$1"),
    downgrade: hops.some(
      ({ url: from, location }) => from.startsWith("https:") && location.startsWith("http:"),
    ),
    url: hops[0]?.location ?? null,
  };
}
