/** Character sets that WHOIS servers still send, as the Encoding Standard names them. */
export type LegacyCharset =
  | "big5"
  | "euc-jp"
  | "euc-kr"
  | "gb18030"
  | "iso-8859-2"
  | "koi8-r"
  | "koi8-u"
  | "shift_jis"
  | "windows-1251"
  | "windows-1254"
  | "windows-874";

/** Sets of the Latin script: text of Western Europe cannot be told from theirs. */
const LATIN: ReadonlySet<LegacyCharset> = new Set(["iso-8859-2", "windows-1254"]);

/**
 * The text of a WHOIS answer; RFC 3912 names no character set. In this order: ISO-2022-JP, known by its escapes; UTF-8,
 * known by its validity; the first of the registry's `known` sets that the octets fit; windows-1252 where that gives
 * letters; GB 18030 where all high octets come in pairs; windows-1252. Never throws: what cannot be decoded becomes U+FFFD.
 */
export function decodeWhoisText(bytes: Uint8Array, known: readonly LegacyCharset[]): string {
  if (hasJapaneseEscape(bytes)) return new TextDecoder("iso-2022-jp").decode(bytes);
  const utf8 = decodeStrictly(bytes, "utf-8");
  if (utf8 !== null) return utf8;
  const western = new TextDecoder("windows-1252").decode(bytes);
  const isWestern = isWesternText(western);
  for (const charset of known) {
    const text = isWestern && !LATIN.has(charset) ? null : decodeStrictly(bytes, charset);
    // Control characters stand for octets that the set has no character for.
    if (text !== null && !/[\u0080-\u009f]/.test(text)) return text;
  }
  if (!hasOddSigns(western) || !isInPairs(bytes)) return western;
  return new TextDecoder("gb18030").decode(bytes);
}

function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/** `ESC $ @`, `ESC $ B`: RFC 1468's shift to two-byte characters. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return true;
  }
  return false;
}

/** Letters and the signs that people put between them: dashes, quotation marks, `©`, `°`, `§`. */
const hasOddSigns = (text: string): boolean =>
  /[^\p{ASCII}\p{L}\u00a0\u00a7\u00a9\u00ab\u00ae\u00b0\u00b4\u00b7\u00bb\u2013-\u2026\u20ac\u2122]/u.test(
    text,
  );

/**
 * Whether text decoded as windows-1252 is Western: every accented letter stands in a word with plain ones, two in a row at
 * most (`Société`, `Müßig`). Octets of another script form whole words.
 */
function isWesternText(text: string): boolean {
  if (hasOddSigns(text)) return false;
  for (const [word] of text.matchAll(/[\p{L}]+/gu)) {
    if (/\P{ASCII}{3}|^\P{ASCII}+$/u.test(word)) return false;
  }
  return true;
}

/** East Asian sets write two bytes from A1 up for a character; accents of Latin-1 stand alone among letters. */
function isInPairs(bytes: Uint8Array): boolean {
  let run = 0;
  for (const byte of bytes) {
    if (byte >= 0xa1) run++;
    else if (byte >= 0x80 || run % 2 === 1) return false;
    else run = 0;
  }
  return run % 2 === 0;
}
