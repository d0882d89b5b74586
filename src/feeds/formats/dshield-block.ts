import { countReason } from "./entry-count.ts";
import { droppedRow, type FeedFormat } from "./format.ts";
import { byRow, type ListRow, reasonDetail } from "./rows.ts";

const ROW = /^([\d.]{7,15})\s+([\d.]{7,15})\s+(\d{1,2})(?:\s+(\d{1,9}))?(?:\s|$)/;

/** Columns start, end, prefix length, attacks, name, country; a header without a comment sign. Source: catalogue. */
export const dshieldBlock: FeedFormat = { name: "dshield_block", options: {}, parse: byRow(entryOf) };

function entryOf({ text }: ListRow) {
  const [, start, , prefix, attacks] = ROW.exec(text) ?? [];
  if (start === undefined) return /^start\b/i.test(text) ? [] : droppedRow(text);
  return { value: `${start}/${prefix}`, ...reasonDetail(countReason(attacks, "attacks") ?? "") };
}
