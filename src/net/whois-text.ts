/** Character sets that WHOIS servers still send, as the Encoding Standard names them. */
export type LegacyCharset =
  | "big5"
  | "euc-kr"
  | "gb18030"
  | "iso-8859-2"
  | "koi8-r"
  | "shift_jis"
  | "windows-1252"
  | "windows-1254";

/**
 * The text of a WHOIS answer; RFC 3912 names no character set. ISO-2022-JP is known by its escapes, UTF-8 by its
 * validity, all else is `legacy`, and without one GB 18030 where all high bytes come in pairs, otherwise Latin-1. Never
 * throws: what cannot be decoded becomes U+FFFD.
 */
export function decodeWhoisText(bytes: Uint8Array, legacy: LegacyCharset | null): string {
  if (hasJapaneseEscape(bytes)) return new TextDecoder("iso-2022-jp").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder(legacy ?? (isInPairs(bytes) ? "gb18030" : "windows-1252")).decode(bytes);
  }
}

/** `ESC $ @`, `ESC $ B`: RFC 1468's shift to two-byte characters. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return true;
  }
  return false;
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
