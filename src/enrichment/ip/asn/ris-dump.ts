import { InvalidValue } from "../../../base/failure.ts";
import { createColumn } from "../../../blocklist-index/columns.ts";
import { isAsn } from "../../../targets/asn.ts";
import { parseIpv6Words } from "../../../targets/ip.ts";

/** Announcements of one dump, one array a column: an origin, a prefix, and how many peers see it. */
export type Announcements = {
  /** The first 64 bits of the prefix; of IPv4 all of it stands in `uppers`. Bits behind the length are zero. */
  readonly uppers: Uint32Array;
  readonly lowers: Uint32Array;
  readonly lengths: Uint32Array;
  readonly origins: Uint32Array;
  readonly peers: Uint32Array;
};

/** A dump as it was read: rows that are none of its format are counted. */
export type RisDump = Announcements & { readonly rows: number; readonly dropped: number };

export type AddressFamily = "v4" | "v6";

/**
 * Networks that have no holder, by their length: shorter ones are default routes and leaks, IPv6 beyond a /64 lies inside one
 * network. They are passed over.
 */
const LENGTHS = { v4: { least: 8, most: 32, bits: 32 }, v6: { least: 16, most: 64, bits: 128 } } as const;

/** More origins and prefixes than this are no routing table: today's has 1.4 million of both families. */
const MAX_ROUTES = 10_000_000;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const OPENING = 0x7b;

/**
 * Reads a dump of RIPE RIS: lines of origin, prefix and peers, parted by tabs; comments begin with `%`; an origin may be a set,
 * `{64500,64501}`. Throws InvalidValue when its last line is cut, and when no line is understood. Source: the dumps' own
 * header, https://www.ris.ripe.net/dumps/.
 */
export function readRisDump(bytes: Uint8Array, family: AddressFamily): RisDump {
  if (bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE) {
    throw new InvalidValue("rows", "The dump is cut short: its last line has no end");
  }
  const [uppers, lowers, lengths, origins, peers] = [0, 1, 2, 3, 4].map(() => createColumn());
  if (!uppers || !lowers || !lengths || !origins || !peers) throw new Error("Cannot make columns");
  let [rows, dropped] = [0, 0];
  const readLine = createLineReader(bytes, family, (line, origin) => {
    uppers.push(line.upper);
    lowers.push(line.lower);
    lengths.push(line.length);
    peers.push(line.peers);
    origins.push(origin);
  });
  forEachRow(bytes, (start, end) => {
    rows++;
    if (!readLine(start, end)) dropped++;
    if (uppers.length() > MAX_ROUTES) {
      throw new InvalidValue("max_entries", `The dump has more than ${MAX_ROUTES} routes`);
    }
  });
  if (rows > 0 && rows === dropped) {
    throw new InvalidValue("rows", `No line is one of a dump of ${family === "v4" ? "IPv4" : "IPv6"} routes`);
  }
  const columns = { uppers, lowers, lengths, origins, peers };
  return { ...valuesOf(columns), rows, dropped };
}

/** Gives each line `bytes[start, end)` that is neither blank nor a remark. The last one has its end. */
function forEachRow(bytes: Uint8Array, take: (start: number, end: number) => void): void {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = bytes[newline - 1] === RETURN ? newline - 1 : newline;
    if (end > start && bytes[start] !== PERCENT) take(start, end);
    start = newline + 1;
  }
}

type Columns = Readonly<Record<keyof Announcements, { readonly values: () => Uint32Array }>>;

const valuesOf = ({ uppers, lowers, lengths, origins, peers }: Columns): Announcements => ({
  uppers: uppers.values(),
  lowers: lowers.values(),
  lengths: lengths.values(),
  origins: origins.values(),
  peers: peers.values(),
});

/** A line's prefix and peers; the same object each time. */
type Line = { upper: number; lower: number; length: number; peers: number };

