import { InvalidValue } from "../base/failure.ts";
import { type Ip, type Ipv6Words, ipv4Of, ipv6Of, parseIpv4Value, parseIpv6Words, readIp } from "./ip.ts";

/** A network in its one spelling: `198.51.100.0/24`, `2001:db8::/32`. */
export type Cidr = {
  readonly version: "v4" | "v6";
  /** First address; its host bits are zero. */
  readonly network: Ip;
  /** Length in bits: 0–32 or 0–128. */
  readonly prefix: number;
  readonly text: string;
};

/**
 * One network, as an operator or a registry writes it; a single address is its /32 or /128. A network
 * inside `::ffff:0:0/96` comes out as IPv4. Refuses (InvalidValue) host bits set, lengths with leading
 * zeros or out of range, net masks, zone ids and everything that `parseIp` refuses.
 */
export function parseCidr(text: string): Cidr {
  const cidr = readCidr(text);
  if (cidr !== null) return cidr;
  if (readCidr(text, { hostBits: "drop" }) !== null) {
    throw new InvalidValue("host_bits", "This network has bits set beyond its prefix length");
  }
  throw new InvalidValue("invalid_cidr", "This is not a network such as 198.51.100.0/24 or 2001:db8::/32");
}

/** As `parseCidr`, but null in place of a refusal; `hostBits: "drop"` takes `10.1.2.3/8` as `10.0.0.0/8`. */
export function readCidr(
  text: string,
  { hostBits = "refuse" }: { hostBits?: "refuse" | "drop" } = {},
): Cidr | null {
  const slash = text.indexOf("/");
  if (slash < 0) return readAddress(text);
  const length = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const address = text.slice(0, slash);
  const prefix = Number(length);
  const network = address.includes(":") ? maskedIpv6(address, prefix) : maskedIpv4(address, prefix);
  if (network === null || (network.hostBitsSet && hostBits === "refuse")) return null;
  return network.cidr;
}

const cidrOf = (network: Ip, prefix: number): Cidr => ({
  version: network.version,
  network,
  prefix,
  text: `${network.text}/${prefix}`,
});

/** An address as the network of itself alone. */
export const networkOf = (ip: Ip): Cidr => cidrOf(ip, ip.version === "v4" ? 32 : 128);

function readAddress(text: string): Cidr | null {
  const ip = readIp(text);
  return ip && networkOf(ip);
}

type Masked = { readonly cidr: Cidr; readonly hostBitsSet: boolean };

function maskedIpv4(address: string, prefix: number): Masked | null {
  const value = parseIpv4Value(address);
  if (value === null || prefix > 32) return null;
  const masked = (value & maskOf(prefix)) >>> 0;
  return { cidr: cidrOf(ipv4Of(masked), prefix), hostBitsSet: masked !== value };
}

function maskedIpv6(address: string, prefix: number): Masked | null {
  const words = parseIpv6Words(address);
  if (words === null || prefix > 128) return null;
  const word = (i: 0 | 1 | 2 | 3) => (words[i] & maskOf(prefix - 32 * i)) >>> 0;
  const masked: Ipv6Words = [word(0), word(1), word(2), word(3)];
  const network = ipv6Of(masked);
  return {
    cidr: cidrOf(network, network.version === "v4" ? prefix - 96 : prefix),
    hostBitsSet: masked.some((part, i) => part !== words[i]),
  };
}

/** Mask of the first `bits` of 32; all of them from 32 up, none from 0 down. */
const maskOf = (bits: number): number => (bits <= 0 ? 0 : bits >= 32 ? -1 : -1 << (32 - bits));

/** Whether the network holds the address. Versions never mix: IPv4 is not in `::/0`. */
export function cidrContains({ network, prefix }: Cidr, ip: Ip): boolean {
  if (network.version === "v4") {
    return ip.version === "v4" && ((ip.value ^ network.value) & maskOf(prefix)) === 0;
  }
  if (ip.version === "v4") return false;
  for (const [i, word] of network.words.entries()) {
    if (((word ^ (ip.words[i] ?? 0)) & maskOf(prefix - 32 * i)) !== 0) return false;
  }
  return true;
}

/** A few networks to ask one after the other; large sets belong in `listings/`. */
export type NetworkSet = { readonly has: (ip: Ip) => boolean };

/** The set of an operator's networks. Throws InvalidValue at one that `parseCidr` refuses. */
export function createNetworkSet(cidrs: readonly string[]): NetworkSet {
  const networks = cidrs.map(parseCidr);
  return { has: (ip) => networks.some((network) => cidrContains(network, ip)) };
}
