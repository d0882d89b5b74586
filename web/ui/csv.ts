// A spreadsheet takes these at the start of a cell for a formula, and runs it; some read `;` as a comma.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A cell that no spreadsheet runs, quoted where it must be (RFC 4180). */
function cellOf(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export type CsvRow = readonly (string | number | null)[];

/** CSV with a head, lines ended as RFC 4180 wants them. */
export const toCsv = (head: readonly string[], rows: readonly CsvRow[]): string =>
  [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

/** Lets the browser save a text as a file. */
export const saveFile = (name: string, type: string, text: string): void =>
  saveBlob(name, new Blob([text], { type }));

/** The same for a file that came from elsewhere. */
export function saveBlob(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
