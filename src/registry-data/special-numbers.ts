import { MAX_ASN } from "../targets/asn.ts";
import type { Cidr } from "../targets/cidr.ts";
import { type Ip, ipv4Of, ipv6Of } from "../targets/ip.ts";
import { specialPurposeOf } from "../targets/special-purpose.ts";

/** Whether a whole network is special-purpose or reserved (design 5.1), 6to4, Teredo and NAT64 included. */
export function isSpecialNetwork(cidr: Cidr): boolean {
  const first = blockOf(cidr.network);
  return first !== null && first === blockOf(lastAddressOf(cidr));
}

/** The block that an address is set aside with; ranges with nothing ordinary between them are one. Null: ordinary. */
function blockOf(ip: Ip): string | null {
  const name = specialPurposeOf(ip)?.name ?? null;
  if (name === null) return null;
  if (ip.version === "v4") return ip.value >= 0xe0000000 ? "from 224.0.0.0" : name;
  const [first] = ip.words;
  if (first >>> 29 !== 1) return first >>> 29 === 0 ? "below 2000::/3" : "above 2000::/3";
  return first >>> 9 === 0x20010000 >>> 9 ? "2001::/23" : name;
}

function lastAddressOf({ network, prefix }: Cidr): Ip {
  if (network.version === "v4") return ipv4Of((network.value | hostBits(prefix)) >>> 0);
  const word = (i: 0 | 1 | 2 | 3) => (network.words[i] | hostBits(prefix - 32 * i)) >>> 0;
  return ipv6Of([word(0), word(1), word(2), word(3)]);
}

/** The bits of a 32-bit word beyond the first `prefix`. */
const hostBits = (prefix: number): number =>
  prefix >= 32 ? 0 : prefix <= 0 ? 0xffffffff : 0xffffffff >>> prefix;

/** First and last AS numbers that cannot be assigned. Source: IANA's special-purpose AS numbers; RFC 6996, 5398, 7300. */
const RESERVED_ASNS: readonly (readonly [number, number])[] = [
  [0, 0],
  [23_456, 23_456],
  [64_496, 131_071],
  [4_200_000_000, MAX_ASN],
];

/** Whether an AS number is for documentation, private use or protocols. */
export const isReservedAsn = (number: number): boolean =>
  RESERVED_ASNS.some(([first, last]) => first <= number && number <= last);
