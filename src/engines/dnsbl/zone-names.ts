import { type Ip, type Ipv6Words, parseIpv4Value, parseIpv6Words } from "../../targets/ip.ts";

/** What stands before the zone in the question about an address: octets or nibbles, last first. Source: RFC 5782, 2. */
export const reversed = (ip: Ip): string =>
  ip.version === "v4" ? reversedOctets(ip.text) : reversedNibbles(ip.words);

const reversedOctets = (text: string): string => text.split(".").toReversed().join(".");

const reversedNibbles = (words: Ipv6Words): string =>
  [...words.map((word) => word.toString(16).padStart(8, "0")).join("")].toReversed().join(".");

export type ZoneFamily = "ipv4" | "ipv6" | "name";

/**
 * The same for a test point as the catalogue writes it, or null when it belongs to another family. `::ffff:7f00:2`
 * stays an IPv6 address here: that is how IPv6 lists are tested (RFC 5782, 2.4).
 */
export function testPointName(point: string, family: ZoneFamily): string | null {
  const isIpv4 = parseIpv4Value(point) !== null;
  const words = parseIpv6Words(point);
  if (family === "name") return point.toLowerCase();
  if (family === "ipv4") return isIpv4 ? reversedOctets(point) : null;
  return words === null ? null : reversedNibbles(words);
}
