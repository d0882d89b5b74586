import { readFeedIp } from "../addresses.ts";
import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { addressText } from "./netset.ts";
import { sharedOptions } from "./options.ts";
import { firstToken, reasonDetail, rowsOf } from "./rows.ts";

/** One value per line: the first blank-separated token; a trailing comment is the reason. Source: catalogue. */
export const plain: FeedFormat = { name: "plain", options: { via: sharedOptions.via }, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield { value: valueText(row.text), ...reasonDetail(row.comment) };
  }
}

/** An address may be half of a range, or have its mask behind a blank. */
function valueText(text: string): string {
  const token = firstToken(text);
  const isAddress = token.length < text.length && readFeedIp(token.replace(/-$/, "")) !== null;
  return isAddress ? addressText(text) : token;
}
