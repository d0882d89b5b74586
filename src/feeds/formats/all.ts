import { abusechCsv } from "./abusech-csv.ts";
import { adblock } from "./adblock.ts";
import { csv } from "./csv.ts";
import { dshieldBlock } from "./dshield-block.ts";
import type { FeedFormat } from "./format.ts";
import { geofeed } from "./geofeed.ts";
import { hostport } from "./hostport.ts";
import { hosts } from "./hosts.ts";
import { ipsum } from "./ipsum.ts";
import { json } from "./json.ts";
import { mispWarninglist } from "./misp-warninglist.ts";
import { ndjson } from "./ndjson.ts";
import { netset } from "./netset.ts";
import { plain } from "./plain.ts";
import { repute } from "./repute.ts";
import { snortRules } from "./snort-rules.ts";
import { table } from "./table.ts";
import { torExitAddresses } from "./tor-exit-addresses.ts";
import { ut1Tgz } from "./ut1-tgz.ts";

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
  abusechCsv,
  table,
  dshieldBlock,
  snortRules,
  torExitAddresses,
  geofeed,
  ut1Tgz,
  repute,
];
