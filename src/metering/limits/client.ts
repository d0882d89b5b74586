import { formatIpv6, type Ip, ipv6Of } from "../../targets/ip.ts";

/**
 * Who counts as one client of the free tools: an IPv4 address, or an IPv6 /64, since one subscriber has all of it.
 * Mapped IPv6 is its IPv4 address. Source: design 12.
 */
export const clientBucket = (address: Ip): string => networkOf(address, 64);

/** The network that a client may choose its bucket in: an IPv6 /48 goes to one site; of IPv4 the address itself. */
export const clientNetwork = (address: Ip): string => networkOf(address, 48);

function networkOf(address: Ip, length: 48 | 64): string {
  if (address.version === "v4") return address.text;
  const { words } = address;
  const inner = ipv6Of(words);
  if (inner.version === "v4") return inner.text;
  const second = length === 64 ? words[1] : (words[1] & 0xff_ff_00_00) >>> 0;
  return `${formatIpv6([words[0], second, 0, 0])}/${length}`;
}
