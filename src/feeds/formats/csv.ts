import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import type { ListingDetail } from "../../blocklist-index/types.ts";
import { formatIpv4 } from "../../targets/ip.ts";
import { detailNames, detailOf, detailOptions } from "./entry-detail.ts";
import {
  type DroppedRow,
  droppedRow,
  type FeedFormat,
  type FeedText,
  FILTERED,
  type FormatOptions,
  MAX_LINE_CHARS,
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

type Fields = readonly string[];

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const records = recordsOf(text, options);
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

function valuesOfLine(fields: Fields): readonly RawEntry[] {
  const values = fields.filter((field) => field !== "").map((value) => ({ value }));
  return values.length === 0 ? [NO_VALUE] : values;
}

type RowReader = { readonly hasHeader: boolean; readonly read: (fields: Fields) => readonly RawEntry[] };

function readerOf(first: Fields, options: FormatOptions): RowReader {
  const wanted = options["column"] === undefined ? [0] : listOf(options["column"]);
  const where = pairsOf(options["where"]);
  const whereMin = pairsOf(options["where_min"]);
  const names = [...wanted, ...[...where, ...whereMin].map(([name]) => name), ...detailNames(options)];
  const hasHeader = names.some((name) => typeof name === "string" && !/^\d+$/.test(name));
  const indexOf = (name: string | number): number => columnIndex(name, first, hasHeader);
  const columns = wanted.map(indexOf);
  const equals = where.map(([name, value]) => [indexOf(name), value] as const);
  const atLeast = whereMin.map(([name, value]) => [indexOf(name), Number(value)] as const);
  const read = (fields: Fields): readonly RawEntry[] => {
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

const numberAt = (fields: Fields, column: number): number => Number.parseFloat(fields[column] ?? "");

/** A header may stand behind a comment sign, and names are compared without regard to case. */
function columnIndex(name: string | number, header: Fields, hasHeader: boolean): number {
  if (typeof name === "number") return name;
  const found = hasHeader ? header.findIndex((field) => sameName(field, name)) : -1;
  if (found >= 0) return found;
  if (/^\d+$/.test(name)) return Number(name);
  throw new InvalidValue("csv_column", `The header has no column "${name}"`);
}

const sameName = (field: string, name: string): boolean =>
  field.trim().replace(/^#\s*/, "").toLowerCase() === name.trim().toLowerCase();

function valuesOf(
  fields: Fields,
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

function integerRange([from = "", to = ""]: Fields): RawEntry {
  if (!/^\d{1,10}$/.test(from) || !/^\d{1,10}$/.test(to)) return droppedRow(`${from}-${to}`);
  if (Number(to) > 0xffff_ffff || Number(from) > Number(to)) return droppedRow(`${from}-${to}`);
  return { value: `${formatIpv4(Number(from))}-${formatIpv4(Number(to))}` };
}

/** Records of one line or more. Where a quote opens a field that does not end as one, its line is dropped and those behind it are read anew. */
function* recordsOf(text: FeedText, options: FormatOptions): Generator<Fields | DroppedRow> {
  const delimiter = textOption(options, "delimiter") ?? ",";
  const trim = options["trim"] !== false;
  const dataOf = dataReader(options);
  let open: string[] = [];
  let openChars = 0;
  /** Lines to read anew, the next one last. */
  const waiting: string[] = [];
  /** Takes a line; returns what it ends. */
  const take = (line: string): Fields | DroppedRow | null => {
    const isFirst = open.length === 0;
    const data = isFirst ? dataOf(line) : line;
    if (data === null || (isFirst && line === END)) return null;
    open.push(data);
    openChars += data.length + (isFirst ? 0 : 1);
    const record = isFirst || mayClose(line) ? endOf(line, open) : "open";
    if (record === "open" && openChars <= MAX_LINE_CHARS) return null;
    const [first = "", ...others] = open;
    open = [];
    openChars = 0;
    if (typeof record === "object") return record;
    waiting.push(...others.reverse());
    return droppedRow(first);
  };
  const endOf = (line: string, lines: readonly string[]) =>
    line === END ? "broken" : splitRecord(lines.join("\n"), delimiter, trim);
  for (const line of linesAndEnd(text)) {
    if (typeof line === "object") yield line;
    else {
      for (let next: string | undefined = line; next !== undefined; next = waiting.pop()) {
        const ended = take(next);
        if (ended !== null) yield ended;
      }
    }
  }
}

/** Whether a line may end a quoted field that lines before it opened: it has a quote that is not one of a pair. */
const mayClose = (line: string): boolean => line === END || line.replaceAll('""', "").includes('"');

/** Behind the last line; no line is it. */
const END = "\n";

function* linesAndEnd(text: FeedText): Generator<string | DroppedRow> {
  yield* text.lines();
  yield END;
}

/** The data of a line, null for empty ones and comments; neither exists inside a quoted field. A header in a comment is data behind its sign. */
function dataReader(options: FormatOptions): (line: string) => string | null {
  const comment = textOption(options, "comment") ?? "#";
  const delimiter = textOption(options, "delimiter") ?? ",";
  let mayBeHeader = hasNamedColumn(options);
  return (line) => {
    const start = line.trimStart();
    if (start === "") return null;
    let data = line;
    if (start.startsWith(comment)) {
      data = start.slice(skipBlanks(start, comment.length, delimiter));
      if (!mayBeHeader || !isHeader(data, delimiter, options)) return null;
    }
    mayBeHeader = false;
    return data;
  };
}

const hasNamedColumn = (options: FormatOptions): boolean =>
  listOf(options["column"]).some((name) => typeof name === "string" && !/^\d+$/.test(name));

/** Whether the words of a comment are the header: it holds every wanted name (pitfall 17). */
function isHeader(words: string, delimiter: string, options: FormatOptions): boolean {
  const fields = splitRecord(words, delimiter, true);
  if (typeof fields === "string") return false;
  return listOf(options["column"]).every((name) => fields.some((field) => sameName(field, String(name))));
}

/**
 * Fields of one record. "open": a quoted field has no end yet; "broken": one over several lines has more behind its end.
 * `""` inside quotes is one quote.
 */
function splitRecord(line: string, delimiter: string, trim: boolean): Fields | "open" | "broken" {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const start = trim ? skipBlanks(line, at, delimiter) : at;
    if (line[start] === '"') {
      const quoted = quotedField(line, start, delimiter);
      if (typeof quoted === "string") return quoted;
      fields.push(quoted.field);
      at = quoted.at;
    } else {
      at = line.indexOf(delimiter, start);
      const field = line.slice(start, at < 0 ? line.length : at);
      fields.push(trim ? field.trim() : field);
    }
    if (at < 0) return fields;
    at++;
  }
}

/** The field between quotes, and where the delimiter behind it is, or -1. */
function quotedField(
  line: string,
  start: number,
  delimiter: string,
): { readonly field: string; readonly at: number } | "open" | "broken" {
  const end = closingQuote(line, start);
  if (end < 0) return "open";
  const field = line.slice(start + 1, end);
  const at = line.indexOf(delimiter, end + 1);
  const isEnd = line.slice(end + 1, at < 0 ? line.length : at).trim() === "";
  return isEnd || !field.includes("\n") ? { field: field.replaceAll('""', '"'), at } : "broken";
}

function skipBlanks(line: string, from: number, delimiter: string): number {
  let at = from;
  while ((line[at] === " " || line[at] === "\t") && line[at] !== delimiter) at++;
  return at;
}

function closingQuote(line: string, open: number): number {
  let at = open + 1;
  for (;;) {
    at = line.indexOf('"', at);
    if (at < 0 || line[at + 1] !== '"') return at;
    at += 2;
  }
}
