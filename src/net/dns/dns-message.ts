import { decode, type Answer as PacketAnswer } from "dns-packet";
import { formatIpv6, parseIpv6Words } from "../../targets/ip.ts";
import { checkBounds } from "./dns-bounds.ts";
import type { DnsRecord, DnsReply, RecordType } from "./dns-types.ts";
import { parseSvcb, printable } from "./svcb.ts";

const TYPE_NUMBERS: Readonly<Record<RecordType, number>> = {
  A: 1,
  AAAA: 28,
  CNAME: 5,
  MX: 15,
  NS: 2,
  TXT: 16,
  SOA: 6,
  CAA: 257,
  SRV: 33,
  PTR: 12,
  DS: 43,
  DNSKEY: 48,
  TLSA: 52,
  HTTPS: 65,
  SVCB: 64,
  NAPTR: 35,
};

const FLAG_RESPONSE = 0x8000;
const FLAG_TRUNCATED = 0x0200;
const FLAG_RECURSION_DESIRED = 0x0100;
const FLAG_AUTHENTIC_DATA = 0x0020;
const FLAG_CHECKING_DISABLED = 0x0010;
/** RFC 9715: 1232 octets fit every path without fragments. */
const UDP_PAYLOAD_BYTES = 1232;
const HEADER_BYTES = 12;

/** Source: IANA "DNS RCODEs". */
const RCODES = new Map(
  [
    ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"],
    ["YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE", "DSOTYPENI"],
  ]
    .flat()
    .map((name, code) => [code, name] as const),
)
  .set(16, "BADVERS")
  .set(23, "BADCOOKIE");
/** Failures that servers send without repeating the question: FORMERR, SERVFAIL, NOTIMP, REFUSED. */
const QUESTIONLESS_RCODES = new Set([1, 2, 4, 5]);

/** What to ask, and how. */
export type DnsQuestion = {
  readonly name: string;
  readonly type: RecordType;
  readonly checkingDisabled: boolean;
};

/** One question on its way: the message and what a reply must repeat. */
export type Query = {
  readonly id: number;
  readonly message: Buffer;
  readonly question: Buffer;
};

/** What a message that came is to the query. `folded`: our question in other letter case. */
export type Match = "reply" | "truncated" | "folded" | "stranger" | "broken";

/** A reply's content. */
export type Decoded = Omit<DnsReply, "server" | "elapsedMs">;

/**
 * A name as it is asked: lower case, no final dot, `""` for the root; or null when it cannot be asked:
 * empty or overlong labels, over 253 octets, anything but printable ASCII.
 */
export function queryName(name: string): string | null {
  if (name === "." || name === "") return name === "." ? "" : null;
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (bare.length > 253 || !/^[\x21-\x5b\x5d-\x7e]+$/.test(bare)) return null;
  if (bare.split(".").some((label) => label === "" || label.length > 63)) return null;
  return bare.toLowerCase();
}

/**
 * The query in wire form: RD and AD set, EDNS with DO, and letters in upper case where `caseBits`
 * (one bit a letter, none for an empty array) says so. Source: RFC 6891, RFC 6840 5.7, draft-vixie-dnsext-dns0x20.
 */
export function encodeQuery(question: DnsQuestion, id: number, caseBits: ArrayLike<number>): Query {
  const { name } = question;
  // Its labels each after their length, and the root's.
  const nameLength = name === "" ? 1 : name.length + 2;
  const end = HEADER_BYTES + nameLength + 4;
  const message = Buffer.allocUnsafe(end + OPT.length);
  const disabled = question.checkingDisabled ? FLAG_CHECKING_DISABLED : 0;
  message.writeUInt16BE(id, 0);
  message.writeUInt16BE(FLAG_RECURSION_DESIRED | FLAG_AUTHENTIC_DATA | disabled, 2);
  message.writeUInt32BE(0x0001_0000, 4); // one question, no answers
  message.writeUInt32BE(0x0000_0001, 8); // one additional record
  writeName(message, name, caseBits);
  message.writeUInt16BE(TYPE_NUMBERS[question.type], end - 4);
  message.writeUInt16BE(1, end - 2); // class IN
  message.set(OPT, end);
  return { id, message, question: message.subarray(HEADER_BYTES, end) };
}

/** Root name, type 41, payload size, extended rcode and version 0, DO, no options. */
const OPT = Buffer.from([0, 0, 41, UDP_PAYLOAD_BYTES >> 8, UDP_PAYLOAD_BYTES & 255, 0, 0, 0x80, 0, 0, 0]);

const DOT = 0x2e;
const CASE_BIT = 0x20;

