import type { Run, RunItem } from "../../runs/run.ts";
import { cellOf } from "./usage-csv.ts";

/** The columns that are appended to the given ones. */
const OURS = [
  "repute_kind",
  "repute_target",
  "repute_state",
  "repute_verdict",
  "repute_score",
  "repute_detections",
  "repute_engines",
  "repute_note",
] as const;

type Lines = AsyncIterable<RunItem & { readonly report: string | null }>;

const lineOf = (values: readonly (string | number | null)[]): string =>
  `${values.map((value) => (value === null ? "" : cellOf(value))).join(",")}\r\n`;

/** A run as CSV (RFC 4180), UTF-8 with its mark: the given columns, and behind them what was found. */
export async function* csvOf({ columns }: Run, lines: Lines): AsyncGenerator<string> {
  yield `\uFEFF${lineOf([...columns, ...OURS])}`;
  for await (const item of lines) {
    const given = columns.map((_, at) => item.cells[at] ?? "");
    yield lineOf([
      ...given,
      item.product,
      item.target,
      item.state,
      item.verdict,
      item.score,
      item.detections,
      item.engines,
      noteOf(item),
    ]);
  }
}

const noteOf = ({ note, sameAs }: RunItem): string | null =>
  note ?? (sameAs === null ? null : `Same target as line ${sameAs}`);

/** The same as a JSON list, each line with its whole report where that is still kept. */
export async function* jsonOf({ columns }: Run, lines: Lines): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const { report, cells, sameAs, ...item } of lines) {
    const given = columns.map((name, at) => ({ name, value: cells[at] ?? "" }));
    const { line, product, target, state, note, credits, verdict, score } = item;
    const { detections, engines } = item;
    const head = { line, given, product, target, state, same_as: sameAs, note, credits };
    const text = JSON.stringify({ ...head, verdict, score, detections, engines });
    yield `${separator}${text.slice(0, -1)},"report":${report ?? "null"}}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}
