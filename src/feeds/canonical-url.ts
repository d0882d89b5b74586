import { InvalidValue } from "../base/failure.ts";
import { canonicalUrlOf, hostOf, isHostPort } from "../targets/url.ts";
import { refangRow } from "./addresses.ts";
import { isMailbox, readName } from "./names.ts";

/**
 * The spelling under which a list's URL is compared: `canonicalUrlOf`. A text without a scheme is read as `http://`,
 * as lists write it, if its host has a dot or is in brackets: "Too many requests", the names of columns and mailboxes are no URLs.
 * Null: no http(s) URL, or one whose host is neither a name nor an address (`http://*.evil.example/`, a line of a script), which
 * no lookup would find. Source: design 3.3.
 */
export function canonicalUrl(text: string): string | null {
  const clean = refangRow(text.trim());
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(clean) && !isHostPort(clean);
  if (!hasScheme && !hasWholeHost(clean)) return null;
  const url = URL.parse(hasScheme ? clean : `http://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || !hasRealHost(url)) return null;
  return canonicalUrlOf(url);
}

/** Whether a caller's URL may have this host. Nearly all are plain names. */
function hasRealHost(url: URL): boolean {
  if (readName(url.hostname) === url.hostname) return true;
  try {
    return hostOf(url) !== null;
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

/** Whether the host of a URL without a scheme is more than one word: `evil.example/x`, `[2001:db8::1]/x`. */
function hasWholeHost(text: string): boolean {
  if (isMailbox(text)) return false;
  const [authority = ""] = text.split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return /[.\u3002\uff0e\uff61]/.test(host) || host.startsWith("[");
}
