import { prefixOfMask, readAddressEntries, readFeedIp } from "../addresses.ts";
import type { FeedFormat } from "./format.ts";
import { byRow, firstToken, reasonDetail } from "./rows.ts";

/** Addresses, CIDRs, networks with a mask or by their first and last address, and ranges `a-b`, `a to b` or `a .. b`, one a line, also p2p style `name:a-b`. Source: catalogue. */
export const netset: FeedFormat = {
  name: "netset",
  options: {},
  parse: byRow(({ text, comment }) => ({ value: addressText(text), ...reasonDetail(comment) })),
};

const SPACED_RANGE =
  /^([\da-f:.]{2,45})(?:\s+-\s*|-\s+|\s+(?:to|thru|through|until|\.{2,3}|[~\u2010-\u2015])\s+)([\da-f:.]{2,45})(?:[\s,;|]|$)/i;
/**
 * By what an address of its family looks like, a text is meant for one: no count of reports, no time of day, no hardware address.
 * If it is none after all, the range is none.
 */
const LIKE_V4 = /^\d+\.\d+\.\d+\.\d/;
const LIKE_V6 = /:[\da-f]*:/i;
/** `192.0.2.0 /24`. A blank behind the slash makes it another thing: `192.0.2.7 / 24 reports`. */
const SPACED_PREFIX = /^([\da-f:.]{2,45})\s+(\/\d{1,3})(?:\s|$)/i;
/** `192.0.2.0 255.255.255.0`, `192.0.2.0 netmask 255.255.255.0`: without the mask it would be one address. */
const MASKED = /^([\d.]+)\s+(?:(?:net)?mask\s+)?([\d.]+)(?:[\s,;|]|$)/i;
/** `192.0.2.0 192.0.2.255`, as tables of networks have their first and last address. */
const PAIR = /^([\da-f:.]{2,45})\s+([\da-f:.]{2,45})(?:[\s,;|]|$)/i;
const NAMED_RANGE = /:(\d+\.\d+\.\d+\.\d+-\d+\.\d+\.\d+\.\d+)$/;

/** The address, network or range at the head of a row, without blanks. */
export function addressText(text: string): string {
  // Nearly every row of nearly every list: all other forms but the last hold a blank.
  if (!/\s/.test(text)) return NAMED_RANGE.exec(text)?.[1] ?? text;
  const masked = MASKED.exec(text);
  if (masked?.[2] !== undefined && prefixOfMask(masked[2]) !== null) return `${masked[1]}/${masked[2]}`;
  const [, start = "", length = ""] = SPACED_PREFIX.exec(text) ?? [];
  if (readFeedIp(start) !== null) return `${start}${length}`;
  const [, from = "", to = ""] = SPACED_RANGE.exec(text) ?? [];
  // "198.51.100.4 - 17 reports" is one address.
  if (readFeedIp(from) !== null && isMeantAsAddress(to, from)) return `${from}-${to.replace(/\.$/, "")}`;
  const [, first = "", last = ""] = PAIR.exec(text) ?? [];
  if (isNetwork(first, last)) return `${first}-${last}`;
  return NAMED_RANGE.exec(text)?.[1] ?? firstToken(text);
}

/** Whether two addresses are the ends of one network, which no two addresses are by chance; other pairs say nothing of what is between. */
function isNetwork(first: string, last: string): boolean {
  if (readFeedIp(first) === null || readFeedIp(last) === null || first === last) return false;
  return readAddressEntries(`${first}-${last}`).length === 1;
}

const isMeantAsAddress = (text: string, beside: string): boolean =>
  readFeedIp(text) !== null || (beside.includes(":") ? LIKE_V6 : LIKE_V4).test(text);
