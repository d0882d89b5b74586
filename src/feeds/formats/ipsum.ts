import { z } from "zod";
import { countReason } from "./entry-count.ts";
import { droppedRow, type FeedFormat, FILTERED, type FormatOptions, type RawEntry } from "./format.ts";
import { byRow, type ListRow, reasonDetail } from "./rows.ts";

/** Address, tab, number of lists naming it; options bound that number. Source: IPsum's README. */
export const ipsum: FeedFormat = {
  name: "ipsum",
  options: {
    min_count: z.int().min(1).optional().describe("ipsum: fewest lists that must name an entry"),
    max_count: z.int().min(1).optional().describe("ipsum: most lists that may name an entry"),
  },
  parse: byRow(entryOf),
};

const ROW = /^(\S+)\s+(\d{1,4})$/;

function entryOf({ text }: ListRow, options: FormatOptions): RawEntry {
  const [, value, digits] = ROW.exec(text) ?? [];
  if (value === undefined) return droppedRow(text);
  const count = Number(digits);
  const isWanted =
    count >= numberOr(options["min_count"], 1) &&
    count <= numberOr(options["max_count"], Number.POSITIVE_INFINITY);
  return isWanted ? { value, ...reasonDetail(countReason(count) ?? "") } : FILTERED;
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);
