import { readAsn } from "../../../targets/asn.ts";
import { parseIpv4Value, parseIpv6Words } from "../../../targets/ip.ts";

/**
 * One line of an ASN table. IPv4: addresses as numbers; IPv6: the upper 64 bits as a bigint (what is smaller than
 * a /64 counts as the whole /64). `end` is the first address after the range.
 */
export type AsnRange<T extends number | bigint> = {
  readonly start: T;
  readonly end: T;
  readonly asn: number;
  readonly name: string;
};

/** Reads `first,last,asn,name` lines of IPv4 addresses; lines that are none are left out. */
export const parseAsnIpv4 = (text: string): AsnRange<number>[] => parseLines(text, readIpv4Ends);

/** The same for IPv6. */
export const parseAsnIpv6 = (text: string): AsnRange<bigint>[] => parseLines(text, readIpv6Ends);

type Ends<T> = { readonly start: T; readonly end: T };

function parseLines<T extends number | bigint>(
  text: string,
  readEnds: (first: string, last: string) => Ends<T> | null,
): AsnRange<T>[] {
  const ranges: AsnRange<T>[] = [];
  let from = 0;
  while (from < text.length) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    const range = parseLine(text.slice(from, to), readEnds);
    if (range !== null) ranges.push(range);
    from = to + 1;
  }
  return ranges;
}

function parseLine<T extends number | bigint>(
  line: string,
  readEnds: (first: string, last: string) => Ends<T> | null,
): AsnRange<T> | null {
  const first = line.indexOf(",");
  const second = line.indexOf(",", first + 1);
  const third = line.indexOf(",", second + 1);
  if (first < 0 || second < 0 || third < 0) return null;
  const ends = readEnds(line.slice(0, first), line.slice(first + 1, second));
  const asn = readAsn(line.slice(second + 1, third));
  if (ends === null || asn === null) return null;
  return { start: ends.start, end: ends.end, asn, name: nameOf(line.slice(third + 1), asn) };
}

/** CSV quotes undone; `AS64500` as the name of AS 64500 is no name. */
function nameOf(field: string, asn: number): string {
  const text = field.trim();
  const name = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
  return name === `AS${asn}` ? "" : name;
}

function readIpv4Ends(first: string, last: string): Ends<number> | null {
  const start = parseIpv4Value(first);
  const end = parseIpv4Value(last);
  return start === null || end === null || end < start ? null : { start, end: end + 1 };
}

function readIpv6Ends(first: string, last: string): Ends<bigint> | null {
  const start = parseIpv6Words(first);
  const end = parseIpv6Words(last);
  if (start === null || end === null) return null;
  const from = upper64(start[0], start[1]);
  const to = upper64(end[0], end[1]) + 1n;
  return to <= from ? null : { start: from, end: to };
}

const upper64 = (high: number, low: number): bigint => (BigInt(high) << 32n) | BigInt(low);
