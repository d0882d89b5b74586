import { InvalidValue } from "../base/failure.ts";
import { parseDomain } from "../targets/domain.ts";
import { parseIp } from "../targets/ip.ts";
import { recognise, type TargetKind } from "../targets/recognise.ts";
import { parseUrl } from "../targets/url.ts";

/** The word of the product that takes a recognised text first. */
export type RecognisedWord = "ip" | "domain" | "url" | "email" | "whois";

const READERS: Readonly<Record<TargetKind, { word: RecognisedWord; readText: (text: string) => string }>> = {
  ip: { word: "ip", readText: (text) => parseIp(text).text },
  network: { word: "whois", readText: (text) => text },
  asn: { word: "whois", readText: (text) => text },
  url: { word: "url", readText: (text) => parseUrl(text).text },
  email: { word: "email", readText: (text) => text },
  domain: { word: "domain", readText: (text) => parseDomain(text).name },
};

/**
 * The product for a pasted text, and the value to give it. Throws InvalidValue where the text is nothing that a product
 * takes, or where the parser of its kind refuses it.
 */
export function recogniseTarget(input: string): { readonly word: RecognisedWord; readonly value: string } {
  const found = recognise(input);
  if (found === null) {
    throw new InvalidValue(
      "not_recognised",
      "This is no address, network, name, URL, e-mail address or AS number",
    );
  }
  const { word, readText } = READERS[found.kind];
  return { word, value: readText(found.text) };
}
