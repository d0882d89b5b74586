/**
 * Takes keys (their 12-character prefix stays), the payment provider's secrets and passwords in URLs out of any text.
 * Source: security P12.
 */
export function scrub(text: string): string {
  return text
    .replace(/rpt_[0-9A-Za-z]{9,}/g, (key) => key.slice(0, 12))
    .replace(/\b(sk|rk|whsec)_[\w*]{6,}/g, "$1_***")
    .replace(/(:\/\/[^\s:/@"]*):[^\s@"/]+@/g, "$1:***@");
}

/**
 * A text of others as answers and terminals show it: without control characters but tab and line feed, without format
 * characters (direction controls, zero-width characters) and without Unicode's line and paragraph separators. Cut it
 * first: the whole text is read. Source: security P5.
 */
export const printable = (text: string): string => text.replace(UNSEEN, "");

const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON text that is safe on a terminal: what `printable` takes out is escaped in it, so that the value stays the same. */
export const printableJson = (json: string): string =>
  json.replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** The same as one line: blanks, tabs and line ends become single blanks. */
export const printableLine = (text: string): string =>
  printable(text.replace(/\s+/g, " ")).replace(/ +/g, " ").trim();
