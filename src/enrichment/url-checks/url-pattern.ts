import { type Brand, loadBrandOwnership } from "../domain-names/brands.ts";
import { registeredOf } from "../page/links.ts";
import {
  asksForAccount,
  hasOwnLabel,
  isCommonWord,
  isIdentityProvider,
  isKnownSite,
  wordsOf,
} from "./brand-names.ts";
import type { UrlEvidence } from "./evidence.ts";

/** Names of services that honest sites connect to, as labels too: `google.shop.example`. */
const CONNECTED = new Set("amazon apple binance gmail google telegram twitter whatsapp yahoo".split(" "));

/** The sentence that says what is suspicious in a URL's spelling, or null. Source: design 7.4 `is_suspicious_url_pattern`. */
export function suspiciousPatternOf(evidence: UrlEvidence): string | null {
  const { url, host, brands } = evidence;
  if (isKnownSite(url.hostname, evidence)) return null;
  if (/\/\/|https?(?::|%3a)(?:\/|%2f)/i.test(url.pathname)) return "The path holds a second address";
  const below = host.kind === "domain" ? labelsBelow(url.hostname) : [];
  const path = url.pathname.split("/", 32);
  if (isDeliveryName(url.hostname)) return null;
  const brand = brands.find(
    (one) =>
      !hasOwnLabel(evidence, one) &&
      (isNamedBelow(below, path, one) ||
        (host.kind === "ip" && isNamedInPath(path, one)) ||
        isNamedByLogin(path, one)),
  );
  return brand ? `Names ${brand.domain}, to which it does not belong` : null;
}

/** A delivery network names its customers below its suffix: `www.paypal.com.edgekey.net`. */
const isDeliveryName = (hostname: string): boolean =>
  loadBrandOwnership().deliverySuffixes.some((suffix) => hostname.endsWith(`.${suffix}`));

/** Labels below the registered domain; no browser or reader minds them. */
function labelsBelow(hostname: string): readonly string[] {
  const registered = registeredOf(hostname);
  return hostname.slice(0, Math.max(0, hostname.length - registered.length - 1)).split(".");
}

/** `paypal.com.login.example`, `paypal.login.example`, `paypal-secure.login.example`; of a common word with more of it. */
function isNamedBelow(below: readonly string[], path: readonly string[], brand: Brand): boolean {
  if (`-${below.join("-")}-`.includes(`-${brand.domain.replaceAll(".", "-")}-`)) return true;
  const words = below.flatMap(wordsOf);
  if (!words.includes(brand.label)) return false;
  return (
    !(isCommonWord(brand) || CONNECTED.has(brand.label)) ||
    asksForAccount([...words, ...wordsOf(path.at(-1) ?? "")])
  );
}

/** `http://203.0.113.7/paypal/login.php`: an address has no name that could be the brand's. */
const isNamedInPath = (path: readonly string[], { label }: Brand): boolean =>
  path.some((segment) => wordsOf(segment).includes(label)) && asksForAccount(path.flatMap(wordsOf));

/** `/paypal.com/login`, `/wellsfargo/verify.php`; not the way in by another's account, and not words of a sentence. */
function isNamedByLogin(path: readonly string[], brand: Brand): boolean {
  const { label, domain } = brand;
  const last = wordsOf(path.at(-1) || path.at(-2) || "");
  if (last.length > 3 || !asksForAccount(last)) return false;
  const isWhole = !isIdentityProvider(brand) && !isCommonWord(brand) && path.includes(label);
  return path.includes(domain) || path.includes(`www.${domain}`) || isWhole;
}
