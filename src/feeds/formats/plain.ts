import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { addressText } from "./netset.ts";
import { sharedOptions } from "./options.ts";
import { firstToken, reasonDetail, rowsOf } from "./rows.ts";

/** What begins as an address may be a range or have its mask behind a blank: its first token would be one address of it. */
const ADDRESS_START = /^[\da-f]*[.:][\da-f.:]*\s*-?\s/i;

/** One value per line: the first blank-separated token; a trailing comment is the reason. Source: catalogue. */
export const plain: FeedFormat = { name: "plain", options: { via: sharedOptions.via }, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield { value: valueText(row.text), ...reasonDetail(row.comment) };
  }
}

const valueText = (text: string): string => (ADDRESS_START.test(text) ? addressText(text) : firstToken(text));
