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
  const groups: number[] = [];
  let gap = text.startsWith("::") ? 0 : -1; // how many groups stand before "::"
  let at = gap < 0 ? 0 : 2;
  while (at < text.length) {
    const end = addGroup(groups, text, at);
    if (end < 0 || end === text.length - 1) return null; // a single colon at the end
    at = end + 1;
    if (text.charCodeAt(at) !== COLON) continue;
    if (gap >= 0) return null;
    gap = groups.length;
    at++;
  }
  return wordsOf(groups, gap);
}

const COLON = 58;

/** Adds the group that begins here, or the two of a dotted quad at the end; where it ends, -1 where it is neither. */
function addGroup(groups: number[], text: string, from: number): number {
  const colon = text.indexOf(":", from);
  const to = colon < 0 ? text.length : colon;
  const group = hexGroup(text, from, to);
  if (group >= 0) {
    groups.push(group);
    return to;
  }
  const inner = colon < 0 ? parseIpv4Value(text.slice(from)) : null;
  if (inner === null) return -1;
  groups.push(inner >>> 16, inner & 0xffff);
  return to;
}

/** The value of one to four hexadecimal digits; -1 for anything else. */
function hexGroup(text: string, from: number, to: number): number {
  if (to === from || to - from > 4) return -1;
  let value = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const letter = (code | 32) - 97;
    if (code >= 48 && code <= 57) value = value * 16 + code - 48;
    else if (letter >= 0 && letter < 6) value = value * 16 + letter + 10;
    else return -1;
  }
  return value;
}

/** Eight groups, of which those that are missing are zeros behind the first `gap`; -1: none may be missing. */
function wordsOf(groups: readonly number[], gap: number): Ipv6Words | null {
  const missing = 8 - groups.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return null;
  const group = (i: number): number =>
    (i < gap ? groups[i] : i < gap + missing ? 0 : groups[i - missing]) ?? 0;
  const word = (i: number): number => (group(i) * 65536 + group(i + 1)) >>> 0;
  return [word(0), word(2), word(4), word(6)];
}

/** `203.0.113.7` of its unsigned 32-bit number. */
export const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

/** RFC 5952: lower case, the longest run of two or more zero groups (the first of equals) as `::`. */
export function formatIpv6(words: Ipv6Words): string {
  const group = (i: number): number =>
    (i % 2 === 0 ? (words[i >> 1] ?? 0) : (words[i >> 1] ?? 0) << 16) >>> 16;
  let start = 8;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && group(i + run) === 0) run++;
    if (run > length) {
      start = i;
      length = run;
    }
    i += run;
  }
  let text = "";
  for (let i = 0; i < 8; i++) {
    if (i === start) {
      text += "::";
      i += length - 1;
    } else text += (i === 0 || i === start + length ? "" : ":") + group(i).toString(16);
  }
  return text;
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
 * Refuses (InvalidValue) URL, CIDR, port, zone id, octal, hex, short forms, names, empty. Source: design 2.
 */
export function parseIp(input: string): Ip {
  const value = parseIpv4Value(input);
  if (value !== null) return { version: "v4", text: input, value };
  const text = refang(input.trim());
  if (text === "") throw new InvalidValue("empty", "An IP address is wanted, not an empty text");
  if (text.length > 64) throw refusalOf(text.slice(0, 64));
  const bare = /^\[[^[\]]*\]$/.test(text) && text.includes(":") ? text.slice(1, -1) : text;
  const ip = readIp(bare);
  if (ip !== null && (bare === text || bare.includes(":"))) return ip;
  throw refusalOf(bare);
}

function refusalOf(text: string): InvalidValue {
  if (isUrlLike(text)) return urlInstead();
  if (text.includes(":") && /^[\da-f:.]+%/i.test(text)) {
    return new InvalidValue("zone_id", "An address with a zone id is not accepted");
  }
  if (/^[\da-f:.]+\/[\d.]*$/i.test(text))
    return new InvalidValue("cidr", "One address is wanted, not a range");
  if (/^[^:]*\.[^:]*:\d*$|\]:\d*$/.test(text)) {
    return new InvalidValue("port", "An address without a port is wanted");
  }
  return new InvalidValue("invalid_ip", "This is not an IPv4 or IPv6 address");
}

/** A scheme and what follows it. */
export const isUrlLike = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** Refuses a URL where an address or a name is wanted. */
export const urlInstead = (): InvalidValue => new InvalidValue("url", "This is a URL: use url-reputation");
