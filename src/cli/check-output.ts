import { z } from "zod";
import { printableLine } from "../base/clean-text.ts";
import { counted } from "../base/counted.ts";
import { csvLine } from "../base/csv.ts";
import { InvalidValue } from "../base/failure.ts";
import { ANSWER_COLUMNS, answerCells } from "../metering/answer-columns.ts";
import { answerFacts, scoreOf } from "../metering/answer-facts.ts";
import type { Style } from "../products/product.ts";
import { wrapped } from "../products/terminal.ts";
import type { ResultFacts } from "../results/result.ts";
import { BANDS } from "../risk/shapes.ts";
import type { CliContext } from "./command.ts";

/** What became of one value. */
export type Checked = {
  readonly input: string;
  /** Null where the value is nothing that can be looked up. */
  readonly kind: string | null;
  /** As it is looked up; null where it cannot be. */
  readonly target: string | null;
  /** `invalid`: the value is wrong; `failed`: no source answered. */
  readonly state: "done" | "failed" | "invalid";
  /** The answer's JSON; null when there is none. */
  readonly json: string | null;
  readonly error: string | null;
};

/** An answer, which `failure` says that no source gave. */
export const checkedOf = (answer: Omit<Checked, "state" | "error">, failure: string | null): Checked => ({
  ...answer,
  state: failure === null ? "done" : "failed",
  error: failure,
});

/** Verdict and score of an answer's JSON, whatever view it has; null where it has none. */
const factsOf = (json: string | null): ResultFacts => answerFacts(json === null ? null : JSON.parse(json));

const bandOf = (json: string | null): string | null =>
  json === null ? null : (scoreOf(JSON.parse(json))?.band ?? null);

/** A line of NDJSON: the answer as it is, or what was wrong with the value. */
const ndjsonLine = ({ input, kind, json, error }: Checked): string =>
  `${json ?? JSON.stringify({ input, kind: kind ?? "unrecognised", error })}\n`;

const csvHead = (isJudged: boolean): string =>
  `${csvLine(["input", ...ANSWER_COLUMNS, ...(isJudged ? ["repute_action"] : [])])}\n`;

/** A row of CSV: the value as it was given, what was found, and what the policy does with it. */
function csvRow(checked: Checked, isJudged: boolean): string {
  const cells = answerCells({ ...checked, ...factsOf(checked.json), note: checked.error });
  const judged = isJudged ? [dispositionOf(checked)?.action ?? null] : [];
  return `${csvLine([checked.input, ...cells, ...judged])}\n`;
}

const judged = z.object({
  disposition: z.object({
    policy: z.string(),
    action: z.enum(["allow", "challenge", "block"]),
    because: z.array(z.string()),
  }),
});

/** What a policy says of an answer; null where none was asked, and without an answer. */
function dispositionOf({ json }: Checked): z.output<typeof judged>["disposition"] | null {
  const read = json === null ? null : judged.safeParse(JSON.parse(json));
  return read?.data?.disposition ?? null;
}

/** `Policy edge: block (own_c2, spamhaus)`. */
function dispositionLine(checked: Checked, style: Style): string | null {
  const found = dispositionOf(checked);
  if (found === null) return null;
  const { policy, action, because } = found;
  const why = because.length === 0 ? "" : ` (${because.map(printableLine).join(", ")})`;
  const text = wrapped("", `Policy ${printableLine(policy)}: ${action}${why}`, style.width, 2);
  return text.replace(`: ${action}`, `: ${inkOf(action, style)(action)}`);
}

const inkOf = (action: string, style: Style): ((text: string) => string) =>
  action === "allow" ? style.good : action === "block" ? style.bad : style.warn;

/** One line for a person: verdict and score before the value, which may be long. */
function personLine(checked: Checked, { style }: Pick<CliContext, "style">): string {
  const disposition = dispositionOf(checked);
  const action =
    disposition === null ? "" : `${inkOf(disposition.action, style)(disposition.action.padEnd(9))} `;
  const input = printableLine(checked.input);
  if (checked.error !== null)
    return `${style.warn("error".padEnd(15))}     ${input}: ${printableLine(checked.error)}`;
  const { verdict, score } = factsOf(checked.json);
  const word = (verdict ?? checked.kind ?? "").replaceAll("_", " ").padEnd(15);
  const isBad = verdict !== null && ["suspicious", "elevated", "high", "critical"].includes(verdict);
  const paint = isBad ? style.bad : verdict === "unknown" ? style.warn : style.good;
  return `${paint(word)} ${String(score ?? "").padStart(3)} ${action}${input}`;
}

/** Exit status when a value reached the band of `--fail-on`. */
export const FAIL_STATUS = 3;

const ORDER: readonly string[] = BANDS;

/** The band of `--fail-on`; null when none was typed. Throws InvalidValue. */
export function readBand(text: string | null): string | null {
  if (text === null || ORDER.includes(text)) return text;
  throw new InvalidValue("band", `There is no band "${text}", expected one of ${BANDS.join(", ")}`);
}

/** How answers are printed, and which exit status they make. */
export type Reporter = {
  /** A value of many, in a line. */
  readonly line: (checked: Checked) => void;
  /** A value that was typed, with its whole report for a person. */
  readonly whole: (checked: Checked, text: () => string) => void;
  /** 3 when a value reached the band, else 1 when one has no answer, else 0. */
  readonly end: () => number;
};

export type Wish = {
  readonly failOn: string | null;
  readonly isCsv: boolean;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether a policy was asked for. */
  readonly isJudged: boolean;
};

/** Prints answers in the form that was asked for, and keeps what the exit status needs. Throws InvalidValue. */
export function createReporter(
  { failOn, isCsv, isJson, isQuiet, isJudged }: Wish,
  context: CliContext,
): Reporter {
  if (isCsv && isJson) throw new InvalidValue("format", "--csv or --json, not both");
  let [failed, lines, reached, rows, reports] = [0, 0, false, 0, 0];
  const note = ({ json, error }: Checked) => {
    if (error !== null) failed += 1;
    if (failOn === null) return;
    const band = bandOf(json);
    if (band !== null && ORDER.indexOf(band) >= ORDER.indexOf(failOn)) reached = true;
  };
  const piece = (checked: Checked) => {
    if (isCsv) context.printPiece(`${rows === 0 ? csvHead(isJudged) : ""}${csvRow(checked, isJudged)}`);
    else context.printJsonPiece(ndjsonLine(checked));
    rows += 1;
  };
  return {
    line: (checked) => {
      note(checked);
      lines += 1;
      if (isQuiet) return;
      if (isCsv || isJson) piece(checked);
      else context.print(personLine(checked, context));
    },
    whole: (checked, text) => {
      note(checked);
      if (checked.error !== null) context.warn(`error: ${checked.error}`);
      if (isQuiet) return;
      if (isCsv || isJson) piece(checked);
      else {
        const said = dispositionLine(checked, context.style);
        const gap = reports++ === 0 ? "" : "\n";
        context.print(`${gap}${text()}${said === null ? "" : `\n\n${said}`}`);
      }
    },
    end: () => {
      if (failed > 0 && lines > 0)
        context.warn(`${failed} of ${counted(lines, "value")} could not be looked up`);
      // What was asked for goes first: a value that is none must not hide one that reached the band.
      if (reached) return FAIL_STATUS;
      return failed > 0 ? 1 : 0;
    },
  };
}
