import type { UsageRow } from "../../accounts/shapes.ts";
import { csvLine } from "../../base/csv.ts";

const COLUMNS = ["day", "endpoint", "key_prefix", "key_name", "status", "calls", "items", "credits"] as const;

/** Rows of the roll-up as CSV (RFC 4180), UTF-8 with its mark, as a spreadsheet wants it. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => row[column]));
  return `\uFEFF${[COLUMNS, ...lines].map((cells) => `${csvLine(cells)}\r\n`).join("")}`;
}
