import { z } from "zod";
import { countReason } from "./entry-count.ts";
import {
  droppedRow,
  type FeedFormat,
  type FeedText,
  FILTERED,
  type FormatOptions,
  type RawEntry,
} from "./format.ts";
import { reasonDetail, rowsOf } from "./rows.ts";

/** Address, tab, number of lists naming it; options bound that number. Source: IPsum's README. */
export const ipsum: FeedFormat = {
  name: "ipsum",
  options: {
    min_count: z.int().min(1).optional().describe("ipsum: fewest lists that must name an entry"),
    max_count: z.int().min(1).optional().describe("ipsum: most lists that may name an entry"),
  },
  parse,
};

const ROW = /^(\S+)\s+(\d{1,4})$/;

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const min = numberOr(options["min_count"], 1);
  const max = numberOr(options["max_count"], Number.POSITIVE_INFINITY);
  for (const row of rowsOf(text)) {
    if ("dropped" in row) {
      yield row;
      continue;
    }
    const [, value, digits] = ROW.exec(row.text) ?? [];
    const count = Number(digits);
    if (value === undefined) yield droppedRow(row.text);
    else if (count < min || count > max) yield FILTERED;
    else yield { value, ...reasonDetail(countReason(count) ?? "") };
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);
