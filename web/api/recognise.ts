import { PRODUCTS } from "./products.gen.ts";
import type { ProductForm, ProductWord } from "./products.ts";
import { recognise as recogniseTarget, type TargetKind } from "./recognise.gen.ts";

/** What a text looks like. `words` are the products that take it, the likeliest first; `text` is what to send. */
type Recognised = {
  readonly kind: string;
  readonly words: readonly ProductWord[];
  readonly text: string;
};

const KINDS: Readonly<Record<TargetKind, string>> = {
  ip: "IP address",
  network: "network",
  asn: "AS number",
  url: "URL",
  email: "e-mail address",
  domain: "domain name",
};

type TakerOf<Kind extends TargetKind, P extends ProductForm = ProductForm> = P extends unknown
  ? Kind extends P["takes"][number]
    ? P
    : never
  : never;

/** The products that take a kind of text, the likeliest first. */
export const takersOf = <Kind extends TargetKind>(kind: Kind): readonly TakerOf<Kind>[] =>
  PRODUCTS.filter((product): product is TakerOf<Kind> => product.takes.some((taken) => taken === kind));

/** Recognises the typed text, as the service does, which judges for good. Null for what looks like nothing. */
export function recognise(text: string): Recognised | null {
  const found = recogniseTarget(text);
  if (found === null) return null;
  const words = takersOf(found.kind).map(({ word }) => word);
  return { kind: KINDS[found.kind], words, text: found.text };
}

/** The text to send to a product, or null where it would not take it. */
export function valueFor(word: ProductWord, text: string): string | null {
  const found = recognise(text);
  return found?.words.includes(word) ? found.text : null;
}

/** Whether a product would plausibly take this text. */
export const fits = (word: ProductWord, text: string): boolean => valueFor(word, text) !== null;
