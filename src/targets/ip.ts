import { InvalidValue } from "../base/failure.ts";
import { refang } from "./recognise.ts";

/** IPv6 as four unsigned 32-bit words, most significant first. */
export type Ipv6Words = readonly [number, number, number, number];

export type Ipv4 = { readonly version: "v4"; readonly text: string; readonly value: number };
type Ipv6 = { readonly version: "v6"; readonly text: string; readonly words: Ipv6Words };

/** An address in its one spelling: dotted quad, or RFC 5952. Comes only from this file. */
export type Ip = Ipv4 | Ipv6;

/** An address as the key of a Map: a text that has just come would first have to be looked for among all texts. */
export const keyOfIp = (ip: Ip): string | number => (ip.version === "v4" ? ip.value | 0 : ip.text);

/** Dotted quad of four decimal numbers without leading zeros, as an unsigned 32-bit number; else null. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass without allocation, on the path of every call and every feed line
export function parseIpv4Value(text: string): number | null {
  if (text.length < 7 || text.length > 15) return null;
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 46) {
      if (octet < 0 || dots === 3) return null;
      value = value * 256 + octet;
      octet = -1;
      dots++;
    } else if (code >= 48 && code <= 57) {
      if (octet === 0) return null; // a leading zero: octal to some readers, so refused here
      octet = octet < 0 ? code - 48 : octet * 10 + code - 48;
      if (octet > 255) return null;
    } else return null;
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : null;
}

/** Any RFC 4291 spelling without zone id and brackets; else null. */
export function parseIpv6Words(text: string): Ipv6Words | null {
  if (text.length < 2 || text.length > 45) return null;
  const gap = text.indexOf("::");
  if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) return null;
  const head = groupsOf(gap < 0 ? text : text.slice(0, gap), gap < 0);
  const tail = gap < 0 ? [] : groupsOf(text.slice(gap + 2), true);
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  const word = (i: number) => ((groups[i] ?? 0) * 65536 + (groups[i + 1] ?? 0)) >>> 0;
  return [word(0), word(2), word(4), word(6)];
}

function groupsOf(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (mayEndInIpv4 && i === parts.length - 1 && part.includes(".")) {
      const inner = parseIpv4Value(part);
      if (inner === null) return null;
      groups.push(inner >>> 16, inner & 0xffff);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** `203.0.113.7` of its unsigned 32-bit number. */
export const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

/** RFC 5952: lower case, the longest run of two or more zero groups (the first of equals) as `::`. */
export function formatIpv6(words: Ipv6Words): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && groups[i + run] === 0) run++;
    if (run > length) {
      start = i;
      length = run;
    }
    i += run;
  }
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":");
  return start < 0 ? hex(0, 8) : `${hex(0, start)}::${hex(start + length, 8)}`;
}

/** The `Ip` of a number, for code that computes addresses. */
export const ipv4Of = (value: number): Ipv4 => ({
  version: "v4",
  text: formatIpv4(value >>> 0),
  value: value >>> 0,
});

/** The `Ip` of four words; `::ffff:0:0/96` comes out as IPv4 (design 5.1). */
export function ipv6Of(words: Ipv6Words): Ip {
  if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff) return ipv4Of(words[3]);
  return { version: "v6", text: formatIpv6(words), words };
}

/** An address without brackets or blanks, or null. Mapped IPv6 is IPv4. */
export function readIp(text: string): Ip | null {
  const value = parseIpv4Value(text);
  // What is accepted has one spelling, so the text itself is it.
  if (value !== null) return { version: "v4", text, value };
  const words = parseIpv6Words(text);
  return words === null ? null : ipv6Of(words);
}

/**
 * The address that a caller wrote: blanks around it dropped, defanged spelling undone, `[ ]` around IPv6 dropped.
 * Refuses (InvalidValue) CIDR, port, zone id, octal, hex, short forms, names, empty. Source: design 2.
 */
export function parseIp(input: string): Ip {
  const value = parseIpv4Value(input);
  if (value !== null) return { version: "v4", text: input, value };
  const text = refang(input.trim());
  if (text === "") throw new InvalidValue("empty", "An IP address is wanted, not an empty text");
  if (text.length > 64) throw new InvalidValue("invalid_ip", "This is not an IPv4 or IPv6 address");
  const bare = /^\[[^[\]]*\]$/.test(text) && text.includes(":") ? text.slice(1, -1) : text;
  const ip = readIp(bare);
  if (ip !== null && (bare === text || bare.includes(":"))) return ip;
  throw refusalOf(bare);
}

function refusalOf(text: string): InvalidValue {
  if (text.includes("%")) return new InvalidValue("zone_id", "An address with a zone id is not accepted");
  if (text.includes("/")) return new InvalidValue("cidr", "One address is wanted, not a range");
  if (/^[^:]*\.[^:]*:\d*$|\]:\d*$/.test(text)) {
    return new InvalidValue("port", "An address without a port is wanted");
  }
  return new InvalidValue("invalid_ip", "This is not an IPv4 or IPv6 address");
}
