import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import type { ListingDetail } from "../../blocklist-index/types.ts";
import { formatIpv4 } from "../../targets/ip.ts";
import { type CsvDialect, type CsvFields, recordsOf, skipBlanks, splitRecord } from "./csv-records.ts";
import { detailNames, detailOf, detailOptions } from "./entry-detail.ts";
import {
  droppedRow,
  type FeedFormat,
  type FeedText,
  FILTERED,
  type FormatOptions,
  NO_VALUE,
  type RawEntry,
} from "./format.ts";
import { stripPort } from "./hostport.ts";
import { listOf, pairsOf, sharedOptions, textOption } from "./options.ts";

/** RFC 4180 with any delimiter; the first record is a header if a column is given by name. Source: catalogue. */
export const csv: FeedFormat = {
  name: "csv",
  options: {
    delimiter: z.string().length(1).optional().describe("csv: default: a comma"),
    trim: z.boolean().optional().describe("csv: drop blanks around fields; default: true"),
    comment: z.string().min(1).max(8).optional().describe("csv: start of comment lines; default: #"),
    where_min: z
      .record(z.string(), z.number())
      .optional()
      .describe("csv: only rows whose columns are at least these numbers"),
    one_line: z.boolean().optional().describe("csv: every field of every line is a value"),
    int_range: z
      .boolean()
      .optional()
      .describe("csv: the two columns of `column` are a range of IPv4 addresses as integers"),
    column: sharedOptions.column,
    where: sharedOptions.where,
    via: sharedOptions.via,
    strip_port: sharedOptions.strip_port,
    ...detailOptions,
  },
  parse,
};

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const records = recordsOf(text.lines(), dialectOf(options), dataReader(options));
  if (options["one_line"] === true) {
    for (const record of records) {
      if ("dropped" in record) yield record;
      else yield* valuesOfLine(record);
    }
    return;
  }
  let reader: RowReader | null = null;
  for (const record of records) {
    if ("dropped" in record) yield record;
    else if (reader === null) {
      reader = readerOf(record, options);
      if (!reader.hasHeader) yield* reader.read(record);
    } else yield* reader.read(record);
  }
}

function valuesOfLine(fields: CsvFields): readonly RawEntry[] {
  const values = fields.filter((field) => field !== "").map((value) => ({ value }));
  return values.length === 0 ? [NO_VALUE] : values;
}

type RowReader = { readonly hasHeader: boolean; readonly read: (fields: CsvFields) => readonly RawEntry[] };

function readerOf(first: CsvFields, options: FormatOptions): RowReader {
  const wanted = options["column"] === undefined ? [0] : listOf(options["column"]);
  const where = pairsOf(options["where"]);
  const whereMin = pairsOf(options["where_min"]);
  const names = [...wanted, ...[...where, ...whereMin].map(([name]) => name), ...detailNames(options)];
  const hasHeader = names.some((name) => typeof name === "string" && !/^\d+$/.test(name));
  const indexOf = (name: string | number): number => columnIndex(name, first, hasHeader);
  const columns = wanted.map(indexOf);
  const equals = where.map(([name, value]) => [indexOf(name), value] as const);
  const atLeast = whereMin.map(([name, value]) => [indexOf(name), Number(value)] as const);
  const read = (fields: CsvFields): readonly RawEntry[] => {
    const others = equals.filter(([column, value]) => fields[column] !== value);
    if (others.length > 0) return [others.every(([column]) => column in fields) ? FILTERED : NO_VALUE];
    const smaller = atLeast.filter(([column, least]) => !(numberAt(fields, column) >= least));
    if (smaller.length > 0) {
      return [smaller.some(([column]) => Number.isNaN(numberAt(fields, column))) ? NO_VALUE : FILTERED];
    }
    return valuesOf(
      fields,
      columns,
      options,
      detailOf(options, (name) => fields[indexOf(name)]),
    );
  };
  return { hasHeader, read };
}

/** NaN for what is no number as a whole: `1,200` is 1200 to some publishers and 1.2 to others. A percent sign may follow. */
function numberAt(fields: CsvFields, column: number): number {
  const field = (fields[column] ?? "").trim();
  const text = field.endsWith("%") ? field.slice(0, -1).trimEnd() : field;
  return text === "" ? Number.NaN : Number(text);
}

/** A header may stand behind a comment sign, and names are compared without regard to case. */
function columnIndex(name: string | number, header: CsvFields, hasHeader: boolean): number {
  if (typeof name === "number") return name;
  const found = hasHeader ? header.findIndex((field) => sameName(field, name)) : -1;
  if (found >= 0) return found;
  if (/^\d+$/.test(name)) return Number(name);
  throw new InvalidValue("csv_column", `The header has no column "${name}"`);
}

const sameName = (field: string, name: string): boolean =>
  field.trim().replace(/^#\s*/, "").toLowerCase() === name.trim().toLowerCase();

function valuesOf(
  fields: CsvFields,
  columns: readonly number[],
  options: FormatOptions,
  detail: { detail?: ListingDetail },
): readonly RawEntry[] {
  const values = columns.map((column) => fields[column] ?? "");
  if (options["int_range"] === true) return [integerRange(values)];
  const present = values.filter((value) => value !== "");
  if (present.length === 0) return [droppedRow(fields.join(","))];
  const bare = options["strip_port"] === true ? present.map(stripPort) : present;
  return bare.map((value) => ({ value, ...detail }));
}

function integerRange([from = "", to = ""]: CsvFields): RawEntry {
  if (!/^\d{1,10}$/.test(from) || !/^\d{1,10}$/.test(to)) return droppedRow(`${from}-${to}`);
  if (Number(to) > 0xffff_ffff || Number(from) > Number(to)) return droppedRow(`${from}-${to}`);
  return { value: `${formatIpv4(Number(from))}-${formatIpv4(Number(to))}` };
}

const dialectOf = (options: FormatOptions): CsvDialect => ({
  delimiter: textOption(options, "delimiter") ?? ",",
  trim: options["trim"] !== false,
});

/** The data of a line, null for empty ones and comments; neither exists inside a quoted field. A header in a comment is data behind its sign. */
function dataReader(options: FormatOptions): (line: string) => string | null {
  const comment = textOption(options, "comment") ?? "#";
  const { delimiter } = dialectOf(options);
  let mayBeHeader = hasNamedColumn(options);
  return (line) => {
    const start = line.trimStart();
    if (start === "") return null;
    let data = line;
    if (start.startsWith(comment)) {
      data = start.slice(skipBlanks(start, comment.length, delimiter));
      if (!mayBeHeader || !isHeader(data, options)) return null;
    }
    mayBeHeader = false;
    return data;
  };
}

const hasNamedColumn = (options: FormatOptions): boolean =>
  listOf(options["column"]).some((name) => typeof name === "string" && !/^\d+$/.test(name));

/** Whether the words of a comment are the header: it holds every wanted name (pitfall 17). */
function isHeader(words: string, options: FormatOptions): boolean {
  const fields = splitRecord(words, { ...dialectOf(options), trim: true });
  if (fields === "open") return false;
  return listOf(options["column"]).every((name) => fields.some((field) => sameName(field, String(name))));
}
