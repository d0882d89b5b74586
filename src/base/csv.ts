export type CsvValue = string | number | null;

/** A line of CSV without its end (RFC 4180); null is an empty cell. */
export const csvLine = (values: readonly CsvValue[]): string =>
  values.map((value) => (value === null ? "" : cellOf(value))).join(",");

/**
 * One cell. A spreadsheet runs what begins with `=`, `+`, `-`, `@`, also full-width, a tab or a return: an apostrophe before it makes it
 * text, also where white space stands first. What some spreadsheets split at is quoted: a formula must not begin behind it.
 * Source: OWASP, CSV injection.
 */
function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@＝＋－＠\t\r]/.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
