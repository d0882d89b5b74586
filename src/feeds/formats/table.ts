import { z } from "zod";
import { readAddressEntries } from "../addresses.ts";
import { countOf, countOptions } from "./entry-detail.ts";
import { droppedRow, type FeedFormat, type FormatOptions, type RawEntry } from "./format.ts";
import { sharedOptions } from "./options.ts";
import { byRow, type ListRow, reasonDetail } from "./rows.ts";

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
  parse: byRow(entryOf),
};

function entryOf({ text, comment }: ListRow, options: FormatOptions): RawEntry {
  const column = typeof options["column"] === "number" ? options["column"] : 0;
  const fields = text.split(/\s+/);
  const value = options["first_address"] === true ? fields.find(isAddress) : fields[column];
  const count = typeof options["count"] === "number" ? countOf(options, fields[options["count"]]) : null;
  const reason = [count ?? "", comment].filter((part) => part !== "").join(": ");
  return value === undefined ? droppedRow(text) : { value, ...reasonDetail(reason) };
}

const isAddress = (field: string): boolean => readAddressEntries(field).length > 0;
