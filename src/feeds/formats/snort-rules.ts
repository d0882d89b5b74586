import { z } from "zod";
import {
  droppedRow,
  type FeedFormat,
  type FeedText,
  type FormatOptions,
  NO_VALUE,
  type RawEntry,
} from "./format.ts";
import { rowsOf } from "./rows.ts";

const ADDRESSES = /\[([\d.,:a-f/]+)\]/i;
const DNS_CONTENT = /dns[._]query;\s*content:"([^"|]{1,253})"/;

/**
 * `alert …` rules: the addresses in `[…]`, or, with `kind: dns`, whole names that `dns.query` is compared with.
 * A content that is only a part of a name has no `bsize` or `endswith`-from-the-start and is passed over.
 * Source: catalogue, format vocabulary.
 */
export const snortRules: FeedFormat = {
  name: "snort_rules",
  options: {
    kind: z.enum(["ip", "dns"]).optional().describe("snort_rules: what the rules name; default: ip"),
  },
  parse,
};

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const read = options["kind"] === "dns" ? readNames : readAddresses;
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else if (row.text.startsWith("alert ")) yield* read(row.text);
    else yield droppedRow(row.text);
  }
}

function readAddresses(rule: string): RawEntry[] {
  const listed = ADDRESSES.exec(rule)?.[1];
  return listed === undefined ? [NO_VALUE] : listed.split(",").map((value) => ({ value: value.trim() }));
}

/** Only a rule whose `bsize` is the content's length compares the whole name. */
function readNames(rule: string): RawEntry[] {
  const content = DNS_CONTENT.exec(rule)?.[1];
  const size = /\bbsize:(\d{1,3})\b/.exec(rule)?.[1];
  return content !== undefined && Number(size) === content.length ? [{ value: content }] : [NO_VALUE];
}
