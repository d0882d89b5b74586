import { type Ip, type Ipv4, type Ipv6Words, ipv4Of } from "./ip.ts";

export type SpecialPurposeName =
  | "private"
  | "cgn"
  | "loopback"
  | "link_local"
  | "documentation"
  | "benchmarking"
  | "multicast"
  | "this_network"
  | "unspecified"
  | "reserved"
  | "broadcast"
  | "protocol"
  | "unique_local"
  | "discard"
  | "nat64_local"
  | "6to4"
  | "teredo"
  | "nat64";

/** What a range that is no ordinary global one is for. */
export type SpecialPurpose = {
  readonly name: SpecialPurposeName;
  /** The document that sets the range aside: `"RFC 1918"`. */
  readonly rfc: string;
  /** Never seen on the public internet; of 6to4, Teredo and NAT64 that of the inner IPv4 address. */
  readonly isBogon: boolean;
  /** IPv4 address inside a 6to4, Teredo (the client's, de-obfuscated) or NAT64 address. */
  readonly embeddedIpv4: Ipv4 | null;
};

const bogon = (name: SpecialPurposeName, rfc: string): SpecialPurpose => ({
  name,
  rfc,
  isBogon: true,
  embeddedIpv4: null,
});

const THIS_NETWORK = bogon("this_network", "RFC 791");
const PRIVATE = bogon("private", "RFC 1918");
const CGN = bogon("cgn", "RFC 6598");
const LOOPBACK_V4 = bogon("loopback", "RFC 1122");
const LINK_LOCAL_V4 = bogon("link_local", "RFC 3927");
const PROTOCOL_V4 = bogon("protocol", "RFC 6890");
const DOCUMENTATION_V4 = bogon("documentation", "RFC 5737");
const BENCHMARKING_V4 = bogon("benchmarking", "RFC 2544");
const MULTICAST_V4 = bogon("multicast", "RFC 5771");
const RESERVED_V4 = bogon("reserved", "RFC 1112");
const BROADCAST = bogon("broadcast", "RFC 919");
const UNSPECIFIED = bogon("unspecified", "RFC 4291");
const LOOPBACK_V6 = bogon("loopback", "RFC 4291");
const LINK_LOCAL_V6 = bogon("link_local", "RFC 4291");
const MULTICAST_V6 = bogon("multicast", "RFC 4291");
const RESERVED_V6 = bogon("reserved", "RFC 4291");
const UNIQUE_LOCAL = bogon("unique_local", "RFC 4193");
const DISCARD = bogon("discard", "RFC 6666");
const NAT64_LOCAL = bogon("nat64_local", "RFC 8215");
const RELAY_6A44 = bogon("protocol", "RFC 6751");
const DUMMY_V6 = bogon("reserved", "RFC 9780");
const SEGMENT_ROUTING = bogon("reserved", "RFC 9602");
const PROTOCOL_V6 = bogon("protocol", "RFC 2928");
const BENCHMARKING_V6 = bogon("benchmarking", "RFC 5180");
const DOCUMENTATION_V6 = bogon("documentation", "RFC 3849");
const DOCUMENTATION_V6_LARGE = bogon("documentation", "RFC 9637");

/**
 * The special purpose of an address, or null of an ordinary global one. Numbers only, no allocation
 * but for addresses with an IPv4 address inside.
 * Source: design 5.1; IANA special-purpose address registries (RFC 6890).
 */
export const specialPurposeOf = (ip: Ip): SpecialPurpose | null =>
  ip.version === "v4" ? purposeOfIpv4(ip.value) : purposeOfIpv6(ip.words);

function purposeOfIpv4(value: number): SpecialPurpose | null {
  switch (value >>> 24) {
    case 0:
      return THIS_NETWORK;
    case 10:
      return PRIVATE;
    case 127:
      return LOOPBACK_V4;
    case 192:
      return purposeOf192(value);
    default:
      return value < 0xe0000000 ? purposeInsideEight(value) : purposeFrom224(value);
  }
}

/** Ranges narrower than the /8 they stand in. */
function purposeInsideEight(value: number): SpecialPurpose | null {
  switch (value >>> 16) {
    case 0xa9fe:
      return LINK_LOCAL_V4;
    case 0xc612:
    case 0xc613:
      return BENCHMARKING_V4;
    case 0xc633:
      return value >>> 8 === 0xc63364 ? DOCUMENTATION_V4 : null;
    case 0xcb00:
      return value >>> 8 === 0xcb0071 ? DOCUMENTATION_V4 : null;
    default:
      if (value >>> 22 === 0x6440 >>> 6) return CGN;
      return value >>> 20 === 0xac1 ? PRIVATE : null;
  }
}

