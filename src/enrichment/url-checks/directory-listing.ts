import { baseOf, extensionOf, webUrl } from "../page/links.ts";
import type { Page } from "../page/page.ts";

/** Titles of Apache, nginx, lighttpd; Python; Jetty; IIS (`host - /path/`). */
const TITLES = /^(?:index of \/|directory listing for \/|directory: \/|[a-z0-9.:-]{1,80} - \/)/i;
const WAY_UP = /\bparent directory\b/i;
const SORT_LINK = /^\?[CNMSD]=[A-Z]/;

/** Whether a page is a server's own listing of a folder: not one about listings, which has no second sign. */
export function isDirectoryListing({ title, text, links }: Page): boolean {
  if (!TITLES.test(title)) return false;
  const slash = title.lastIndexOf("/");
  const isHeading = slash >= 0 && !/\s/.test(title.slice(slash)) && text.startsWith(title);
  return isHeading || WAY_UP.test(text) || links.some((href) => href === "../" || SORT_LINK.test(href));
}

/** Extensions of the files that a listing names, lower case. */
export function extensionsOf(page: Page, url: URL): ReadonlySet<string> {
  const base = baseOf(page, url);
  return new Set(
    page.links.flatMap((href) => {
      const target = webUrl(href, base);
      return target?.hostname === url.hostname ? extensionOf(target) : [];
    }),
  );
}
