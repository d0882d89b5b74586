import Papa from "papaparse";
import { recognise } from "../../api/recognise.ts";

/**
 * Rows of a pasted text or a file; empty ones have no cells. `firstLine`: the number of the first row in its file, from 1.
 * `openQuote`: the row, from 1, whose last cell begins with a quote that never ends, so that it takes in all that follows.
 */
export type Sheet = {
  readonly columns: readonly string[];
  readonly firstLine: number;
  readonly rows: readonly (readonly string[])[];
  readonly openQuote: number | null;
};

/** Reads lines, or CSV with whatever separates its columns. The first row is a head when nothing in it can be looked up. */
export function readSheet(text: string): Sheet {
  const { rows, openQuote } = rowsOf(text);
  const trimmed = rows.map((row) => row.map((cell) => cell.trim())).map(withoutEmpty);
  const head = trimmed[0] ?? [];
  const width = Math.max(1, ...trimmed.map((row) => row.length));
  const isHead = width > 1 && head.every((cell) => recognise(cell) === null);
  const columns = Array.from({ length: width }, (_, at) => (isHead && head[at]) || `Column ${at + 1}`);
  return { columns, firstLine: isHead ? 2 : 1, rows: isHead ? trimmed.slice(1) : trimmed, openQuote };
}

type Rows = { readonly rows: readonly (readonly string[])[]; readonly openQuote: number | null };

function rowsOf(text: string): Rows {
  const lines = text.split(/\r?\n/).map((line) => [line]);
  if (!/[\t,;|"]/.test(text.split("\n", 1)[0] ?? "")) return { rows: lines, openQuote: null };
  // Empty lines, the last one too, are no evidence for a separator; but they count in the numbers of the lines.
  const filled = Papa.parse<string[]>(text, { skipEmptyLines: "greedy" });
  if (areValues(lines) && !isTable(filled.data)) return { rows: lines, openQuote: null };
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: filled.meta.delimiter });
  const open = errors.find(({ code }) => code === "MissingQuotes")?.row;
  return { rows: data, openQuote: open === undefined ? null : open + 1 };
}

/** A separator may stand in a URL: lines that can all be looked up as they are need more than one to be a table. */
const areValues = (lines: Rows["rows"]): boolean =>
  lines.every(([line = ""]) => line.trim() === "" || recognise(line) !== null);

const isTable = ([first = [], ...others]: Rows["rows"]): boolean =>
  others.length > 0 && first.length > 1 && others.every(({ length }) => length === first.length);

const withoutEmpty = (row: readonly string[]): readonly string[] =>
  row.every((cell) => cell === "") ? [] : row;

/** The column that holds the most of what can be looked up. */
export function bestColumn({ rows, columns }: Sheet): number {
  const fitting = columns.map((_, at) => rows.filter((row) => recognise(row[at] ?? "") !== null).length);
  return Math.max(0, fitting.indexOf(Math.max(...fitting)));
}

/** Lines that hold anything. */
export const countLines = ({ rows }: Sheet): number => rows.filter((row) => row.length > 0).length;

const PIECE_BYTES = 200_000;

/** The rows in pieces that one call takes, each with the number of its first line. */
export function piecesOf({
  rows,
  firstLine,
}: Pick<Sheet, "rows" | "firstLine">): readonly Pick<Sheet, "rows" | "firstLine">[] {
  const encoder = new TextEncoder();
  const pieces: { firstLine: number; rows: (readonly string[])[] }[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const [at, row] of rows.entries()) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1;
    if (size + bytes > PIECE_BYTES) {
      pieces.push({ firstLine: firstLine + at, rows: [] });
      size = 0;
    }
    pieces.at(-1)?.rows.push(row);
    size += bytes;
  }
  return pieces;
}
