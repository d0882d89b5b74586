import { prefixOfMask } from "../addresses.ts";
import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { firstToken, reasonDetail, rowsOf } from "./rows.ts";

/** Addresses, CIDRs, networks with a mask and ranges `a-b`, one a line, also p2p style `name:a-b`. Source: catalogue. */
export const netset: FeedFormat = { name: "netset", options: {}, parse };

const SPACED_RANGE = /^(\S+)\s+-\s*(\S+)|^(\S+)-\s+(\S+)/;
/** `192.0.2.0 255.255.255.0`: without the mask it would be one address. */
const MASKED = /^([\d.]+)\s+([\d.]+)(?:\s|$)/;
const NAMED_RANGE = /:(\d+\.\d+\.\d+\.\d+-\d+\.\d+\.\d+\.\d+)$/;

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield { value: entryText(row.text), ...reasonDetail(row.comment) };
  }
}

function entryText(text: string): string {
  const masked = MASKED.exec(text);
  if (masked?.[2] !== undefined && prefixOfMask(masked[2]) !== null) return `${masked[1]}/${masked[2]}`;
  if (!text.includes("-")) return firstToken(text);
  const spaced = SPACED_RANGE.exec(text);
  if (spaced) return `${spaced[1] ?? spaced[3]}-${spaced[2] ?? spaced[4]}`;
  return NAMED_RANGE.exec(text)?.[1] ?? firstToken(text);
}
