import { isUtf8 } from "node:buffer";

/** What a screen obeys or hides instead of showing it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `\000` to `\255`. */
const ESCAPES = Array.from({ length: 256 }, (_, octet) => `\\${String(octet).padStart(3, "0")}`);

/**
 * Octets from outside as text: UTF-8 as it is, a backslash included, and `\DDD` for each octet that is no UTF-8 or
 * belongs to a control or format character. One pass. Source: RFC 1035 5.1, design 8.2, security P5.
 */
export function safeText(octets: Buffer): string {
  if (isUtf8(octets)) return shown(octets);
  let text = "";
  let start = 0;
  for (let at = 0; at < octets.length; ) {
    const length = characterLength(octets, at);
    if (length === 0) {
      if (at > start) text += shown(octets.subarray(start, at));
      text += ESCAPES[octets[at] ?? 0];
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  return text + shown(octets.subarray(start));
}

const shown = (utf8: Buffer): string => utf8.toString().replace(UNSEEN, escaped);

/** By character: Unicode has a few hundred of them. */
const escapedCharacters = new Map<string, string>();

function escaped(character: string): string {
  const known = escapedCharacters.get(character);
  if (known !== undefined) return known;
  const text = Array.from(Buffer.from(character), (octet) => ESCAPES[octet]).join("");
  escapedCharacters.set(character, text);
  return text;
}

/** Where the second octet has narrower bounds: overlong forms, surrogates, beyond U+10FFFF. */
const SECOND_OCTETS: ReadonlyMap<number, readonly [least: number, most: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

/** Octets of the UTF-8 character that starts here; 0 where none does. Source: RFC 3629, 4. */
function characterLength(octets: Buffer, start: number): number {
  const first = octets[start] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const [least, most] = SECOND_OCTETS.get(first) ?? [0x80, 0xbf];
  for (let at = start + 1; at < start + length; at++) {
    const octet = octets[at] ?? 0;
    const isInBounds = at === start + 1 ? octet >= least && octet <= most : octet >> 6 === 2;
    if (!isInBounds) return 0;
  }
  return length;
}
