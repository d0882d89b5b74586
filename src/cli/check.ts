import { InvalidValue } from "../base/failure.ts";
import { prepareLookup } from "../metering/single.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { VIEWS, type View } from "../products/views.ts";
import { checkMany, questionOf } from "./check-many.ts";
import { type Checked, createReporter, FAIL_STATUS, type Reporter, readBand } from "./check-output.ts";
import { checkAtServer } from "./check-server.ts";
import { type GivenValue, readValues } from "./check-values.ts";
import { type CliContext, defineCommand, type Invocation, JSON_OPTION } from "./command.ts";
import { withLookups } from "./lookups.ts";

const TYPED = PRODUCTS.flatMap(({ cli: { word, type } }) =>
  type === undefined ? [] : [`for ${word}: ${type.takes}`],
).join("; ");

/** `repute check`: lookups of any product, without an account, or by a running service. */
export const check = defineCommand({
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
    { flags: "--view <view>", summary: `How much is told: ${VIEWS.join(", ")}; default: standard` },
    { flags: "--file <file>", summary: "A value on each line: plain, .csv or .ndjson" },
    { flags: "--csv", summary: "Print CSV: a row for each value" },
    { ...JSON_OPTION, summary: "Print one JSON value; for several, one on each line" },
    { flags: "--fail-on <band>", summary: `Exit with ${FAIL_STATUS} when a value reaches this band` },
    { flags: "--quiet", summary: "Print nothing but failures; the exit status tells" },
    { flags: "--offline", summary: "Ask the local lists alone: nothing is sent" },
    { flags: "--server <url>", summary: "Ask this running service, with the key in REPUTE_KEY" },
  ],
  run: async (invocation, context) => {
    const { repeated, option, has } = invocation;
    const view = viewOf(option("view") ?? "standard");
    const reporter = createReporter(
      { failOn: readBand(option("fail-on")), isCsv: has("csv"), isJson: has("json"), isQuiet: has("quiet") },
      context,
    );
    const stream = streamOf(repeated("value"), option("file"));
    const server = option("server");
    if (stream === null && server === null) return checkFew(invocation, { view, reporter }, context);
    if (option("type") !== null) throw new InvalidValue("type", "--type goes with values named one by one");
    const values = stream === null ? listed(repeated("value")) : readValues(stream, context.stdin());
    if (server !== null) {
      return report(checkAtServer(values, { server, view }, context), { reporter, context });
    }
    const isOffline = has("offline");
    return withLookups(
      context,
      ({ deps }) => report(checkMany(values, { deps, view }), { reporter, context }),
      null,
      { isOffline },
    );
  },
});

/** The file that values come from, `-` for standard input; null when they were typed. Throws InvalidValue. */
function streamOf(values: readonly string[], file: string | null): string | null {
  if (file !== null && values.length > 0) throw new InvalidValue("file", "Values or --file, not both");
  if (file !== null) return file;
  return values.length === 1 && values[0] === "-" ? "-" : null;
}

async function* listed(values: readonly string[]): AsyncGenerator<GivenValue> {
  for (const [at, { value }] of questionsOf(values).entries()) yield { line: at + 1, text: value };
}

type Reporting = { readonly reporter: Reporter; readonly context: CliContext };

async function report(answers: AsyncIterable<Checked>, { reporter, context }: Reporting): Promise<number> {
  const startedMs = context.clock.monotonicMs();
  let shownMs = startedMs;
  let count = 0;
  try {
    for await (const checked of answers) {
      reporter.line(checked);
      count += 1;
      const nowMs = context.clock.monotonicMs();
      if (nowMs - shownMs < 200) continue;
      shownMs = nowMs;
      const rate = Math.round((count * 1000) / (nowMs - startedMs));
      context.progress(`${count} values, ${rate} a second`);
    }
  } finally {
    context.progress(null);
  }
  return reporter.end();
}

type Few = { readonly view: View; readonly reporter: Reporter };

/** Values that were typed: each with its whole report. */
function checkFew(
  { repeated, option, has }: Invocation,
  { view, reporter }: Few,
  context: CliContext,
): Promise<number> {
  const lookups = questionsOf(repeated("value")).map(({ product, value }) => ({
    product,
    value,
    lookup: prepareLookup(product, { [product.field]: value, ...bodyOfType(product, option("type")) }),
  }));
  const work: Parameters<typeof withLookups<number>>[1] = async ({ deps }) => {
    for (const { product, value, lookup } of lookups) {
      const result = await lookup.run(deps, {
        signal: new AbortController().signal,
        deadlineMs: context.clock.monotonicMs() + product.deadlineMs,
      });
      const json = result.json(view);
      const checked = { input: value, kind: product.cli.word, json, error: result.failure };
      reporter.whole(checked, () => result.print(context.style, view).trimEnd());
    }
    const status = reporter.end();
    const trouble = deps.resolverTrouble();
    if (status === 0 && trouble?.kind === "untrue" && !has("json")) {
      context.warn(`warning: ${trouble.sentence}`);
    }
    return status;
  };
  return withLookups(context, work, null, { isOffline: has("offline") });
}

type Question = { readonly product: SealedProduct; readonly value: string };

/** One value behind a product's word, or values that are recognised. Throws InvalidValue. */
function questionsOf(values: readonly string[]): readonly Question[] {
  const [first = "", second] = values;
  const named = PRODUCTS.find(({ cli }) => cli.word === first);
  if (named !== undefined && values.length < 3) {
    if (second === undefined) throw new InvalidValue("missing", `A value is missing after "${first}"`);
    return [{ product: named, value: second }];
  }
  if (values.length === 0) throw new InvalidValue("missing", "A value to look up is missing");
  return values.map(questionOf);
}

function viewOf(word: string): View {
  const view = VIEWS.find((one) => one === word);
  if (view === undefined) {
    throw new InvalidValue("unknown_view", `"${word}" is no view; known are ${VIEWS.join(", ")}`);
  }
  return view;
}

function bodyOfType({ cli }: SealedProduct, type: string | null): Readonly<Record<string, string>> {
  if (type === null) return {};
  if (cli.type !== undefined) return { [cli.type.member]: type };
  throw new InvalidValue("unknown_option", `"check ${cli.word}" takes no --type`);
}
