import { prefixOfMask } from "../addresses.ts";
import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { firstToken, reasonDetail, rowsOf } from "./rows.ts";

/** Addresses, CIDRs, networks with a mask and ranges `a-b`, one a line, also p2p style `name:a-b`. Source: catalogue. */
export const netset: FeedFormat = { name: "netset", options: {}, parse };

/** Both halves are addresses: "198.51.100.4 - scanner" is one address and a word. */
const SPACED_RANGE =
  /^([\d.]{7,}|[\da-f:.]*:[\da-f:.]*)(?:\s+-\s*|-\s+)([\d.]{7,}|[\da-f:.]*:[\da-f:.]*)(?:\s|$)/i;
/** `192.0.2.0 255.255.255.0`: without the mask it would be one address. */
const MASKED = /^([\d.]+)\s+([\d.]+)(?:\s|$)/;
const NAMED_RANGE = /:(\d+\.\d+\.\d+\.\d+-\d+\.\d+\.\d+\.\d+)$/;

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield { value: addressText(row.text), ...reasonDetail(row.comment) };
  }
}

/** The address, network or range at the head of a row, without blanks. */
export function addressText(text: string): string {
  const masked = MASKED.exec(text);
  if (masked?.[2] !== undefined && prefixOfMask(masked[2]) !== null) return `${masked[1]}/${masked[2]}`;
  if (!text.includes("-")) return firstToken(text);
  const spaced = SPACED_RANGE.exec(text);
  if (spaced) return `${spaced[1]}-${spaced[2]}`;
  return NAMED_RANGE.exec(text)?.[1] ?? firstToken(text);
}
