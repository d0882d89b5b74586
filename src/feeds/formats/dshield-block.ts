import { countReason } from "./entry-count.ts";
import { droppedRow, type FeedFormat, type FeedText, type RawEntry } from "./format.ts";
import { reasonDetail, rowsOf } from "./rows.ts";

const ROW = /^([\d.]{7,15})\s+([\d.]{7,15})\s+(\d{1,2})(?:\s+(\d{1,9}))?(?:\s|$)/;

/** Columns start, end, prefix length, attacks, name, country; a header without a comment sign. Source: catalogue. */
export const dshieldBlock: FeedFormat = { name: "dshield_block", options: {}, parse };

function* parse(text: FeedText): Generator<RawEntry> {
  for (const row of rowsOf(text)) {
    if ("dropped" in row) {
      yield row;
      continue;
    }
    const [, start, , prefix, attacks] = ROW.exec(row.text) ?? [];
    if (start !== undefined)
      yield { value: `${start}/${prefix}`, ...reasonDetail(countReason(attacks, "attacks") ?? "") };
    else if (!/^start\b/i.test(row.text)) yield droppedRow(row.text);
  }
}
