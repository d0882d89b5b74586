import { baseOf, registeredOf, shownUrl, webUrl } from "./links.ts";
import { isEmptyPage, type Page } from "./page.ts";
import type { HtmlInfo } from "./shapes.ts";

const MAX_TITLE_CHARS = 300;
const MAX_TEXT_CHARS = 1000;

/** What the page at `url` says of itself. Of its links the first 2,000 are told apart. */
export function htmlInfoOf(page: Page, url: URL, charset: string): HtmlInfo {
  const meta = (name: string, limit = MAX_TEXT_CHARS) => cut(page.metas.get(name) ?? "", limit);
  const base = baseOf(page, url);
  const link = (href: string | null) => {
    const target = webUrl(href, base);
    return target === null ? null : shownUrl(target);
  };
  const own = registeredOf(url.hostname);
  const isExternal = (href: string) => {
    const target = webUrl(href, base);
    return target !== null && target.hostname !== url.hostname && registeredOf(target.hostname) !== own;
  };
  return {
    title: cut(page.title, MAX_TITLE_CHARS),
    description: meta("description"),
    keywords: meta("keywords"),
    lang: cut(page.lang, 64),
    charset,
    generator: meta("generator", MAX_TITLE_CHARS),
    favicon_url: link(page.faviconUrl),
    canonical_url: link(page.canonicalUrl),
    is_empty: isEmptyPage(page),
    text_bytes: page.textBytes,
    meta_robots: meta("robots", MAX_TITLE_CHARS),
    has_meta_refresh: page.refresh !== null,
    links_count: page.linksCount,
    external_links_count: page.links.filter(isExternal).length,
    iframes_count: page.iframesCount,
    scripts_count: page.scriptsCount,
  };
}

const cut = (text: string, limit: number): string => text.slice(0, limit).toWellFormed();
