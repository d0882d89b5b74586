import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { sharedOptions } from "./options.ts";
import { firstToken, reasonDetail, rowsOf } from "./rows.ts";

/** One value per line: the first blank-separated token; a trailing comment is the reason. Source: catalogue. */
export const plain: FeedFormat = { name: "plain", options: { via: sharedOptions.via }, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield { value: firstToken(row.text), ...reasonDetail(row.comment) };
  }
}
