import { formatIpv6, type Ip, ipv6Of } from "../targets/ip.ts";

/**
 * Who counts as one client of the free tools: an IPv4 address, or an IPv6 /64, since one subscriber has all of it.
 * Mapped IPv6 is its IPv4 address. Source: design 12.
 */
export function clientBucket(address: Ip): string {
  if (address.version === "v4") return address.text;
  const { words } = address;
  const inner = ipv6Of(words);
  return inner.version === "v4" ? inner.text : `${formatIpv6([words[0], words[1], 0, 0])}/64`;
}
