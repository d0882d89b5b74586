import { z } from "zod";
import { droppedRow, type FeedFormat, NO_VALUE, type RawEntry } from "./format.ts";
import { byRow } from "./rows.ts";

/** Where source and destination stand in `alert tcp SOURCE PORTS -> DESTINATION PORTS`. */
const SIDES = [2, 5];
const ADDRESS_START = /^!?(?:\d{1,3}\.|[\da-f]*:[\da-f]*:)/i;
const DNS_CONTENT =
  /dns[._]query;\s*(?:(?:bsize:\d{1,3}|nocase|fast_pattern|startswith|endswith);\s*)*content:"([^"|]{1,253})"/;

/**
 * `alert …` rules: the addresses of their source or else of their destination, or, with `kind: dns`, whole names that `dns.query` is compared with.
 * A content that is only a part of a name has no `bsize` or `endswith`-from-the-start and is passed over.
 * Source: catalogue, format vocabulary.
 */
export const snortRules: FeedFormat = {
  name: "snort_rules",
  options: {
    kind: z.enum(["ip", "dns"]).optional().describe("snort_rules: what the rules name; default: ip"),
  },
  parse: byRow(({ text }, { kind }) => {
    if (!text.startsWith("alert ")) return droppedRow(text);
    return kind === "dns" ? readNames(text) : readAddresses(text);
  }),
};

function readAddresses(rule: string): RawEntry[] {
  const [head = ""] = rule.split("(", 1);
  const parts = partsOf(head);
  for (const side of SIDES) {
    const listed = addressesOf(parts[side] ?? "");
    if (listed.length > 0) return listed.map((value) => ({ value }));
  }
  return [NO_VALUE];
}

/** The parts of a rule's head: words, and lists in brackets, which may have blanks. */
function partsOf(head: string): readonly string[] {
  const parts: string[] = [];
  let words: string[] = [];
  let depth = 0;
  for (const word of head.split(/\s+/)) {
    words.push(word);
    depth += word.split("[").length - word.split("]").length;
    if (depth > 0) continue;
    parts.push(words.join(" "));
    words = [];
    depth = 0;
  }
  return parts;
}

/** What one side of a rule names beside variables and `any`. One that it leaves out keeps its `!`: it is no entry, and shown as such. */
function addressesOf(side: string): readonly string[] {
  if (side.startsWith("!")) return [];
  const isList = side.startsWith("[") && side.endsWith("]");
  const parts = (isList ? side.slice(1, -1) : side).split(",");
  return parts.map((part) => part.trim()).filter((part) => ADDRESS_START.test(part));
}

/** Only a rule whose `bsize` is the content's length compares the whole name. */
function readNames(rule: string): RawEntry[] {
  const content = DNS_CONTENT.exec(rule)?.[1];
  const size = /\bbsize:(\d{1,3})\b/.exec(rule)?.[1];
  return content !== undefined && Number(size) === content.length ? [{ value: content }] : [NO_VALUE];
}
