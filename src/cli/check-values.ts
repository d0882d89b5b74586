import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import papa from "papaparse";
import { InvalidValue } from "../base/failure.ts";

/** A value as it was given, and the line that it stood on. */
export type GivenValue = { readonly line: number; readonly text: string };

/** Members of a JSON line, and titles of a CSV column, that hold the value; the first that is there counts. */
const MEMBERS = ["value", "target", "indicator", "ip", "domain", "url", "email"];

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

/** The lines that say something, without blanks around them. */
async function* linesOf(file: string, stdin: Readable): AsyncGenerator<GivenValue> {
  const input = file === "-" ? stdin : createReadStream(file);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  input.once("error", reject);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (let line = 1; ; line += 1) {
    const next = await Promise.race([lines.next(), failed]);
    if (next.done === true) return;
    const text = next.value.replace("\uFEFF", "").trim();
    if (text !== "" && !text.startsWith("#")) yield { line, text };
  }
}

function formatOf(file: string): Format | null {
  const end = file.toLowerCase().split(".").at(-1);
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
    throw new InvalidValue("json", `Line ${line} is no JSON`);
  }
}

/** The cells of one line; rows over several lines are not read. */
const cellsOf = (text: string): readonly string[] =>
  papa.parse<string[]>(text, { delimiter: "" }).data[0] ?? [];
