/** What a label is made of; shown, not scored (design 6.4). */
export type LabelFacts = {
  readonly length: number;
  readonly digits: number;
  readonly hyphens: number;
  /** Shannon entropy of its characters, bits per character, two decimals. */
  readonly entropyBits: number;
};

/** Counts of one label; of a registered name the label before the suffix. */
export function labelFactsOf(label: string): LabelFacts {
  const characters = [...label];
  return {
    length: characters.length,
    digits: characters.filter((character) => character >= "0" && character <= "9").length,
    hyphens: characters.filter((character) => character === "-").length,
    entropyBits: entropyOf(characters),
  };
}

function entropyOf(characters: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / characters.length;
    bits -= share * Math.log2(share);
  }
  return Math.round(bits * 100) / 100 || 0;
}

const MIN_RANDOM_CHARS = 10;
const CONSONANT_RUN = /[bcdfghjklmnpqrstvwxz]{6}/;

/**
 * Whether a label looks drawn at random rather than named: ten characters or more, high entropy, and letters and
 * digits mixed or no vowels for long. Names of word lists pass; design 7.4 (`is_suspicious_domain`).
 */
export function looksRandom(label: string): boolean {
  const { length, digits, entropyBits } = labelFactsOf(label);
  if (length < MIN_RANDOM_CHARS || label.startsWith("xn--") || label.includes("-")) return false;
  if (entropyBits < 3) return false;
  const isMixed = digits >= 3 && /[a-z]\d+[a-z]/.test(label);
  return isMixed || CONSONANT_RUN.test(label);
}