function purposeFrom224(value: number): SpecialPurpose {
  if (value < 0xf0000000) return MULTICAST_V4;
  return value === 0xffffffff ? BROADCAST : RESERVED_V4;
}

function purposeOf192(value: number): SpecialPurpose | null {
  if (value >>> 16 === 0xc0a8) return PRIVATE;
  if (value >>> 8 === 0xc00002) return DOCUMENTATION_V4;
  // The anycast address of 6a44 relays; the /24 around it, once of 6to4 relays (RFC 7526), is ordinary again.
  if (value === 0xc0586302) return RELAY_6A44;
  if (value >>> 8 !== 0xc00000) return null;
  // Globally reachable anycast inside the block: PCP (RFC 7723) and TURN (RFC 8155).
  return value === 0xc0000009 || value === 0xc000000a ? null : PROTOCOL_V4;
}

function purposeOfIpv6(words: Ipv6Words): SpecialPurpose | null {
  const first = words[0];
  if (first >>> 29 !== 1) return purposeOutsideGlobal(words);
  if (first >>> 9 === 0x20010000 >>> 9) return purposeOf2001(words);
  if (first === 0x20010db8) return DOCUMENTATION_V6;
  if (first >>> 12 === 0x3fff0) return DOCUMENTATION_V6_LARGE;
  if (first >>> 16 === 0x2002) {
    return withEmbedded("6to4", "RFC 3056", ((first & 0xffff) << 16) | (words[1] >>> 16));
  }
  return null;
}

/** 2001::/23, the IETF's own block, with the globally reachable blocks in it (IANA registry) exempt. */
function purposeOf2001(words: Ipv6Words): SpecialPurpose | null {
  switch (words[0] & 0x1ff) {
    case 0:
      return withEmbedded("teredo", "RFC 4380", ~words[3]);
    case 1: // 2001:1::1 PCP, ::2 TURN, ::3 DNS-SD: single addresses
      return words[1] === 0 && words[2] === 0 && words[3] >= 1 && words[3] <= 3 ? null : PROTOCOL_V6;
    case 2:
      return words[1] >>> 16 === 0 ? BENCHMARKING_V6 : PROTOCOL_V6;
    case 3: // AMT, RFC 7450
      return null;
    case 4: // AS112, RFC 7535
      return words[1] >>> 16 === 0x112 ? null : PROTOCOL_V6;
    default: {
      const block = (words[0] & 0x1ff) >>> 4; // ORCHIDv2 2001:20::/28 (RFC 7343), DRIP 2001:30::/28 (RFC 9374)
      return block === 2 || block === 3 ? null : PROTOCOL_V6;
    }
  }
}

/** Everything that is not 2000::/3: known ranges by name, the rest reserved. */
function purposeOutsideGlobal(words: Ipv6Words): SpecialPurpose {
  const [first, second, third, fourth] = words;
  if (first === 0) return second === 0 && third === 0 ? lowest(fourth) : RESERVED_V6;
  if (first === 0x0064ff9b) {
    if (second === 0 && third === 0) return withEmbedded("nat64", "RFC 6052", fourth);
    return second >>> 16 === 1 ? NAT64_LOCAL : RESERVED_V6;
  }
  if (first === 0x01000000 && second <= 1) return second === 0 ? DISCARD : DUMMY_V6;
  if (first >>> 16 === 0x5f00) return SEGMENT_ROUTING;
  if (first >>> 25 === 0xfc >>> 1) return UNIQUE_LOCAL;
  if (first >>> 22 === 0xfe80 >>> 6) return LINK_LOCAL_V6;
  return first >>> 24 === 0xff ? MULTICAST_V6 : RESERVED_V6;
}

function lowest(last: number): SpecialPurpose {
  if (last === 0) return UNSPECIFIED;
  return last === 1 ? LOOPBACK_V6 : RESERVED_V6;
}

function withEmbedded(name: SpecialPurposeName, rfc: string, value: number): SpecialPurpose {
  const embeddedIpv4 = ipv4Of(value);
  return { name, rfc, isBogon: purposeOfIpv4(embeddedIpv4.value) !== null, embeddedIpv4 };
}
