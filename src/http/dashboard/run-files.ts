import { type CsvValue, csvLine } from "../../base/csv.ts";
import { ANSWER_COLUMNS, answerCells } from "../../metering/answer-columns.ts";
import { PRODUCTS } from "../../products/all.ts";
import { resultFactsOf } from "../../results/result.ts";
import type { Run, RunItem } from "../../runs/run.ts";

type Lines = AsyncIterable<RunItem & { readonly report: string | null }>;

const lineOf = (values: readonly CsvValue[]): string => `${csvLine(values)}\r\n`;

/** A run as CSV (RFC 4180), UTF-8 with its mark: the given columns, and behind them what was found. */
export async function* csvOf({ columns }: Run, lines: Lines): AsyncGenerator<string> {
  yield `\uFEFF${lineOf([...columns, ...ANSWER_COLUMNS])}`;
  for await (const item of lines) {
    const given = columns.map((_, at) => item.cells[at] ?? "");
    const target = item.product === null ? null : item.target;
    yield lineOf([...given, ...answerCells({ ...item, target, kind: kindOf(item), note: noteOf(item) })]);
  }
}

const kindOf = ({ product }: RunItem): string | null =>
  PRODUCTS.find(({ name }) => name === product)?.cli.word ?? null;

const noteOf = ({ note, sameAs }: RunItem): string | null =>
  note ?? (sameAs === null ? null : `Same target as line ${sameAs}`);

/** The same as a JSON list, each line with its whole report where that is still kept. */
export async function* jsonOf({ columns }: Run, lines: Lines): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const { report, cells, sameAs, ...item } of lines) {
    const given = columns.map((name, at) => ({ name, value: cells[at] ?? "" }));
    const { line, product, target, state, note, credits } = item;
    const head = { line, given, product, target, state, same_as: sameAs, note, credits };
    const text = JSON.stringify({ ...head, ...resultFactsOf(item) });
    yield `${separator}${text.slice(0, -1)},"report":${report ?? "null"}}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}
