import { hash as digest } from "node:crypto";
import { type Ip, type Ipv6Words, parseIpv4Value, parseIpv6Words } from "../../targets/ip.ts";

/** What stands before the zone in the question about an address: octets or nibbles, last first. Source: RFC 5782, 2. */
export const reversed = (ip: Ip): string =>
  ip.version === "v4" ? reversedOctets(ip.text) : reversedNibbles(ip.words);

const reversedOctets = (text: string): string => text.split(".").toReversed().join(".");

const reversedNibbles = (words: Ipv6Words): string =>
  [...words.map((word) => word.toString(16).padStart(8, "0")).join("")].toReversed().join(".");

/** Hashes that zones are asked about. */
export const ZONE_HASHES = ["md5", "sha1", "sha256"] as const;
export type ZoneHash = (typeof ZONE_HASHES)[number];

/**
 * A normalised address, name, mailbox or URL as a zone of hashes is asked about it: hexadecimal, and SHA-256 in base32,
 * for its 64 hexadecimal digits are one more than a label may have.
 */
const hashed = (text: string, algorithm: ZoneHash): string =>
  algorithm === "sha256" ? base32(digest(algorithm, text, "buffer")) : digest(algorithm, text, "hex");

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648, 6, in lower case and without padding. */
function base32(octets: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const octet of octets) {
    value = (value << 8) | octet;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((value >>> (bits - 5)) & 31);
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

/** What stands before the zone in the question about a name, or about what is asked by its hash. */
export const nameOrHash = (text: string, algorithm: ZoneHash | null): string =>
  algorithm === null ? text : hashed(text, algorithm);

export type ZoneFamily = "ipv4" | "ipv6" | "name";

/**
 * The same for a test point as the catalogue writes it, or null when it belongs to another family. `::ffff:7f00:2`
 * stays an IPv6 address here: that is how IPv6 lists are tested (RFC 5782, 2.4).
 */
export function testPointName(point: string, family: ZoneFamily, algorithm: ZoneHash | null): string | null {
  const isIpv4 = parseIpv4Value(point) !== null;
  const words = parseIpv6Words(point);
  if (family === "name") return nameOrHash(point.toLowerCase(), algorithm);
  if (family === "ipv4" ? !isIpv4 : words === null) return null;
  if (algorithm !== null) return hashed(point.toLowerCase(), algorithm);
  return words === null ? reversedOctets(point) : reversedNibbles(words);
}
