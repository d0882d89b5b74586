import { readIp } from "../../targets/ip.ts";
import { droppedRow, type FeedFormat, FILTERED, type RawEntry } from "./format.ts";
import { byRow, type ListRow, reasonDetail } from "./rows.ts";

/** `0` is the short spelling of lists that are to be small. */
const SINKS = new Set(["0.0.0.0", "127.0.0.1", "0", "::", "::1"]);
const isSink = (text: string): boolean => SINKS.has(text) || SINKS.has(readIp(text)?.text ?? "");
/** What the files of operating systems name: a whole domain such as `ip6-check.example` is none of them. */
const LOCAL_NAME = /^(local|localhost\d*|.*\.localdomain\d*|broadcasthost|ip6-[a-z0-9-]*|0\.0\.0\.0)$/i;

/**
 * `ADDRESS NAME [NAME…]` with the address 0.0.0.0, 127.0.0.1, :: or ::1 in any spelling; the names count, well-known local ones
 * are passed over. Source: catalogue, pitfall 14.
 */
export const hosts: FeedFormat = { name: "hosts", options: {}, parse: byRow(namesOf) };

function namesOf({ text, comment }: ListRow): RawEntry | readonly RawEntry[] {
  const [address = "", ...names] = text.split(/\s+/);
  // `ff02::1 ip6-allnodes` and the like belong to every hosts file.
  if (!isSink(address)) return LOCAL_NAME.test(names[0] ?? "") ? FILTERED : droppedRow(text);
  if (names.length === 0) return droppedRow(text);
  return names.map((name) => (LOCAL_NAME.test(name) ? FILTERED : { value: name, ...reasonDetail(comment) }));
}
