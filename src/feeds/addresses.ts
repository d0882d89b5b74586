import { readAsn } from "../targets/asn.ts";
import { type Ip, type Ipv6Words, ipv6Of, parseIpv4Value, parseIpv6Words } from "../targets/ip.ts";
import { refang } from "../targets/recognise.ts";

/** A network of one family, host bits cleared, or an AS number: what one row of an address list comes to. */
export type AddressEntry =
  | { readonly family: "v4"; readonly value: number; readonly prefix: number }
  | { readonly family: "v6"; readonly words: Ipv6Words; readonly prefix: number }
  | { readonly family: "asn"; readonly asn: number };

const NONE: readonly AddressEntry[] = [];

/** What an address or a network is written with, and no defanged spelling. */
const PLAIN = /^[\da-f.:/]+$/i;

/** Defanged spellings of lists undone: those of callers (design 2) and `(dot)`, `[dot]` (catalogue, pitfall 9). */
export const refangRow = (text: string): string => refang(text).replace(/\(dot\)|\[dot\]/gi, ".");

/**
 * What a row of an address list means: address, CIDR (host bits are cleared), a network by its mask or with `*` for its
 * last numbers, range `a-b` as its CIDRs, or `AS64500`. Tolerates defanged dots, leading zeros (decimal: catalogue, pitfall 11), brackets, zone ids and
 * ports; mapped IPv6 is IPv4. Empty: not understood, and reversed ranges.
 */
export function readAddressEntries(text: string): readonly AddressEntry[] {
  const value = parseIpv4Value(text); // nearly every row of nearly every list
  if (value !== null) return [{ family: "v4", value, prefix: 32 }];
  const clean = PLAIN.test(text) ? text : refangRow(text);
  if (/^AS/i.test(clean)) {
    const asn = readAsn(clean);
    return asn === null ? NONE : [{ family: "asn", asn }];
  }
  const dash = clean.indexOf("-");
  if (dash > 0) return readRange(clean.slice(0, dash), clean.slice(dash + 1));
  const entry = readNetwork(clean);
  return entry === null ? NONE : [entry];
}

function readNetwork(text: string): AddressEntry | null {
  if (text.endsWith("*")) return readWildcard(text);
  const slash = text.indexOf("/");
  const ip = readFeedIp(slash < 0 ? text : text.slice(0, slash));
  if (ip === null) return null;
  const full = ip.version === "v4" ? 32 : 128;
  const length = slash < 0 ? full : readPrefix(text.slice(slash + 1), text, ip);
  if (length === null || length > full) return null;
  return ip.version === "v4"
    ? { family: "v4", value: (ip.value & maskOf(length)) >>> 0, prefix: length }
    : { family: "v6", words: maskWords(ip.words, length), prefix: length };
}

/** `192.0.2.*`, `198.51.*.*`: the last numbers of an IPv4 address left open. */
function readWildcard(text: string): AddressEntry | null {
  const open = /^\d[\d.]*((?:\.\*){1,3})$/.exec(text)?.[1];
  const ip = open === undefined ? null : readFeedIp(text.replaceAll("*", "0"));
  if (open === undefined || ip?.version !== "v4") return null;
  return { family: "v4", value: ip.value, prefix: 32 - 4 * open.length };
}

/**
 * Prefix length of an IPv4 mask in four numbers, the network's (`255.255.255.0`) or the hosts' (`0.0.0.255`); null for what
 * is none. `0.0.0.0` is the network's.
 */
export function prefixOfMask(text: string): number | null {
  const mask = parseIpv4Value(text);
  if (mask === null) return null;
  const prefix = Math.clz32(~mask);
  if (maskOf(prefix) === mask) return prefix;
  const hosts = Math.clz32(mask);
  return maskOf(hosts) === ~mask >>> 0 ? hosts : null;
}

/** Prefix length in the family of `ip`: that of a mapped IPv6 network counts from bit 96. */
function readPrefix(digits: string, text: string, ip: Ip): number | null {
  if (ip.version === "v4" && digits.includes(".")) return text.includes(":") ? null : prefixOfMask(digits);
  if (!/^\d{1,3}$/.test(digits)) return null;
  const isMapped = ip.version === "v4" && text.includes(":");
  const length = Number(digits) - (isMapped ? 96 : 0);
  return length < 0 ? null : length;
}

/** One address as lists write it: leading zeros, brackets, a zone id, a port behind it. */
export function readFeedIp(text: string): Ip | null {
  const bare = stripDecoration(text);
  const decimal = /^\d{1,3}(\.\d{1,3}){3}$/.test(bare) ? bare.replace(/\b0+(?=\d)/g, "") : bare;
  const value = parseIpv4Value(decimal);
  if (value !== null) return { version: "v4", text: decimal, value };
  const words = parseIpv6Words(bare);
  return words === null ? null : ipv6Of(words);
}

function stripDecoration(text: string): string {
  if (/^[\d.]*$/.test(text)) return text; // nothing stands around it
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const bare = bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, "$1");
  const zone = bare.indexOf("%");
  return zone > 0 && bare.includes(":") ? bare.slice(0, zone) : bare;
}

function readRange(from: string, to: string): readonly AddressEntry[] {
  const [first, last] = [readFeedIp(from.trim()), readFeedIp(to.trim())];
  if (first?.version === "v4" && last?.version === "v4") return rangeOfIpv4(first.value, last.value);
  if (first?.version !== "v6" || last?.version !== "v6") return NONE;
  return rangeOfIpv6(toBigInt(first.words), toBigInt(last.words));
}

function rangeOfIpv4(from: number, to: number): readonly AddressEntry[] {
  const entries: AddressEntry[] = [];
  for (let start = from; start <= to; ) {
    let prefix = 32;
    // Grow the block while it starts on its own boundary and ends within the range.
    while (prefix > 0 && start % 2 ** (33 - prefix) === 0 && start + 2 ** (33 - prefix) - 1 <= to) prefix--;
    entries.push({ family: "v4", value: start, prefix });
    start += 2 ** (32 - prefix);
  }
  return entries;
}

function rangeOfIpv6(from: bigint, to: bigint): readonly AddressEntry[] {
  const entries: AddressEntry[] = [];
  for (let start = from; start <= to; ) {
    let bits = 0n;
    while (bits < 128n && (start & ((2n << bits) - 1n)) === 0n && start + (2n << bits) - 1n <= to) bits++;
    entries.push({ family: "v6", words: toWords(start), prefix: 128 - Number(bits) });
    start += 1n << bits;
  }
  return entries;
}

const toBigInt = (words: Ipv6Words): bigint => words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);

const toWords = (value: bigint): Ipv6Words => [
  Number((value >> 96n) & 0xffff_ffffn),
  Number((value >> 64n) & 0xffff_ffffn),
  Number((value >> 32n) & 0xffff_ffffn),
  Number(value & 0xffff_ffffn),
];

/** Mask of the first `bits` of 32; all of them from 32 up, none from 0 down. */
const maskOf = (bits: number): number =>
  bits >= 32 ? 0xffff_ffff : bits <= 0 ? 0 : ~(0xffff_ffff >>> bits) >>> 0;

function maskWords(words: Ipv6Words, prefix: number): Ipv6Words {
  const word = (i: 0 | 1 | 2 | 3) => (words[i] & maskOf(prefix - 32 * i)) >>> 0;
  return [word(0), word(1), word(2), word(3)];
}
