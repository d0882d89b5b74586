import type { FeedFormat } from "./format.ts";
import { byRow } from "./rows.ts";

/** RFC 8805: `CIDR,country,region,city,postal`; only the network counts here. */
export const geofeed: FeedFormat = {
  name: "geofeed",
  options: {},
  parse: byRow(({ text }) => ({ value: (text.split(",", 1)[0] ?? "").trim().replace(/^"(.*)"$/, "$1") })),
};
