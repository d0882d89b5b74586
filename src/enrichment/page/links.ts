import { getDomain } from "tldts";
import type { Page } from "./page.ts";

const MAX_URL_CHARS = 2048;

/** An address of the page, absolute and at most 2,048 characters; null when it is none of the web. */
export function webUrl(href: string | null, base: URL): URL | null {
  const url = href === null ? null : URL.parse(href, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  return url.href.length <= MAX_URL_CHARS ? url : null;
}

/** What a page's relative addresses count from: its own URL, or `<base>`. */
export const baseOf = (page: Page, url: URL): URL => webUrl(page.baseHref, url) ?? url;

/** Label and public suffix of a host; an address or a suffix itself stands for itself. */
export const registeredOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;

/** Extension of a URL's last path segment, lower case, at most 16 letters and digits; `""` without one. */
export const extensionOf = ({ pathname }: URL): string =>
  /[^/]\.([a-z0-9]{1,16})$/i.exec(pathname)?.[1]?.toLowerCase() ?? "";
