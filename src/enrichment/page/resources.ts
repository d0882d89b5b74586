import { baseOf, registeredOf, shownUrl, webUrl } from "./links.ts";
import type { Page, ResourceKind } from "./page.ts";

/** Design 7.2, `resources`, without the engines' word on each domain. */
export type Resources = {
  readonly count: number;
  readonly external_count: number;
  /** By registered domain, most used first, the first 100. */
  readonly domains: readonly { readonly domain: string; readonly count: number }[];
  readonly scripts_external: readonly string[];
  readonly iframes: readonly string[];
  readonly mixed_content_count: number;
};

/** A page that loads nothing, and everything that is no page. */
export const NO_RESOURCES: Resources = {
  count: 0,
  external_count: 0,
  domains: [],
  scripts_external: [],
  iframes: [],
  mixed_content_count: 0,
};

const MAX_SHOWN = 100;

type Found = { readonly kind: ResourceKind; readonly url: URL; readonly domain: string };

/** What the page at `url` loads from where; of its resources the first 2,000 are told apart. Nothing is fetched. */
export function resourcesOf(page: Page, url: URL): Resources {
  const base = baseOf(page, url);
  const own = registeredOf(url.hostname);
  const found = page.resources.flatMap(({ kind, url: href }): Found[] => {
    const target = webUrl(href, base);
    return target === null ? [] : [{ kind, url: target, domain: registeredOf(target.hostname) }];
  });
  const external = found.filter(({ domain }) => domain !== own);
  return {
    count: page.resourcesCount,
    external_count: external.length,
    domains: countDomains(external),
    scripts_external: urlsOf("script", external),
    iframes: urlsOf("iframe", found),
    mixed_content_count:
      url.protocol === "https:" ? found.filter((one) => one.url.protocol === "http:").length : 0,
  };
}

function countDomains(external: readonly Found[]): Resources["domains"] {
  const counts = new Map<string, number>();
  for (const { domain } of external) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts]
    .map(([domain, count]) => ({ domain, count }))
    .sort((a, b) => b.count - a.count || (a.domain < b.domain ? -1 : 1))
    .slice(0, MAX_SHOWN);
}

const urlsOf = (kind: ResourceKind, found: readonly Found[]): readonly string[] =>
  [...new Set(found.filter((one) => one.kind === kind).map(({ url }) => shownUrl(url)))].slice(0, MAX_SHOWN);
