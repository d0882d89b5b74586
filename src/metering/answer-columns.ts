import type { CsvValue } from "../base/csv.ts";
import { RESULT_FACTS, type ResultFacts } from "../results/result.ts";

/** What came of one value of many. */
export type AnsweredValue = ResultFacts & {
  /** What it is, by the word of the command line: `ip`, `domain`; null where it is nothing that can be looked up. */
  readonly kind: string | null;
  /** As it was looked up. */
  readonly target: string | null;
  readonly state: string;
  /** Why there is no answer, or where it is. */
  readonly note: string | null;
};

const COLUMNS = ["kind", "target", "state", ...RESULT_FACTS, "note"] as const;

/** The columns that `repute check --csv` and the CSV of a bulk run have behind those that were given. */
export const ANSWER_COLUMNS: readonly string[] = COLUMNS.map((column) => `repute_${column}`);

/** The cells below them. */
export const answerCells = (value: AnsweredValue): readonly CsvValue[] =>
  COLUMNS.map((column) => value[column]);
