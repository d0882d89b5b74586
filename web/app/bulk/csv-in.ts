import Papa from "papaparse";
import type { ProductWord } from "../../api/products.ts";
import { fits, valueFor } from "../../api/recognise.ts";

/** Rows of a pasted text or a file; all have the width of the widest. */
export type Sheet = { readonly rows: readonly (readonly string[])[]; readonly columns: readonly string[] };

/** One value to ask about, and the line it stood in, from 1. */
export type Entry = { readonly value: string; readonly line: number };

/** A value that stood in an earlier line already. */
export type Repeated = Entry & { readonly firstLine: number };

export type Checked = {
  readonly good: readonly Entry[];
  readonly wrong: readonly Entry[];
  readonly repeated: readonly Repeated[];
};

/** Reads lines, or CSV with whatever separates its columns. The first row is a head when nothing in it fits. */
export function readSheet(text: string, word: ProductWord): Sheet {
  const isSheet = /[\t,;|"]/.test(text.split("\n", 1)[0] ?? "");
  const rows = isSheet
    ? Papa.parse<string[]>(text, { skipEmptyLines: false }).data
    : text.split(/\r?\n/).map((line) => [line]);
  const trimmed = rows.map((row) => row.map((cell) => cell.trim()));
  const head = trimmed[0] ?? [];
  const width = Math.max(0, ...trimmed.map((row) => row.length));
  const isHead = width > 1 && head.every((cell) => !fits(word, cell));
  const columns = Array.from({ length: width }, (_, at) => (isHead && head[at]) || `Column ${at + 1}`);
  // Its line stays, so that the numbers of the others are right.
  return { columns, rows: isHead ? [[], ...trimmed.slice(1)] : trimmed };
}

/** The column that fits the product best. */
export function bestColumn({ rows, columns }: Sheet, word: ProductWord): number {
  const fitting = columns.map((_, at) => rows.filter((row) => fits(word, row[at] ?? "")).length);
  return Math.max(0, fitting.indexOf(Math.max(...fitting)));
}

/** Sorts the values of a column into what can be sent, what cannot, and what stood there before. */
export function checkColumn({ rows }: Sheet, column: number, word: ProductWord): Checked {
  const good: Entry[] = [];
  const wrong: Entry[] = [];
  const repeated: Repeated[] = [];
  const seen = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const written = row[column] ?? "";
    if (written === "") continue;
    const line = at + 1;
    const value = valueFor(word, written);
    if (value === null) {
      wrong.push({ value: written, line });
      continue;
    }
    const firstLine = seen.get(value.toLowerCase());
    if (firstLine !== undefined) repeated.push({ value, line, firstLine });
    else {
      good.push({ value, line });
      seen.set(value.toLowerCase(), line);
    }
  }
  return { good, wrong, repeated };
}
