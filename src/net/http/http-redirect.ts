import type { ResponseHead } from "./http-exchange.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** As long as headers may be, percent-encoding included: what is cut off here would be a redirect that is missed. */
const MAX_URL_LENGTH = 65_536;
const MAX_REFRESH_S = 10;

/** Where a response with a `Location` leads; null when it is no redirect or leads nowhere that can be followed. */
export function redirectTarget({ status, headers }: ResponseHead, base: URL): URL | null {
  const [location = ""] = headers.get("location") ?? [];
  return REDIRECTS.has(status) && location !== "" ? resolveTarget(fromHeader(location), base) : null;
}

/** The `Location` of a redirect that leads nowhere that can be followed; null when there is none. */
export function brokenRedirect(head: ResponseHead, base: URL): string | null {
  const [location = ""] = head.headers.get("location") ?? [];
  const isBroken =
    REDIRECTS.has(head.status) && location.trim() !== "" && redirectTarget(head, base) === null;
  return isBroken ? location : null;
}

/** When a page moves on by itself, and whither. */
export type Refresh = {
  readonly afterS: number;
  /** As it is written; empty where none is named: the page then reloads itself. */
  readonly target: string;
};

/**
 * Where a response leads by its `Refresh` header or by its page's own refresh, as `redirectTarget`. As in browsers, the one
 * that comes first in time counts, of two at the same time the page's.
 */
export function refreshTarget({ headers }: ResponseHead, page: Refresh | null, base: URL): URL | null {
  const [value = ""] = headers.get("refresh") ?? [];
  const header = parseRefresh(fromHeader(value));
  const isHeaderFirst = header !== null && page !== null && header.afterS < page.afterS;
  for (const refresh of isHeaderFirst ? [header, page] : [page, header]) {
    const target = refresh === null ? null : resolveTarget(refresh.target, base);
    if (target !== null) return target;
  }
  return null;
}

/**
 * `5; url=/next`: the value of a `Refresh` header or of `<meta http-equiv="refresh">`. Null after more than 10 seconds, or
 * when the value is no refresh. Source: design 7.3.
 */
export function parseRefresh(value: string): Refresh | null {
  const refresh = readRefresh(value);
  return refresh === null || refresh.afterS > MAX_REFRESH_S ? null : refresh;
}

/** As `parseRefresh`, whenever it comes. Source: HTML, 4.2.5.3 "shared declarative refresh steps". */
export function readRefresh(value: string): Refresh | null {
  const parts = /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?:[\s;,]+((?:[^\s;,].*)?))?$/s.exec(
    value.slice(0, MAX_URL_LENGTH),
  );
  if (parts === null) return null;
  const [, seconds = "", rest = ""] = parts;
  const url = rest.replace(/^url\s*=\s*/i, "");
  const [, quote, quoted] = /^(["'])(.*)$/s.exec(url) ?? [];
  const target = quote === undefined || quoted === undefined ? url : (quoted.split(quote, 1)[0] ?? "");
  return { afterS: Number(seconds), target: target.trim() };
}

/** An absolute http(s) URL without user information, or null. Source: security P2. */
export function resolveTarget(text: string, base: URL): URL | null {
  if (text.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(text, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.username = "";
  url.password = "";
  return url.href.length > MAX_URL_LENGTH ? null : url;
}

/** A URL's host as the dialer takes it: no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** The port that a URL means. */
export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** Octets above ASCII as browsers take them: UTF-8, percent-encoded. */
const fromHeader = (value: string): string =>
  value.replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
