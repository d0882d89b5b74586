import { readFeedDate } from "../retrieval/published-date.ts";
import { droppedRow, type FeedFormat, NO_VALUE, type RawEntry } from "./format.ts";
import { byRow, type ListRow } from "./rows.ts";

const EXIT = /^ExitAddress\s+(\S+)(?:\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?/;
const ABOUT_RELAY = /^(ExitNode|Published|LastStatus)\s/;

/** `ExitAddress ADDRESS DATE TIME` lines of TorDNSEL's export; other lines describe the relay. Source: catalogue. */
export const torExitAddresses: FeedFormat = {
  name: "tor_exit_addresses",
  options: {},
  parse: byRow(entryOf),
};

function entryOf({ text }: ListRow): RawEntry {
  const [, value, seen] = EXIT.exec(text) ?? [];
  if (value === undefined) return ABOUT_RELAY.test(text) ? NO_VALUE : droppedRow(text);
  const lastSeen = readFeedDate(seen);
  return { value, ...(lastSeen === null ? {} : { detail: { lastSeen } }) };
}
