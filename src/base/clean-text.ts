let secretsHidden: readonly string[] = [];
let hidden: readonly string[] = [];

/** A secret in each form in which a text may carry it: also base64 of both alphabets, percent-encoded and inside JSON. */
export const formsOf = (secret: string): readonly string[] => [
  ...new Set([
    secret,
    // Without its padding, which some leave out.
    Buffer.from(secret)
      .toString("base64")
      .replace(/={1,2}$/, ""),
    Buffer.from(secret).toString("base64url"),
    Buffer.from(secret).toString("hex"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // As a label of a zone's name.
    secret.toLowerCase(),
  ]),
];

/**
 * Publishers' keys that no text of this process may hold from now on, in any form: a publisher or a resolver may repeat them
 * in what it says.
 */
export function hideInTexts(secrets: readonly string[]): void {
  secretsHidden = secrets;
  hidden = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
}

/** What `hideInTexts` was told, for a child process that has to hide it too. */
export const hiddenSecrets = (): readonly string[] => secretsHidden;

/** A text with `***` in place of every publisher's key. */
export const withoutHidden = (text: string): string =>
  hidden.reduce((clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, "***") : clean), text);

/** The same of octets, which need not be text. */
export function octetsWithoutHidden(bytes: Uint8Array): Uint8Array {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hidden.some((secret) => octets.includes(secret))) return bytes;
  return Buffer.from(withoutHidden(octets.toString("latin1")), "latin1");
}

/**
 * Takes keys and access tokens (their 12-character prefix stays), the payment provider's secrets, passwords in URLs and the tokens of
 * mailed links, which a mail server may repeat as they stand in the mail, quoted-printable or percent-encoded, out of any text.
 * Source: security P12.
 */
export function scrub(text: string): string {
  return withoutHidden(text)
    .replace(/rp[tx]_[0-9A-Za-z]{9,}/g, (key) => key.slice(0, 12))
    .replace(/\b(sk|rk|whsec)_[\w*]{6,}/g, "$1_***")
    .replace(/(:\/\/[^\s:/@"]*):[^\s@"/]+@/g, "$1:***@")
    .replace(/((?:#|%23)token(?:=3D|=|%3D))[\w-]+/gi, "$1***");
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
