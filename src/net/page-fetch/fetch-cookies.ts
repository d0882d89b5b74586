/** Cookies of one chain of redirects; nothing outlives it. */
export type CookieJar = {
  /** Takes the `Set-Cookie` values of a response. */
  readonly keep: (url: URL, setCookies: readonly string[]) => void;
  /** The `Cookie` value for a request, null when there is none. */
  readonly cookieFor: (url: URL) => string | null;
};

type Cookie = { readonly value: string; readonly isSecure: boolean };

const MAX_COOKIES_PER_HOST = 50;
/** Set-Cookie fields of one response that are read. */
const MAX_SET_COOKIES = 100;
const MAX_COOKIE_LENGTH = 4096;
const MAX_ATTRIBUTES = 20;
/** Attributes that we know are much shorter. Source: security P9. */
const MAX_ATTRIBUTE_LENGTH = 64;
const MAX_HEADER_LENGTH = 8192;

/**
 * A jar that gives a host only its own cookies back: `Domain` and `Path` widen nothing, `Secure` ones
 * stay with https. Source: design 7.3, security P2.
 */
export function createCookieJar(): CookieJar {
  const hosts = new Map<string, Map<string, Cookie>>();
  return {
    keep: ({ hostname }, setCookies) => {
      const cookies = hosts.get(hostname) ?? new Map<string, Cookie>();
      hosts.set(hostname, cookies);
      for (const text of setCookies.slice(0, MAX_SET_COOKIES)) keepOne(cookies, text);
    },
    cookieFor: ({ hostname, protocol }) => {
      let header = "";
      for (const [name, { value, isSecure }] of hosts.get(hostname) ?? []) {
        const longer = `${header}${header && "; "}${name}=${value}`;
        const isSent = (!isSecure || protocol === "https:") && longer.length <= MAX_HEADER_LENGTH;
        if (isSent) header = longer;
      }
      return header === "" ? null : header;
    },
  };
}

function keepOne(cookies: Map<string, Cookie>, text: string): void {
  if (text.length > MAX_COOKIE_LENGTH) return;
  const [pair = "", ...attributes] = text.split(";", 1 + MAX_ATTRIBUTES);
  const [name, value] = halves(pair);
  // What is not printable ASCII might end our header early or never be sent by a browser.
  if (name === "" || value === null || !/^[\x21-\x7e]+$/.test(name + value)) return;
  const { isSecure, isOver } = meaningOf(attributes);
  if (isOver) cookies.delete(name);
  else if (cookies.has(name) || cookies.size < MAX_COOKIES_PER_HOST) cookies.set(name, { value, isSecure });
}

/** The two attributes that count here; one that is long is neither of them. */
function meaningOf(attributes: readonly string[]): { readonly isSecure: boolean; readonly isOver: boolean } {
  let isSecure = false;
  let isOver = false;
  for (const attribute of attributes) {
    if (attribute.length > MAX_ATTRIBUTE_LENGTH) continue;
    const [name, value] = halves(attribute.toLowerCase());
    if (name === "secure" && value === null) isSecure = true;
    if (name === "max-age" && /^(?:0+|-\d+)$/.test(value ?? "")) isOver = true;
  }
  return { isSecure, isOver };
}

/** What stands before and after the first `=`, without blanks around; null after it when there is none. */
function halves(text: string): readonly [string, string | null] {
  const equals = text.indexOf("=");
  if (equals < 0) return [text.trim(), null];
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
