import type { Style } from "../products/product.ts";
import { column, wrapped } from "../products/terminal.ts";

/** One column: its title and its width in characters. The last one may be shorter. */
export type TableColumn = {
  readonly title: string;
  readonly width: number;
  readonly isNumber?: boolean;
};

/** A table of one line for each row, columns one blank apart, cut with an ellipsis where a text is too long. */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const lineOf = (cells: readonly string[]): string =>
    columns
      .map(({ width, isNumber = false }, i) => {
        const cell = cells[i] ?? "";
        return isNumber ? column(cell.padStart(width), width) : column(cell, width);
      })
      .join(" ")
      .trimEnd();
  return [style.bold(lineOf(columns.map(({ title }) => title))), ...rows.map(lineOf)].join("\n");
}

/** Lines of a label and a value. With a style, values wrap where its lines end; without one they stay whole, to be copied. */
export function labelled(
  rows: readonly (readonly [label: string, value: string])[],
  style: Style | null = null,
): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows
    .map(([label, value]) =>
      style === null ? label.padEnd(width) + value : wrapped(label.padEnd(width), value, style.width),
    )
    .join("\n");
}

/** `1,500,000`. */
export const grouped = (count: number): string => count.toLocaleString("en-US");
