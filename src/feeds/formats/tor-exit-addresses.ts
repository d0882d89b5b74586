import { readFeedDate } from "../retrieval/published-date.ts";
import { droppedRow, type FeedFormat, type FeedText, NO_VALUE, type RawEntry } from "./format.ts";
import { rowsOf } from "./rows.ts";

const EXIT = /^ExitAddress\s+(\S+)(?:\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?/;
const ABOUT_RELAY = /^(ExitNode|Published|LastStatus)\s/;

/** `ExitAddress ADDRESS DATE TIME` lines of TorDNSEL's export; other lines describe the relay. Source: catalogue. */
export const torExitAddresses: FeedFormat = { name: "tor_exit_addresses", options: {}, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) {
      yield row;
      continue;
    }
    const [, value, seen] = EXIT.exec(row.text) ?? [];
    if (value === undefined) {
      yield ABOUT_RELAY.test(row.text) ? NO_VALUE : droppedRow(row.text);
      continue;
    }
    const lastSeen = readFeedDate(seen);
    yield { value, ...(lastSeen === null ? {} : { detail: { lastSeen } }) };
  }
}
