import { domainToUnicode } from "node:url";
import type { Brand } from "./brands.ts";
import { skeletonOf } from "./skeleton.ts";

/** How a name imitates another (design 6.4). */
type LookalikeKind = "typo" | "combo" | "tld_swap" | "bitsquat";

export type Lookalike = { readonly of: string; readonly kind: LookalikeKind };

/**
 * From how many letters on a brand's label is looked for: one letter away from it (`typo`), as a word between hyphens
 * (`word`), and at an end of such a word (`end`). Shorter labels are in, or near to, too many words; an operator who watches a
 * short name of their own takes that.
 */
const MIN_CHARS = { shipped: { typo: 5, word: 4, end: 6 }, own: { typo: 4, word: 3, end: 4 } } as const;

/**
 * The watched brand that a registered name imitates, or null: the same label under another suffix, one edit away
 * (insertion, deletion, substitution, transposition), one bit away, or the brand's label as a word of a longer one.
 * `label` is the registered label, `name` label and suffix, both as A-labels.
 */
export function lookalikeOf(label: string, name: string, brands: readonly Brand[]): Lookalike | null {
  if (brands.some(({ domains, shared }) => domains.includes(name) || shared.includes(name))) return null;
  const letters = label.startsWith("xn--") ? lettersOf(domainToUnicode(label)) : null;
  for (const brand of brands) {
    const kind = letters === null ? kindOf(label, brand) : kindOfLetters(letters, brand);
    if (kind !== null) return { of: brand.domain, kind };
  }
  return null;
}

/** What a reader takes a label for: its skeleton without marks, because `ị` and `ø` are not seen as other letters than `i` and `o`. */
const lettersOf = (unicode: string): string => skeletonOf(unicode).normalize("NFD").replace(/\p{M}/gu, "");

/** Of a label with letters beyond ASCII: the brand with marks, or one letter that no table has as its double, is a typo of it. */
function kindOfLetters(letters: string, brand: Brand): LookalikeKind | null {
  const original = lettersOf(brand.label);
  if (brand.nearWords.includes(letters)) return null;
  const isLongEnough = brand.label.length >= minCharsOf(brand).typo;
  if (isLongEnough && (letters === original || isOneEditAway(letters, original))) return "typo";
  return isCombo(letters, original, brand) ? "combo" : null;
}

function kindOf(label: string, brand: Brand): LookalikeKind | null {
  const { label: original, nearWords } = brand;
  if (label === original) return "tld_swap";
  if (nearWords.includes(label)) return null;
  const isLongEnough = original.length >= minCharsOf(brand).typo;
  if (isLongEnough && isOneBitAway(label, original)) return "bitsquat";
  if (isLongEnough && isOneEditAway(label, original)) return "typo";
  return isCombo(label, original, brand) ? "combo" : null;
}

const minCharsOf = ({ isOwn }: Brand) => (isOwn ? MIN_CHARS.own : MIN_CHARS.shipped);

/** The brand as a word between hyphens, or, where it is long enough to be no part of a word, at an end of one. */
function isCombo(label: string, original: string, brand: Brand): boolean {
  const { word, end } = minCharsOf(brand);
  const words = label.split("-");
  if (brand.label.length >= word && words.includes(original)) return true;
  return brand.label.length >= end && words.some((one) => one.startsWith(original) || one.endsWith(original));
}

/** Whether two texts of equal length differ in one bit of one character: what a memory fault makes of a name. */
export function isOneBitAway(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let bits = 0;
  for (let i = 0; i < one.length; i++) {
    let difference = one.charCodeAt(i) ^ other.charCodeAt(i);
    for (; difference !== 0; difference &= difference - 1) bits++;
    if (bits > 1) return false;
  }
  return bits === 1;
}

/** Whether one insertion, deletion, substitution or swap of neighbours makes one text of the other. Linear. */
export function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || one === other) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
