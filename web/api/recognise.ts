import type { ProductWord } from "./products.ts";
import { recognise as recogniseTarget, type TargetKind } from "./recognise.gen.ts";

/** What a text looks like. `words` are the products that take it, the likeliest first; `text` is what to send. */
export type Recognised = {
  readonly kind: string;
  readonly words: readonly ProductWord[];
  readonly text: string;
};

const KINDS: Readonly<Record<TargetKind, Pick<Recognised, "kind" | "words">>> = {
  ip: { kind: "IP address", words: ["ip", "whois"] },
  network: { kind: "network", words: ["whois"] },
  asn: { kind: "AS number", words: ["whois"] },
  url: { kind: "URL", words: ["url"] },
  email: { kind: "e-mail address", words: ["email"] },
  domain: { kind: "domain name", words: ["domain", "dns", "whois"] },
};

/** Recognises the typed text, as the service does, which judges for good. Null for what looks like nothing. */
export function recognise(text: string): Recognised | null {
  const found = recogniseTarget(text);
  return found === null ? null : { ...KINDS[found.kind], text: found.text };
}

/** The text to send to a product, or null where it would not take it. */
export function valueFor(word: ProductWord, text: string): string | null {
  const found = recognise(text);
  return found?.words.includes(word) ? found.text : null;
}

/** Whether a product would plausibly take this text. */
export const fits = (word: ProductWord, text: string): boolean => valueFor(word, text) !== null;
