import type { FeedFormat, FeedText, RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

/** RFC 8805: `CIDR,country,region,city,postal`; only the network counts here. */
export const geofeed: FeedFormat = { name: "geofeed", options: {}, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else
      yield {
        value:
          row.text
            .split(",", 1)[0]
            ?.trim()
            .replace(/^"(.*)"$/, "$1") ?? "",
      };
  }
}