/** A reader of `bytes[start, end)` that gives each origin to `take`; false for what is no line of a dump. */
function createLineReader(
  bytes: Uint8Array,
  family: AddressFamily,
  take: (line: Line, origin: number) => void,
): (start: number, end: number) => boolean {
  const { least, most, bits } = LENGTHS[family];
  const readPrefix = family === "v4" ? createIpv4Reader(bytes) : createIpv6Reader(bytes);
  const line: Line = { upper: 0, lower: 0, length: 0, peers: 0 };
  return (start, end) => {
    const prefixAt = gapFrom(bytes, start, end) + 1;
    const peersAt = gapFrom(bytes, prefixAt, end) + 1;
    const slash = indexWithin(bytes, SLASH, prefixAt, peersAt);
    if (end - start > MAX_LINE_BYTES || peersAt > end || slash < 0) return false;
    line.length = numberAt(bytes, slash + 1, peersAt - 1);
    line.peers = numberAt(bytes, peersAt, end);
    const isRead = line.length >= 0 && line.length <= bits && line.peers >= 0;
    if (!isRead || !readPrefix(prefixAt, slash, line)) return false;
    mask(line);
    const isTaken = line.length >= least && line.length <= most;
    return takeOrigins(bytes, start, prefixAt - 1, (origin) => (isTaken ? take(line, origin) : undefined));
  };
}

/** Longest line that is read: a set of some hundred origins. */
const MAX_LINE_BYTES = 2000;

/** Gives each origin in `bytes[start, end)`, one number or a set of them; false when one is no AS number. */
function takeOrigins(bytes: Uint8Array, start: number, end: number, take: (origin: number) => void): boolean {
  if (bytes[start] !== OPENING) {
    const origin = numberAt(bytes, start, end);
    if (!isAsn(origin)) return false;
    take(origin);
    return true;
  }
  const members = Buffer.from(bytes.subarray(start + 1, end - 1))
    .toString("latin1")
    .split(",")
    .map(Number);
  if (!members.every(isAsn)) return false;
  for (const origin of members) take(origin);
  return true;
}

/** Where `byte` stands in `bytes[start, end)`, -1 when it does not. */
function indexWithin(bytes: Uint8Array, byte: number, start: number, end: number): number {
  for (let i = start; i < end; i++) if (bytes[i] === byte) return i;
  return -1;
}

/** Where the next tab or blank stands from `at` on, `end` when none does. */
function gapFrom(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at; i < end; i++) if (bytes[i] === TAB || bytes[i] === BLANK) return i;
  return end;
}

/** The decimal number in `bytes[start, end)`, -1 when it is none of up to ten digits. */
function numberAt(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 10) return -1;
  let number = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = 10 * number + digit;
  }
  return number;
}

type PrefixReader = (start: number, end: number, line: Line) => boolean;

const createIpv4Reader =
  (bytes: Uint8Array): PrefixReader =>
  (start, end, line) => {
    let value = 0;
    let from = start;
    for (let part = 0; part < 4; part++) {
      const dot = part === 3 ? end : indexWithin(bytes, DOT, from, end);
      const octet = dot < 0 ? -1 : numberAt(bytes, from, dot);
      if (octet < 0 || octet > 255) return false;
      value = value * 256 + octet;
      from = dot + 1;
    }
    line.upper = value;
    line.lower = 0;
    return true;
  };

function createIpv6Reader(bytes: Uint8Array): PrefixReader {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (start, end, line) => {
    const words = end - start > 45 ? null : parseIpv6Words(text.toString("latin1", start, end));
    if (words === null) return false;
    line.upper = words[0];
    line.lower = words[1];
    return true;
  };
}

/** Clears the bits behind the length. */
function mask(line: Line): void {
  line.upper = maskWord(line.upper, line.length);
  line.lower = maskWord(line.lower, line.length - 32);
}

/** The first `bits` bits of a word of 32; none for 0 and less. */
export const maskWord = (word: number, bits: number): number =>
  bits >= 32 ? word : bits <= 0 ? 0 : (word & (-1 << (32 - bits))) >>> 0;
