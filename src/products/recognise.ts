import { InvalidValue } from "../base/failure.ts";
import { parseDomain } from "../targets/domain.ts";
import { parseIp } from "../targets/ip.ts";
import { recognise, type TargetKind } from "../targets/recognise.ts";
import { parseUrl } from "../targets/url.ts";
import { PRODUCTS } from "./all.ts";
import type { SealedProduct } from "./product.ts";

/** A recognised text: its kind, the product that takes it first, and the value to give it. */
export type RecognisedTarget = {
  readonly kind: TargetKind;
  readonly product: SealedProduct;
  readonly value: string;
};

/** The one spelling of a text, where it has one before its product reads it. */
const READERS: Readonly<Partial<Record<TargetKind, (text: string) => string>>> = {
  ip: (text) => parseIp(text).text,
  url: (text) => parseUrl(text).text,
  domain: (text) => parseDomain(text).name,
};

/**
 * The product for a pasted text, and the value to give it. Throws InvalidValue where the text is nothing that a product
 * takes, or where the parser of its kind refuses it.
 */
export function recogniseTarget(input: string): RecognisedTarget {
  const found = recognise(input);
  const product = PRODUCTS.find(({ page }) => found !== null && page.takes.includes(found.kind));
  if (found === null || product === undefined) {
    throw new InvalidValue(
      "not_recognised",
      "This is not an address, network, name, URL, e-mail address or AS number",
    );
  }
  const { kind, text } = found;
  return { kind, product, value: READERS[kind]?.(text) ?? text };
}
