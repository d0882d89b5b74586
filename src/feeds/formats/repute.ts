import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import { type CsvDialect, recordsOf } from "./csv-records.ts";
import { detailOf } from "./entry-detail.ts";
import {
  type DroppedRow,
  droppedRow,
  type FeedFormat,
  type FeedText,
  FILTERED,
  type FormatOptions,
  type RawEntry,
} from "./format.ts";
import { isMembers, type Members, memberOf } from "./members.ts";
import { readJsonLine } from "./ndjson.ts";

/** An export of another Repute, in its `ndjson` or `csv` form: with each entry its score and sources, its categories and dates. */
export const repute: FeedFormat = {
  name: "repute",
  options: {
    min_score: z.int().min(1).max(100).optional().describe("repute: lowest score of an entry that counts"),
  },
  parse,
};

const VALUE = "value";
const DETAIL = { first_seen: "first_seen", last_seen: "last_seen", tags: "categories", note: "note" };
const NAMED_SOURCES = 8;

function* parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const least = typeof options["min_score"] === "number" ? options["min_score"] : 0;
  for (const row of isNdjson(text) ? objectsOf(text) : recordsByName(text)) {
    if ("dropped" in row) yield row.dropped;
    else yield entryOf(row.members, row.line, least);
  }
}

type Row = { readonly members: Members; readonly line: string } | { readonly dropped: DroppedRow };

function isNdjson(text: FeedText): boolean {
  for (const line of text.lines()) {
    const start = (typeof line === "string" ? line : line.dropped).trimStart();
    if (start !== "") return start.startsWith("{");
  }
  return false;
}

function* objectsOf(text: FeedText): Generator<Row> {
  for (const line of text.lines()) {
    if (typeof line !== "string") yield { dropped: line };
    else if (line.trim() !== "") {
      const members = readJsonLine(line);
      yield isMembers(members) ? { members, line } : { dropped: droppedRow(line) };
    }
  }
}

const DIALECT: CsvDialect = { delimiter: ",", trim: false };

function* recordsByName(text: FeedText): Generator<Row> {
  let header: readonly string[] | null = null;
  for (const record of recordsOf(text.lines(), DIALECT, (line) => (line === "" ? null : line))) {
    if (header === null) {
      header = "dropped" in record ? [] : record;
      if (!header.includes(VALUE)) {
        throw new InvalidValue("repute_export", "Expected an export of Repute in its ndjson or csv form");
      }
    } else if ("dropped" in record) yield { dropped: record };
    else yield { members: membersOf(header, record), line: record.join(",") };
  }
}

const membersOf = (header: readonly string[], record: readonly string[]): Members =>
  Object.fromEntries(record.map((field, i) => [header[i] ?? "", withoutMark(field)]));

/** The csv form marks what a spreadsheet would take for a formula, and what has such a mark already. */
const withoutMark = (field: string): string => (/^'+[=+@\t\r-]/.test(field) ? field.slice(1) : field);

function entryOf(members: Members, line: string, least: number): RawEntry {
  const value = memberOf(members, VALUE);
  if (typeof value !== "string" || value === "") return droppedRow(line);
  const score = scoreOf(memberOf(members, "score"));
  if (score === null) return droppedRow(line);
  if (score < least) return FILTERED;
  return {
    value,
    ...detailOf(DETAIL, (name) =>
      name === DETAIL.note
        ? noteOf(score, listOf(memberOf(members, "sources")))
        : memberOf(members, String(name)),
    ),
  };
}

/** 0: it has none. Null: what stands there is no score. */
function scoreOf(cell: unknown): number | null {
  if (cell === undefined || cell === null || cell === "") return 0;
  const isNumeral = typeof cell === "string" && /^\d{1,3}(?:\.\d{1,20})?$/.test(cell);
  const score = typeof cell === "number" || isNumeral ? Number(cell) : Number.NaN;
  return score >= 0 && score <= 100 ? score : null;
}

const listOf = (cell: unknown): readonly string[] =>
  (Array.isArray(cell) ? cell : typeof cell === "string" ? cell.split(";") : []).filter(
    (part) => typeof part === "string" && part !== "",
  );

/** Why the other one lists it: `Score 61: net_attacks, own_reports`. Ranges that are never to be blocked have no score. */
function noteOf(score: number, sources: readonly string[]): string {
  const named = sources.slice(0, NAMED_SOURCES).join(", ");
  const more = sources.length > NAMED_SOURCES ? ` and ${sources.length - NAMED_SOURCES} more` : "";
  return [...(score > 0 ? [`Score ${score}`] : []), ...(named === "" ? [] : [named + more])].join(": ");
}
