/** Cookies of one chain of redirects; nothing outlives it. */
export type CookieJar = {
  /** Takes the `Set-Cookie` values of a response. */
  readonly keep: (url: URL, setCookies: readonly string[]) => void;
  /** The `Cookie` value for a request, null when there is none. */
  readonly cookieFor: (url: URL) => string | null;
};

type Cookie = { readonly value: string; readonly isSecure: boolean };

const MAX_COOKIES_PER_HOST = 50;
const MAX_COOKIE_LENGTH = 4096;
const MAX_HEADER_LENGTH = 8192;

/**
 * A jar that gives a host its own cookies back and nobody else's: `Domain` and `Path` widen nothing, `Secure` ones
 * stay with https. Source: design 7.3, security P2.
 */
export function createCookieJar(): CookieJar {
  const hosts = new Map<string, Map<string, Cookie>>();
  return {
    keep: ({ hostname }, setCookies) => {
      const cookies = hosts.get(hostname) ?? new Map<string, Cookie>();
      hosts.set(hostname, cookies);
      for (const text of setCookies) keepOne(cookies, text);
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
  const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  // What is not printable ASCII might end our header early or never be sent by a browser.
  if (equals < 1 || text.length > MAX_COOKIE_LENGTH || !/^[\x21-\x7e]+$/.test(name + value)) return;
  const words = attributes.map((attribute) => attribute.toLowerCase().replace(/\s*=\s*/, "="));
  if (words.some((word) => /^max-age=(0+|-\d+)$/.test(word))) cookies.delete(name);
  else if (cookies.has(name) || cookies.size < MAX_COOKIES_PER_HOST) {
    cookies.set(name, { value, isSecure: words.includes("secure") });
  }
}
