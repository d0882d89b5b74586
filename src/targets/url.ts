import { InvalidValue } from "../base/failure.ts";
import { type Domain, parseDomain } from "./domain.ts";
import { type Ip, readIp } from "./ip.ts";
import { refang } from "./recognise.ts";

/** The host of a URL: an address, or a name. */
export type UrlHost =
  | { readonly kind: "ip"; readonly ip: Ip }
  | { readonly kind: "domain"; readonly domain: Domain };

/** A URL of the web. Comes only from this file. */
export type WebUrl = {
  /** The one spelling under which URLs are compared and shown: `canonicalUrlOf`. */
  readonly text: string;
  /** As the WHATWG standard reads it, user information and fragment still inside: not to be shown as it is. */
  readonly url: URL;
  readonly host: UrlHost;
};

/** Characters. Source: design 2. */
const MAX_URL_LENGTH = 4096;

/**
 * The URL that a caller wrote: blanks around it dropped, defanged spelling undone, parsed as the WHATWG standard
 * does. Refuses (InvalidValue) more than 4,096 characters, other schemes and none, hosts that are neither a name nor
 * an address; a name of one label is one, and ends in the guard. Source: design 2, 7.5.
 */
export function parseUrl(input: string): WebUrl {
  const trimmed = input.trim();
  if (trimmed === "") throw new InvalidValue("empty", "A URL is wanted, not an empty text");
  if (trimmed.length > MAX_URL_LENGTH) {
    throw new InvalidValue("too_long", `A URL has at most ${MAX_URL_LENGTH} characters`);
  }
  const url = readUrl(refang(trimmed));
  return { text: canonicalUrlOf(url), url, host: hostOf(url) };
}

const WEB = new Set(["http:", "https:"]);
/** Tabs and line ends inside a scheme are nothing to the standard. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && WEB.has(url.protocol)) return url;
  const bare = text.replace(/[\t\n\r]/g, "");
  if (/^https?:/i.test(bare)) throw new InvalidValue("invalid_host", hostFaultIn(bare));
  if (!SCHEME.test(bare) || isHostPort(bare)) {
    throw new InvalidValue("no_scheme", "A whole URL is wanted, with http:// or https://");
  }
  throw new InvalidValue("scheme", "Only http:// and https:// URLs are looked up");
}

/** What is wrong between the scheme and the path of a URL that cannot be read. */
function hostFaultIn(bare: string): string {
  const authority =
    bare
      .slice(bare.indexOf(":") + 1)
      .replace(/^[/\\]+/, "")
      .split(/[/\\?#]/, 1)[0] ?? "";
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  const colon = place.lastIndexOf(":");
  const isOpen = place.startsWith("[") && !place.includes("]");
  const port = colon > place.lastIndexOf("]") && !isOpen ? place.slice(colon + 1) : "";
  if (place === "" || colon === 0) return "This URL names no host";
  const isPort = port === "" || (/^\d+$/.test(port) && Number(port) <= 65_535);
  return isPort
    ? "The host of this URL is not a valid name or address"
    : "The port of this URL is not a number from 0 to 65535";
}

/** `bad.example:8080/x` looks as if it had the scheme `bad.example`. */
export const isHostPort = (text: string): boolean => /^[^/:]+:\d{1,5}(?:[/?#]|$)/.test(text);

/** Name or address of a host, without brackets. */
export const hostText = (host: UrlHost): string => (host.kind === "ip" ? host.ip.text : host.domain.name);

/** The host of a parsed http(s) URL. Throws InvalidValue where that is no name. */
export function hostOf({ hostname }: URL): UrlHost {
  const ip = readIp(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (ip !== null) return { kind: "ip", ip };
  try {
    return { kind: "domain", domain: parseDomain(hostname, { singleLabel: true }) };
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new InvalidValue("invalid_host", `The host is not a valid name: ${error.message}`);
  }
}

const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * The one spelling under which URLs are compared: no fragment, no default port, no user information, no final dot of
 * the host, an IPv4 address inside an IPv6 one (`[::ffff:7f00:1]`) as itself (design 5.1), percent-encoding canonical (RFC 3986 6.2.2: upper-case digits, unreserved characters plain). Source: design 3.3.
 */
export function canonicalUrlOf({ protocol, hostname, port, pathname, search }: URL): string {
  const host = `${hostname.startsWith("[") ? addressOf(hostname) : hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`;
  return `${protocol}//${host}${canonicalPercent(pathname)}${canonicalPercent(search)}`;
}

/** As it stands between the slashes of a URL. */
function addressOf(hostname: string): string {
  const ip = readIp(hostname.slice(1, -1));
  return ip?.version === "v4" ? ip.text : hostname;
}

/** `%41` to the character of its octet. */
const characterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const ESCAPE = /%([0-9a-f]{2})/gi;

const canonicalPercent = (text: string): string =>
  text.replace(ESCAPE, (escaped, hex: string) => {
    const character = characterOf(hex);
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });

/** Percent-encoding undone, octet by octet (Latin-1): what is no escape stays. */
export const decodePercent = (text: string): string =>
  text.replace(ESCAPE, (_, hex: string) => characterOf(hex));
