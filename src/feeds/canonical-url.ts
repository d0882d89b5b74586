import { refangRow } from "./addresses.ts";

const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * The one spelling under which URLs are compared: WHATWG parsing, no fragment, no default port, no user
 * information, percent-encoding canonical (RFC 3986 6.2.2: upper-case digits, unreserved characters plain).
 * A text without a scheme is read as `http://`, as lists write it. Null: no http(s) URL.
 * Source: design 3.3.
 */
export function canonicalUrl(text: string): string | null {
  const clean = refangRow(text.trim());
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(clean) && !isHostPort(clean) ? clean : `http://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  const path = canonicalPercent(url.pathname);
  return `${url.protocol}//${url.host}${path}${canonicalPercent(url.search)}`;
}

/** `bad.example:8080/x` looks as if it had the scheme `bad.example`. */
const isHostPort = (text: string): boolean => /^[^/:]+:\d{1,5}(?:[/?#]|$)/.test(text);

const canonicalPercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (escaped, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });
