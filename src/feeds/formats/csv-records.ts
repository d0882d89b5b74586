import { type DroppedRow, droppedRow, MAX_LINE_CHARS } from "./format.ts";

export type CsvDialect = {
  /** One character. */
  readonly delimiter: string;
  /** Whether blanks around fields are dropped. */
  readonly trim: boolean;
};

export type CsvFields = readonly string[];

/**
 * Records of one line or more. Where a quote opens a field that does not end as one, its line is dropped and those behind
 * it are read anew. A line begins a record only with the data that `dataOf` finds in it; inside a quoted field every line
 * counts.
 */
export function* recordsOf(
  lines: Iterable<string | DroppedRow>,
  dialect: CsvDialect,
  dataOf: (line: string) => string | null,
): Generator<CsvFields | DroppedRow> {
  const window: Window = { lines: [], ...NOTHING_KNOWN };
  for (const line of linesAndEnd(lines)) {
    if (typeof line !== "string") yield line;
    else {
      window.lines.push(line);
      let step: Step = "skipped";
      while (step !== "needs more") {
        step = readFirst(window, dialect, dataOf);
        if (typeof step === "object") yield step;
      }
    }
  }
}

/** Behind the last line; no line is it. */
const END = "\n";

function* linesAndEnd(lines: Iterable<string | DroppedRow>): Generator<string | DroppedRow> {
  yield* lines;
  yield END;
}

type Step = CsvFields | DroppedRow | "skipped" | "needs more";

/**
 * The lines that are not read yet. What a line does to an open field is the same whatever line opened it, and is found
 * out once: a list of quotes that never end takes time in proportion to its length.
 */
type Window = {
  readonly lines: string[];
  /** Whether the first line begins a record that goes on behind it. */
  isFirstOpen: boolean;
  /** How many lines behind the first are known to leave an open field open, and their characters with line ends. */
  inside: number;
  insideChars: number;
  /** Of the line behind those, once it is known. */
  next: Continuation | null;
};

/** Reads the record that the first line begins, if its end is there. */
function readFirst(window: Window, dialect: CsvDialect, dataOf: (line: string) => string | null): Step {
  let first = window.lines[0];
  if (first === undefined) return "needs more";
  if (!window.isFirstOpen) {
    const data = first === END ? null : dataOf(first);
    const fields = data === null ? "skipped" : splitRecord(data, dialect);
    if (fields !== "open") {
      removeFirst(window);
      return fields;
    }
    window.isFirstOpen = true;
    first = data ?? "";
    window.lines[0] = first;
  }
  while (first.length + window.insideChars <= MAX_LINE_CHARS) {
    const line = window.lines[window.inside + 1];
    if (line === undefined) return "needs more";
    window.next ??= continuationOf(line, dialect);
    if (window.next === "ends") return readToNext(window, dialect);
    if (window.next === "broken") break;
    window.inside++;
    window.insideChars += line.length + 1;
    window.next = null;
  }
  removeFirst(window);
  return droppedRow(first);
}

function removeFirst(window: Window): void {
  window.isFirstOpen = false;
  window.lines.shift();
  if (window.inside === 0) window.next = null;
  else {
    window.inside--;
    window.insideChars -= (window.lines[0]?.length ?? 0) + 1;
  }
}

function readToNext(window: Window, dialect: CsvDialect): Step {
  const record = window.lines.splice(0, window.inside + 2).join("\n");
  Object.assign(window, NOTHING_KNOWN);
  const fields = splitRecord(record, dialect);
  return fields === "open" ? droppedRow(record) : fields;
}

const NOTHING_KNOWN = { isFirstOpen: false, inside: 0, insideChars: 0, next: null };

/** What a line does to a field that is open: it ends the record, leaves a field open, or shows that the quote opened none. */
type Continuation = "ends" | "open" | "broken";

function continuationOf(line: string, dialect: CsvDialect): Continuation {
  if (line === END) return "broken";
  const end = closingQuote(line, 0);
  if (end < 0) return "open";
  const at = line.indexOf(dialect.delimiter, end + 1);
  if (line.slice(end + 1, at < 0 ? line.length : at).trim() !== "") return "broken";
  return at >= 0 && splitRecord(line.slice(at + 1), dialect) === "open" ? "open" : "ends";
}

/** CsvFields of one record; "open": a quoted field has no end yet. `""` inside quotes is one quote. */
export function splitRecord(line: string, { delimiter, trim }: CsvDialect): CsvFields | "open" {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const start = trim ? skipBlanks(line, at, delimiter) : at;
    if (line[start] === '"') {
      const end = closingQuote(line, start + 1);
      if (end < 0) return "open";
      fields.push(line.slice(start + 1, end).replaceAll('""', '"'));
      at = line.indexOf(delimiter, end + 1);
    } else {
      at = line.indexOf(delimiter, start);
      const field = line.slice(start, at < 0 ? line.length : at);
      fields.push(trim ? field.trim() : field);
    }
    if (at < 0) return fields;
    at++;
  }
}

/** Where the blanks at `from` end; one that is the delimiter is none. */
export function skipBlanks(line: string, from: number, delimiter: string): number {
  let at = from;
  while ((line[at] === " " || line[at] === "\t") && line[at] !== delimiter) at++;
  return at;
}

/** The first quote at or behind `from` that is not one of a pair; -1 if there is none. */
function closingQuote(line: string, from: number): number {
  let at = from;
  for (;;) {
    at = line.indexOf('"', at);
    if (at < 0 || line[at + 1] !== '"') return at;
    at += 2;
  }
}