/** The name of ASCII letters behind the header. */
function writeName(message: Buffer, name: string, caseBits: ArrayLike<number>): void {
  let lengthAt = HEADER_BYTES;
  for (let i = 0; i < name.length; i++) {
    const octet = name.charCodeAt(i);
    const at = HEADER_BYTES + 1 + i;
    if (octet === DOT) {
      message[lengthAt] = at - lengthAt - 1;
      lengthAt = at;
      continue;
    }
    const isLetter = octet >= 0x61 && octet <= 0x7a;
    const isRaised = isLetter && (((caseBits[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
    message[at] = isRaised ? octet ^ CASE_BIT : octet;
  }
  if (name === "") message[lengthAt] = 0;
  else {
    const rootAt = HEADER_BYTES + 1 + name.length;
    message[lengthAt] = rootAt - lengthAt - 1;
    message[rootAt] = 0;
  }
}

/** What the message is to the query; reads no further than the question. Source: RFC 5452, 9.1. */
export function matchReply(query: Query, message: Buffer): Match {
  if (message.length < HEADER_BYTES) return "broken";
  const flags = message.readUInt16BE(2);
  const isReply = (flags & FLAG_RESPONSE) !== 0 && (flags & 0x7800) === 0;
  if (!isReply || message.readUInt16BE(0) !== query.id) return isWellFormed(message) ? "stranger" : "broken";
  const questions = message.readUInt16BE(4);
  if (questions === 0 && QUESTIONLESS_RCODES.has(flags & 15)) return "reply";
  const end = HEADER_BYTES + query.question.length;
  if (questions === 1 && message.length >= end) {
    if (query.question.compare(message, HEADER_BYTES, end) === 0) {
      return (flags & FLAG_TRUNCATED) !== 0 ? "truncated" : "reply";
    }
    if (fold(message.subarray(HEADER_BYTES, end)) === fold(query.question)) return "folded";
  }
  return isWellFormed(message) ? "stranger" : "broken";
}

const fold = (octets: Buffer): string => octets.toString("latin1").toLowerCase();

/** Whether its structure is that of a DNS message. */
export function isWellFormed(message: Buffer): boolean {
  try {
    checkBounds(message);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The content of a reply, or null of a broken one. Names come out lower case and printable. */
export function decodeReply(message: Buffer): Decoded | null {
  try {
    checkBounds(message);
    const packet = decode(message);
    const opt = packet.additionals?.find((record) => record.type === "OPT");
    const rcode = (message.readUInt16BE(2) & 15) | ((opt?.type === "OPT" ? opt.extendedRcode : 0) << 4);
    return {
      rcode: RCODES.get(rcode) ?? `RCODE${rcode}`,
      authenticatedData: packet.flag_ad,
      answers: (packet.answers ?? []).flatMap(recordOf),
      authorities: (packet.authorities ?? []).flatMap(recordOf),
    };
  } catch (error) {
    // The codec throws plain errors and RangeErrors; whatever it is, these bytes are no DNS message.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** A record of class IN with its names made safe; others are left out. */
function recordOf(record: PacketAnswer): DnsRecord[] {
  if (record.type === "OPT" || (record.class ?? "IN") !== "IN") return [];
  const name = safeName(record.name);
  // RFC 2181, 8: a TTL with the highest bit set is zero.
  const ttl = record.ttl === undefined || record.ttl > 0x7fffffff ? 0 : record.ttl;
  const type: string = record.type;
  if ((type === "UNKNOWN_64" || type === "UNKNOWN_65") && Buffer.isBuffer(record.data)) {
    return [{ type: type === "UNKNOWN_64" ? "SVCB" : "HTTPS", name, ttl, data: parseSvcb(record.data) }];
  }
  return [withSafeNames({ ...record, name, ttl })];
}

function withSafeNames(record: PacketAnswer): PacketAnswer {
  switch (record.type) {
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return { ...record, data: safeName(record.data) };
    case "AAAA": {
      const words = parseIpv6Words(record.data);
      return words === null ? record : { ...record, data: formatIpv6(words) };
    }
    case "MX":
      return { ...record, data: { ...record.data, exchange: safeName(record.data.exchange) } };
    case "SRV":
      return { ...record, data: { ...record.data, target: safeName(record.data.target) } };
    case "NAPTR":
      return { ...record, data: { ...record.data, replacement: safeName(record.data.replacement) } };
    case "SOA": {
      const { mname, rname } = record.data;
      return { ...record, data: { ...record.data, mname: safeName(mname), rname: safeName(rname) } };
    }
    default:
      return record;
  }
}

/**
 * The codec gives labels as UTF-8: whatever is not visible ASCII becomes `\\DDD`. Only ASCII letters are
 * lowered: U+212A in lower case would be the letter k.
 */
function safeName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  let safe = "";
  for (const sign of name) safe += safeSign(sign);
  return safe;
}

const PLAIN_NAME = /^[\x21-\x40\x5b-\x7e]*$/;
const signs = new Map<string, string>();
const MAX_SIGNS = 1000;

/** One of a name's characters: the same few again and again, also in a name that is nothing but octets above 127. */
function safeSign(sign: string): string {
  const known = signs.get(sign);
  if (known !== undefined) return known;
  const isVisible = sign > " " && sign <= "~";
  const safe = isVisible ? sign.toLowerCase() : printable(Buffer.from(sign)).replaceAll(" ", "\\032");
  if (signs.size >= MAX_SIGNS) signs.clear();
  signs.set(sign, safe);
  return safe;
}
