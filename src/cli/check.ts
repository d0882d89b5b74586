import { InvalidValue } from "../base/failure.ts";
import { noScore, resultText } from "../metering/disposition.ts";
import { prepareLookup } from "../metering/single.ts";
import { PRODUCTS } from "../products/all.ts";
import type { Deps } from "../products/deps.ts";
import type { SealedProduct } from "../products/product.ts";
import { VIEWS, type View } from "../products/views.ts";
import type { Policy } from "../risk/policy.ts";
import { checkMany } from "./check-many.ts";
import {
  type Checked,
  checkedOf,
  createReporter,
  FAIL_STATUS,
  type Reporter,
  readBand,
  type Wish,
} from "./check-output.ts";
import { bodyOf, type Question, questionOf } from "./check-question.ts";
import { checkAtServer } from "./check-server.ts";
import { type GivenValue, readValues } from "./check-values.ts";
import { type CliContext, defineCommand, type Invocation, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";
import { namedPolicy } from "./named-policy.ts";
import { grouped } from "./table.ts";

const TYPED = PRODUCTS.flatMap(({ cli: { word, type } }) =>
  type === undefined ? [] : [`for ${word}: ${type.takes}`],
).join("; ");

/** `repute check`: lookups of any product, without an account, or by a running service. */
export const command = defineCommand({
  help: {
    examples: [
      "repute check 8.8.8.8",
      "repute check --file visitors.txt --offline --csv > verdicts.csv",
      "REPUTE_KEY=rpt_… repute check example.com --server https://rep.example",
    ],
    page: "answers.md",
  },
  arguments: [
    {
      name: "value",
      summary: `What to look up, or - for lines of standard input; before a single value, what it is: ${PRODUCTS.map(({ cli }) => cli.word).join(", ")}`,
      isRepeated: true,
    },
  ],
  options: [
    { flags: "--type <type>", summary: `What is asked for; ${TYPED}` },
    {
      flags: "--policy <name>",
      summary: "Say what this policy does with each: allow, challenge, block (`disposition`)",
    },
    { flags: "--view <view>", summary: `How much is told: ${VIEWS.join(", ")}; default: standard` },
    { flags: "--file <file>", summary: "A value on each line: plain, .csv or .ndjson, also packed by gzip" },
    { flags: "--csv", summary: "Print CSV: a row for each value" },
    { ...JSON_OPTION, summary: "Print one JSON value; for several, one on each line" },
    {
      flags: "--fail-on <band>",
      summary: `Exit with ${FAIL_STATUS} when a value reaches this band, also where another could not be looked up`,
    },
    { flags: "--quiet", summary: "Print nothing but failures; the exit status tells" },
    { flags: "--offline", summary: "Ask local lists alone: no DNS, no connection" },
    {
      flags: "--server <url>",
      summary:
        "Ask this running service, with the key in REPUTE_KEY: a line for each value, whole answers with --json",
    },
  ],
  run: async (invocation, context) => {
    const { repeated, option, has } = invocation;
    const view = viewOf(option("view") ?? "standard");
    const reporter = createReporter(wishOf(invocation), context);
    const stream = streamOf(repeated("value"), option("file"));
    const server = option("server");
    const isOffline = has("offline");
    if (isOffline && server !== null) throw new InvalidValue("offline", "--offline or --server, not both");
    if (stream !== null && option("type") !== null) {
      throw new InvalidValue("type", `--type goes with values named one by one: ${OF_LINES}`);
    }
    const questions = stream === null ? questionsOf(repeated("value"), option("type")) : [];
    const values = stream === null ? listed(questions) : readValues(stream, context.stdin());
    const named = option("policy");
    if (named !== null) refuseUnscored(questions, named);
    if (server !== null) {
      const asked = { server, view, policy: named };
      return report(checkAtServer(values, asked, context), { reporter, context });
    }
    const policy = named === null ? null : await policyOf(named, context);
    const status = await withLookups(
      context,
      ({ deps }) =>
        stream === null
          ? checkFew(questions, { deps, view, policy, reporter, context, isJson: has("json") })
          : report(checkMany(values, { deps, view, policy }), { reporter, context }),
      null,
      { isOffline },
    );
    const isForPerson = !(has("json") || has("csv") || has("quiet"));
    if (isOffline && isForPerson) context.print(context.style.dim(OFFLINE));
    return status;
  },
});

const wishOf = ({ option, has }: Invocation): Wish => ({
  failOn: readBand(option("fail-on")),
  isCsv: has("csv"),
  isJson: has("json"),
  isQuiet: has("quiet"),
  isJudged: option("policy") !== null,
});

/** Throws InvalidValue where there is no such policy. */
async function policyOf(name: string, { config }: CliContext): Promise<Policy> {
  const { definePolicies } = await import("../risk/policy-options.ts");
  return namedPolicy(definePolicies((await config()).file.policies), name);
}

/** Throws InvalidValue where something is asked that a policy cannot judge. */
function refuseUnscored(questions: readonly Question[], policy: string): void {
  for (const { product } of questions) {
    if (!product.isScored) throw new InvalidValue("no_score", noScore(policy, product.name).msg);
  }
}

/** The file that values come from, `-` for standard input; null when they were typed. Throws InvalidValue. */
function streamOf(values: readonly string[], file: string | null): string | null {
  if (file !== null && values.length > 0) {
    const [first = ""] = values;
    const isKind = PRODUCTS.some(({ cli }) => cli.word === first);
    const advice = isKind ? `${OF_LINES}, so leave "${first}" out` : "Values or --file, not both";
    throw new InvalidValue("file", advice);
  }
  if (file !== null) return file;
  return values.length === 1 && values[0] === "-" ? "-" : null;
}

const OF_LINES = "what each line of a file is gets recognised";
const OFFLINE = "Local lists alone were asked (--offline): nothing was sent";

async function* listed(questions: readonly Question[]): AsyncGenerator<GivenValue> {
  for (const [at, question] of questions.entries()) yield { line: at + 1, text: question.value, question };
}

type Reporting = { readonly reporter: Reporter; readonly context: CliContext };

async function report(answers: AsyncIterable<Checked>, { reporter, context }: Reporting): Promise<number> {
  const startedMs = context.clock.monotonicMs();
  let shownMs = startedMs;
  let count = 0;
  try {
    for await (const checked of answers) {
      reporter.line(checked);
      await context.drained();
      count += 1;
      const nowMs = context.clock.monotonicMs();
      if (nowMs - shownMs < 200) continue;
      shownMs = nowMs;
      const rate = Math.round((count * 1000) / (nowMs - startedMs));
      context.progress(`${grouped(count)} values, ${grouped(rate)} a second`);
    }
  } finally {
    context.progress(null);
  }
  if (count === 0) context.warn("There is no value in the input: nothing was looked up");
  return reporter.end();
}

type Few = {
  readonly deps: Deps;
  readonly view: View;
  readonly policy: Policy | null;
  readonly reporter: Reporter;
  readonly context: CliContext;
  readonly isJson: boolean;
};

/** Values that were typed: each with its whole report. */
async function checkFew(
  questions: readonly Question[],
  { deps, view, policy, reporter, context, isJson }: Few,
): Promise<number> {
  for (const question of questions) {
    const { product, value } = question;
    const lookup = prepareLookup(product, bodyOf(question));
    const result = await lookup.run(deps, {
      signal: new AbortController().signal,
      deadlineMs: context.clock.monotonicMs() + product.deadlineMs,
    });
    const json = resultText(result, { view, policy }).join("");
    const answer = { input: value, kind: product.cli.word, target: lookup.text, json };
    const checked = checkedOf(answer, result.failure);
    reporter.whole(checked, () => result.print(context.style, view).trimEnd());
  }
  const status = reporter.end();
  const trouble = deps.resolverTrouble();
  if (status === 0 && trouble?.kind === "untrue" && !isJson) context.warn(`warning: ${trouble.sentence}`);
  return status;
}

/** One value behind a product's word, or values that are recognised. Throws InvalidValue or Refusal. */
function questionsOf(values: readonly string[], type: string | null): readonly Question[] {
  const [first = "", second] = values;
  const named = PRODUCTS.find(({ cli }) => cli.word === first);
  if (named !== undefined && values.length < 3 && second === undefined) {
    throw new InvalidValue("missing", `A value is missing after "${first}"`);
  }
  if (values.length === 0) throw new InvalidValue("missing", "A value to look up is missing");
  const found =
    named !== undefined && values.length === 2 && second !== undefined
      ? [{ product: named, value: second, extra: {} }]
      : values.map((value) => naming(value, values, () => questionOf(value)));
  const questions = found.map((question) => ({ ...question, extra: bodyOfType(question.product, type) }));
  // One that is wrong refuses all before anything is asked.
  for (const question of questions) {
    naming(question.value, questions, () => prepareLookup(question.product, bodyOf(question)));
  }
  return questions;
}

const LONGEST_NAMED = 80;

/** What is read of a value; where there are others, a refusal names the one that is wrong. */
function naming<T>(value: string, all: readonly unknown[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidValue) || all.length === 1) throw error;
    const named = value.length > LONGEST_NAMED ? `${value.slice(0, LONGEST_NAMED)}…` : value;
    throw new InvalidValue(error.reason, `"${named}": ${error.message}`);
  }
}

function viewOf(word: string): View {
  const view = VIEWS.find((one) => one === word);
  if (view === undefined) {
    throw new InvalidValue("unknown_view", `"${word}" is not a view; known are ${VIEWS.join(", ")}`);
  }
  return view;
}

function bodyOfType({ cli }: SealedProduct, type: string | null): Readonly<Record<string, string>> {
  if (type === null) return {};
  if (cli.type !== undefined) return { [cli.type.member]: type };
  throw new InvalidValue("unknown_option", `"check ${cli.word}" takes no --type`);
}
