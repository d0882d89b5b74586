import type { ProductWord } from "./products.ts";

/** What a text looks like. `words` are the products that take it, the likeliest first. */
export type Recognised = { readonly kind: string; readonly words: readonly ProductWord[] };

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/;
const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?$/i;
const ASN = /^as ?\d{1,10}$/i;
const NETWORK = /^[0-9a-f.:]+\/\d{1,3}$/i;
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i;
const HOST_AND_PATH = /^[^\s/@.]+\.[^\s/@]+\/\S*$/;
/** The longest of all, a URL. */
const MAX_LENGTH = 4096;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
// No top-level domain is a number: "256.1.1.1" is an address with a fault, not a name.
const NAME = /^(?=.{1,253}$)[^\s/@:]+\.(?!\d+\.?$)[^\s/@:.]{2,}\.?$/u;

/** Recognises what somebody typed, loosely: the service judges for good. Null for what looks like nothing. */
export function recognise(text: string): Recognised | null {
  const value = text.trim();
  if (value.length > MAX_LENGTH) return null;
  if (IPV4.test(value) || IPV6.test(value)) return { kind: "IP address", words: ["ip", "whois"] };
  if (ASN.test(value)) return { kind: "AS number", words: ["whois"] };
  if (NETWORK.test(value)) return { kind: "network", words: ["whois"] };
  if (URL_LIKE.test(value) || HOST_AND_PATH.test(value)) return { kind: "URL", words: ["url"] };
  if (EMAIL.test(value)) return { kind: "e-mail address", words: ["email"] };
  if (NAME.test(value)) return { kind: "domain name", words: ["domain", "dns", "whois"] };
  return null;
}

/** Whether a product would plausibly take this text. */
export function fits(word: ProductWord, text: string): boolean {
  return recognise(text)?.words.includes(word) ?? false;
}
