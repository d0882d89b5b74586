import type { CsvRow } from "../../ui/csv.ts";
import type { Checked } from "./csv-in.ts";
import type { Summary } from "./summary.ts";

export const CSV_HEAD = ["input", "status", "verdict", "score", "detections", "engines", "note"];

type Line = { readonly line: number; readonly row: CsvRow };

const notSent = (value: string, note: string): CsvRow => [value, "not_sent", "", null, null, null, note];

/** One row for each line that was given, in its order: what came back, or why it was not sent. */
export function csvRows({ good, wrong, repeated }: Checked, results: readonly Summary[]): readonly CsvRow[] {
  const answered = good.map(({ value, line }, at): Line => {
    const result = results[at];
    return { line, row: result === undefined ? notSent(value, "Stopped before it was sent") : rowOf(result) };
  });
  const left = [
    ...wrong.map(({ value, line }) => ({
      line,
      row: notSent(value, `Line ${line}: not like a valid value`),
    })),
    ...repeated.map(({ value, line, firstLine }) => ({
      line,
      row: notSent(value, `Line ${line}: the same as line ${firstLine}`),
    })),
  ];
  return [...answered, ...left].toSorted((a, b) => a.line - b.line).map(({ row }) => row);
}

const rowOf = ({ input, status, verdict, score, detections, engines, note }: Summary): CsvRow => [
  input,
  status,
  verdict,
  score,
  detections,
  engines,
  note,
];
