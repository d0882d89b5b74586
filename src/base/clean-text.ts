let hidden: readonly string[] = [];

/**
 * Publishers' keys that no text of this process may hold: a publisher or a resolver may repeat them in what it says. From
 * now on, also base64 and percent-encoded, as URLs and headers carry them.
 */
export function hideInTexts(secrets: readonly string[]): void {
  const forms = secrets.flatMap((text) => [
    text,
    Buffer.from(text).toString("base64"),
    encodeURIComponent(text),
    // In JSON, and as a label of a zone's name.
    JSON.stringify(text).slice(1, -1),
    text.toLowerCase(),
  ]);
  hidden = [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** A text with `***` in place of every publisher's key. */
export const withoutHidden = (text: string): string =>
  hidden.reduce((clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, "***") : clean), text);

/**
 * Takes keys and access tokens (their 12-character prefix stays), the payment provider's secrets and passwords in URLs out of any text.
 * Source: security P12.
 */
export function scrub(text: string): string {
  return withoutHidden(text)
    .replace(/rp[tx]_[0-9A-Za-z]{9,}/g, (key) => key.slice(0, 12))
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
  // Most answers are plain, and this says so several times faster.
  BEYOND_PLAIN.test(json) ? json.replace(UNSEEN, escaped) : json;

const BEYOND_PLAIN = /[^ -~\n]/;

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");

/** The same as one line: blanks, tabs and line ends become single blanks. */
export const printableLine = (text: string): string =>
  printable(text.replace(/\s+/g, " ")).replace(/ +/g, " ").trim();
