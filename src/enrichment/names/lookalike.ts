import type { Brand } from "./brands.ts";

/** How a name imitates another (design 6.4). */
export type LookalikeKind = "typo" | "combo" | "tld_swap" | "bitsquat";

export type Lookalike = { readonly of: string; readonly kind: LookalikeKind };

/** Shorter labels are one letter away from too many words. */
const MIN_TYPO_CHARS = 5;
const MIN_COMBO_CHARS = 4;

/**
 * The watched brand that a registered name imitates, or null: the same label under another suffix, one edit away
 * (insertion, deletion, substitution, transposition), one bit away, or the brand's label as a word of a longer one.
 * `label` is the registered label, `name` label and suffix, both as A-labels.
 */
export function lookalikeOf(label: string, name: string, brands: readonly Brand[]): Lookalike | null {
  if (brands.some(({ domains }) => domains.includes(name))) return null;
  for (const brand of brands) {
    const kind = kindOf(label, brand);
    if (kind !== null) return { of: brand.domain, kind };
  }
  return null;
}

function kindOf(label: string, { label: original }: Brand): LookalikeKind | null {
  if (label === original) return "tld_swap";
  if (original.length >= MIN_TYPO_CHARS && isOneBitAway(label, original)) return "bitsquat";
  if (original.length >= MIN_TYPO_CHARS && isOneEditAway(label, original)) return "typo";
  return isCombo(label, original) ? "combo" : null;
}

/** The brand as a word between hyphens, or, where it is long enough to be no part of a word, at an end. */
function isCombo(label: string, original: string): boolean {
  if (original.length < MIN_COMBO_CHARS) return false;
  if (label.split("-").includes(original)) return true;
  return original.length > MIN_TYPO_CHARS && (label.startsWith(original) || label.endsWith(original));
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
