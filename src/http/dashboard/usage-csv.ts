import type { UsageRow } from "../../accounts/shapes.ts";

const COLUMNS = ["day", "endpoint", "key_prefix", "key_name", "status", "calls", "items", "credits"] as const;

/** Rows of the roll-up as CSV (RFC 4180), UTF-8 with its mark, as a spreadsheet wants it. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cellOf(row[column])));
  return `\uFEFF${[COLUMNS, ...lines].map((cells) => `${cells.join(",")}\r\n`).join("")}`;
}

/**
 * One cell. A spreadsheet runs what begins with `=`, `+`, `-`, `@`, also full-width, a tab or a return: an apostrophe before it makes it
 * text, also where white space stands first. What some spreadsheets split at is quoted: a formula must not begin behind it.
 * Source: OWASP, CSV injection.
 */
export function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@＝＋－＠\t\r]/.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
