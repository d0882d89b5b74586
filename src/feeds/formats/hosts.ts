import { readIp } from "../../targets/ip.ts";
import { droppedRow, type FeedFormat, type FeedText, FILTERED, type RawEntry } from "./format.ts";
import { reasonDetail, rowsOf } from "./rows.ts";

/** `0` is the short spelling of lists that are to be small. */
const SINKS = new Set(["0.0.0.0", "127.0.0.1", "0", "::", "::1"]);
const isSink = (text: string): boolean => SINKS.has(text) || SINKS.has(readIp(text)?.text ?? "");
/** What the files of operating systems name: a whole domain such as `ip6-check.example` is none of them. */
const LOCAL_NAME = /^(local|localhost\d*|.*\.localdomain\d*|broadcasthost|ip6-[a-z0-9-]*|0\.0\.0\.0)$/i;

/**
 * `ADDRESS NAME [NAME…]` with the address 0.0.0.0, 127.0.0.1, :: or ::1 in any spelling; the names count, well-known local ones
 * are passed over. Source: catalogue, pitfall 14.
 */
export const hosts: FeedFormat = { name: "hosts", options: {}, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) yield row;
    else yield* namesOf(row.text, row.comment);
  }
}

function* namesOf(text: string, comment: string): Generator<RawEntry> {
  const [address = "", ...names] = text.split(/\s+/);
  const isLocal = LOCAL_NAME.test(names[0] ?? "");
  if (!isSink(address)) {
    // `ff02::1 ip6-allnodes` and the like belong to every hosts file.
    yield isLocal ? FILTERED : droppedRow(text);
    return;
  }
  if (names.length === 0) yield droppedRow(text);
  for (const name of names) {
    yield LOCAL_NAME.test(name) ? FILTERED : { value: name, ...reasonDetail(comment) };
  }
}
