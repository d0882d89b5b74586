import type { AddressEntry } from "./addresses.ts";

/** First address and prefix length, as numbers, of IPv4 ranges that no list of strangers can mean. */
const SPECIAL_V4: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
];

/** The same for IPv6 by the first word: unspecified and loopback, discard, documentation, local, multicast. */
const SPECIAL_V6: readonly (readonly [number, number])[] = [
  [0x00000000, 32],
  [0x01000000, 32],
  [0x20010db8, 32],
  [0x3fff0000, 20],
  [0xfc000000, 7],
  [0xfe800000, 9],
  [0xff000000, 8],
];

/**
 * IPv6 that stands for IPv4, by the first word, and how many bits come before the IPv4 address: 6to4, Teredo (that of the server),
 * NAT64. Single addresses may be listed; the whole is everybody who is translated.
 */
const TRANSLATED: readonly { readonly range: readonly [number, number]; readonly before: number }[] = [
  { range: [0x20020000, 16], before: 16 },
  { range: [0x20010000, 32], before: 32 },
  { range: [0x0064ff9b, 32], before: 96 },
];
const SHORTEST_V4 = 8;

/**
 * Whether an entry of a built-in list must go: it touches a special-purpose range, or is wider than /8 (IPv6
 * /16, and where that stands for IPv4, /8 of it). Source: design 3.4, security P21.
 */
export function isUnfitForBuiltin(entry: AddressEntry): boolean {
  if (entry.family === "asn") return false;
  if (entry.family === "v4") {
    if (entry.prefix < SHORTEST_V4) return true;
    return HOLDS_SPECIAL[entry.value >>> 24] === true && touches(SPECIAL_V4, entry.value, entry.prefix);
  }
  const { words, prefix } = entry;
  if (prefix < 16 || touches(SPECIAL_V6, words[0], Math.min(prefix, 32))) return true;
  return TRANSLATED.some(
    ({ range, before }) =>
      prefix < before + SHORTEST_V4 &&
      touches([range], words[0], Math.min(prefix, 32)) &&
      (before < 96 || (words[1] === 0 && words[2] === 0)),
  );
}

/** Whether two networks of 32 bits overlap is a matter of the shorter prefix. */
function touches(ranges: readonly (readonly [number, number])[], value: number, prefix: number): boolean {
  for (const [start, length] of ranges) {
    if ((value ^ start) >>> (32 - Math.min(prefix, length)) === 0) return true;
  }
  return false;
}

/** By the first number of an IPv4 address, whether a special range is there: none of the others need be compared. */
const HOLDS_SPECIAL = Array.from({ length: 256 }, (_, i) => touches(SPECIAL_V4, i << 24, SHORTEST_V4));
