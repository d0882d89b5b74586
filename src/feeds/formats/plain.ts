import { readFeedIp } from "../addresses.ts";
import type { FeedFormat } from "./format.ts";
import { addressText } from "./netset.ts";
import { sharedOptions } from "./options.ts";
import { byRow, firstToken, reasonDetail } from "./rows.ts";

/** One value per line: the first blank-separated token; a trailing comment is the reason. Source: catalogue. */
export const plain: FeedFormat = {
  name: "plain",
  options: { via: sharedOptions.via },
  parse: byRow(({ text, comment }) => ({ value: valueText(text), ...reasonDetail(comment) })),
};

/** An address may be half of a range, or have its mask behind a blank. */
function valueText(text: string): string {
  const token = firstToken(text);
  const isAddress = token.length < text.length && readFeedIp(token.replace(/-$/, "")) !== null;
  return isAddress ? addressText(text) : token;
}
