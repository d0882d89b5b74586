import { csv } from "./csv.ts";
import type { FeedFormat } from "./format.ts";

/**
 * abuse.ch's exports: a `#` comment block whose last line is the header, then quoted fields with a blank behind
 * the comma. The reader of `csv` knows both. Source: catalogue, format vocabulary.
 */
export const abusechCsv: FeedFormat = { name: "abusech_csv", options: csv.options, parse: csv.parse };
