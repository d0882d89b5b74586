import { adblock } from "./adblock.ts";
import { csv } from "./csv.ts";
import type { FeedFormat } from "./format.ts";
import { hostport } from "./hostport.ts";
import { hosts } from "./hosts.ts";
import { ipsum } from "./ipsum.ts";
import { json } from "./json.ts";
import { mispWarninglist } from "./misp-warninglist.ts";
import { ndjson } from "./ndjson.ts";
import { netset } from "./netset.ts";
import { plain } from "./plain.ts";

/** Every list format. */
export const allFormats: readonly FeedFormat[] = [
  plain,
  netset,
  hosts,
  adblock,
  csv,
  json,
  ndjson,
  mispWarninglist,
  hostport,
  ipsum,
];
