import { getDomain } from "tldts";
import { decodePercent } from "../../targets/url.ts";
import type { Page } from "./page.ts";

const MAX_SHOWN_CHARS = 2048;

/** An address of the page, absolute, however long; null when it is none of the web. */
export function webUrl(href: string | null, base: URL): URL | null {
  const url = href === null ? null : URL.parse(href, base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
}

/** An address as a report shows it: its first 2,048 characters. */
export const shownUrl = ({ href }: URL): string => href.slice(0, MAX_SHOWN_CHARS);

/** What a page's relative addresses count from: its own URL, or `<base>`. */
export const baseOf = (page: Page, url: URL): URL => webUrl(page.baseHref, url) ?? url;

/** Label and public suffix of a host; an address or a suffix itself stands for itself. */
export const registeredOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;

/** Extension of a URL's last path segment, lower case, at most 16 letters and digits; `""` without one. */
export const extensionOf = ({ pathname }: URL): string => extensionOfFile(decodePercent(pathname));

/** Dots, blanks, and characters that are not seen, such as NUL and marks of direction. */
const isDropped = (character: string): boolean => /[. \p{C}]/u.test(character);

/**
 * Extension of a file's name, with or without folders, as a system takes that name that saves it: dots, blanks and what is not
 * seen at its end are dropped.
 */
export function extensionOfFile(name: string): string {
  let end = name.length;
  while (end > 0 && isDropped(name.charAt(end - 1))) end--;
  return /[^/\\]\.([a-z0-9]{1,16})$/i.exec(name.slice(0, end))?.[1]?.toLowerCase() ?? "";
}
