import { z } from "zod";
import { readAddressEntries } from "../addresses.ts";
import { countOf, countOptions } from "./entry-detail.ts";
import { droppedRow, type FeedFormat, type FeedText, type FormatOptions, type RawEntry } from "./format.ts";
import { sharedOptions } from "./options.ts";
import { reasonDetail, rowsOf } from "./rows.ts";

/** Columns separated by any run of blanks and tabs. Source: catalogue, format vocabulary. */
export const table: FeedFormat = {
  name: "table",
  options: {
    column: sharedOptions.column,
    ...countOptions,
    first_address: z
      .boolean()
      .optional()
      .describe("table: the value is the first thing on the line that is an address"),
  },
  faultOf: ({ column }) =>
    column === undefined || typeof column === "number"
      ? null
      : { option: "column", message: 'The format "table" takes "column" as a 0-based number only' },
  parse,
};

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const column = typeof options["column"] === "number" ? options["column"] : 0;
  for (const row of rowsOf(text)) {
    if ("dropped" in row) {
      yield row;
      continue;
    }
    const fields = row.text.split(/\s+/);
    const value = options["first_address"] === true ? fields.find(isAddress) : fields[column];
    const count = typeof options["count"] === "number" ? countOf(options, fields[options["count"]]) : null;
    const reason = [count ?? "", row.comment].filter((part) => part !== "").join(": ");
    yield value === undefined ? droppedRow(row.text) : { value, ...reasonDetail(reason) };
  }
}

const isAddress = (field: string): boolean => readAddressEntries(field).length > 0;
