import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import papa from "papaparse";
import { InvalidValue } from "../base/failure.ts";
import type { Question } from "./check-question.ts";
import { inputPieces } from "./input-pieces.ts";

/** A value as it was given, and the line that it stood on. */
export type GivenValue = {
  readonly line: number;
  readonly text: string;
  /** What is asked, where it was said; else the value is recognised. */
  readonly question?: Question;
};

/** Members of a JSON line, and titles of a CSV column, that hold the value; the first that is there counts. */
const MEMBERS = ["value", "target", "indicator", "ip", "domain", "url", "email"];

/** Characters: what has no line ends is no list. */
const MAX_LINE = 65_536;

const NO_TEXT = "The input is not text: wanted are lines in UTF-8, also packed by gzip";

const FORMATS = ["plain", "csv", "ndjson"] as const;
type Format = (typeof FORMATS)[number];

/**
 * The values of a file, or of standard input for `-`, one line at a time: nothing but the line at hand is kept. Plain lines (`#` begins a
 * comment), CSV (the column with a known title, or the first) and NDJSON (texts, or objects with a known member). Throws
 * InvalidValue where a line cannot be read.
 */
export async function* readValues(file: string, stdin: Readable): AsyncGenerator<GivenValue> {
  let format: Format | null = formatOf(file);
  let column: number | null = null;
  for await (const { line, text } of linesOf(file, stdin)) {
    if (text === "" || text.startsWith("#")) continue;
    format ??= text.startsWith("{") || text.startsWith('"') ? "ndjson" : "plain";
    if (format === "csv" && column === null) {
      const title = titleIn(text);
      column = title ?? 0;
      if (title !== null) continue;
    }
    const value = valueIn(text, { format, column: column ?? 0, line });
    if (value !== "") yield { line, text: value };
  }
}

/** The lines that say something, without blanks around them. Throws where one has no end. */
async function* linesOf(file: string, stdin: Readable): AsyncGenerator<GivenValue> {
  const decoder = new StringDecoder("utf8");
  let line = 0;
  let rest = "";
  const given = (text: string): GivenValue => {
    line += 1;
    if (text.length > MAX_LINE)
      throw new InvalidValue("line", `Line ${line} is longer than ${MAX_LINE} characters`);
    return { line, text: text.replace("\uFEFF", "").trim() };
  };
  let isFirst = true;
  for await (const piece of inputPieces(file, stdin)) {
    // A program or a picture would make an error of each of its lines.
    if (isFirst && piece.includes(0)) throw new InvalidValue("binary", NO_TEXT);
    isFirst = false;
    const lines = `${rest}${decoder.write(piece)}`.split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) yield given(one);
    if (rest.length > MAX_LINE) given(rest);
  }
  yield given(rest + decoder.end());
}

function formatOf(file: string): Format | null {
  const end = file.toLowerCase().replace(/\.gz$/, "").split(".").at(-1);
  if (end === "csv") return "csv";
  return end === "ndjson" || end === "jsonl" ? "ndjson" : null;
}

type Place = { readonly format: Format; readonly column: number; readonly line: number };

/** The column with a known title in a first line of CSV; null: the line has no titles. */
function titleIn(text: string): number | null {
  const column = cellsOf(text).findIndex((cell) => MEMBERS.includes(cell.trim().toLowerCase()));
  return column < 0 ? null : column;
}

function valueIn(text: string, { format, column, line }: Place): string {
  if (format === "plain") return text;
  if (format === "csv") return (cellsOf(text)[column] ?? "").trim();
  const value = parsed(text, line);
  if (typeof value === "string") return value;
  const members = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  const found = MEMBERS.map((name) => members.get(name)).find((member) => typeof member === "string");
  if (typeof found === "string") return found;
  throw new InvalidValue("no_value", `Line ${line} has no value: wanted is one of ${MEMBERS.join(", ")}`);
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidValue("json", `Line ${line} is not JSON`);
  }
}

/** The cells of one line; rows over several lines are not read. */
const cellsOf = (text: string): readonly string[] =>
  papa.parse<string[]>(text, { delimiter: "" }).data[0] ?? [];
