import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { awkwardTexts } from "./expressions/awkward.ts";
import { expressionsIn, type FoundExpression, findExpressions } from "./expressions/find.ts";
import { type ListedExpression, readExpressionList } from "./expressions/list.ts";

/** Processor time that one expression may take on one text. Source: security P9. */
const MOST_MS = 5;
const TRIES = 5;

const found = findExpressions();
const existing = new Set(found.map(nameOf));
const everyListed = readExpressionList();
/** What is gone is reported once, and measured no more. */
const listed = everyListed.filter((one) => existing.has(nameOf(one)));

function nameOf({ file, expression }: Pick<FoundExpression, "file" | "expression">): string {
  return `${file} ${expression}`;
}

describe("the list of regular expressions in test/expressions/*.yaml", () => {
  test("has every expression of src/ and web/", () => {
    const known = new Set(listed.map(nameOf));
    const missing = found.filter((one) => !known.has(nameOf(one)));
    expect(missing.map(adviceOn)).toEqual([]);
  });

  test("has no expression that is gone, and none twice", () => {
    const names = everyListed.map(nameOf);
    expect(names.filter((name) => !existing.has(name))).toEqual([]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

function adviceOn({ file, line, expression }: FoundExpression): string {
  const quoted = `'${expression.replaceAll("'", "''")}'`;
  return (
    `${file}:${line} has an expression that is not listed. Add "- ${quoted}" below "${file}" in ` +
    `test/expressions/*.yaml: to a group that says the longest text that can reach it and where that is decided, or to ` +
    `one that says why no text of strangers ever does`
  );
}

const met = listed.flatMap(({ longest, ...rest }) => (longest === null ? [] : [{ ...rest, longest }]));

describe.each([...Map.groupBy(met, ({ file }) => file)])("%s", (_, expressions) => {
  test.each(expressions.map((one) => [one.expression, one] as const))(
    `%s takes less than ${MOST_MS} ms for awkward texts`,
    (_name, { compiled, longest }) => {
      for (const textOf of awkwardTexts(compiled)) {
        const slow = slowestOf(compiled, textOf, longest);
        if (slow !== null) {
          expect.fail(
            `${slow.ms.toFixed(1)} ms for ${slow.text.length} characters: ${JSON.stringify(excerptOf(slow.text))}`,
          );
        }
      }
    },
  );
});

/** The first length at which the expression is too slow: lengths grow slowly, as some would never end at the last. */
function slowestOf(expression: RegExp, textOf: (length: number) => string, longest: number) {
  for (const length of lengthsTo(longest)) {
    const text = textOf(length);
    const ms = timeOf(expression, text);
    if (ms > MOST_MS) return { text, ms };
  }
  return null;
}

function lengthsTo(longest: number): readonly number[] {
  // Four characters more multiply an exponential time by 16 at most; from 128 on, only polynomial times are left.
  const small = Array.from({ length: 29 }, (_, i) => 16 + 4 * i);
  const steps = [...small, 256, 1024, 4096, 16_384, 65_536, 262_144];
  return [...steps.filter((step) => step < longest), longest];
}

/** Milliseconds of this thread's processor time: the least of some tries, as the machine may be busy. */
function timeOf(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && least > MOST_MS; i++) {
    const before = process.threadCpuUsage();
    run(expression, text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function run(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  expression.test(text);
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, "");
  else if (expression.sticky) while (expression.test(text));
}

const excerptOf = (text: string): string =>
  text.length < 80 ? text : `${text.slice(0, 40)}…${text.slice(-20)}`;

describe("the checker", () => {
  /** Repetitions that a text of one repeated character makes slower than its length. */
  const findingsOf = ({ compiled: { source, flags } }: ListedExpression): readonly string[] =>
    analyse({ source, flags }).reports.map(({ type, exponential, character }) => {
      const degree = exponential ? "exponential" : "quadratic";
      return `${type}: ${degree} for repeats of ${character.literal.source}`;
    });

  test("finds no repetition that takes more than linear time, but where the list says why it does no harm", () => {
    const faults = listed.flatMap((one) =>
      one.excuse === null ? findingsOf(one).map((finding) => `${nameOf(one)}: ${finding}`) : [],
    );
    expect(faults).toEqual([]);
  });

  test("is needed for every excuse that the list has", () => {
    const needless = listed.filter(
      (one) => one.longest !== null && one.excuse !== null && findingsOf(one).length === 0,
    );
    expect(needless.map(nameOf)).toEqual([]);
  });
});

describe("the test itself", () => {
  test.each([
    ["nested repetition", /^(a+)+$/],
    ["alternatives that overlap", /^(?:a|ab|b)*c/],
    ["neighbours that overlap", /\s*=\s*/],
    ["a start that moves", /=+$/],
    ["two names and a dot", /^[^@\s]+\.[^@\s]+$/],
    ["a phrase that begins again", /\bvisit\b.*\bwhois\b/i],
  ])("finds %s too slow", (_, expression) => {
    expect(awkwardTexts(expression).some((textOf) => slowestOf(expression, textOf, 60_000) !== null)).toBe(
      true,
    );
  });

  test("sees literals, calls of RegExp and expressions in templates, and none in texts and comments", () => {
    const text =
      'const a = /x\\/y/g; // /no/\nconst b = new RegExp("/no/" + /b/.source); RegExp(a); a / b / 2;';
    expect(expressionsIn("src/a.ts", text).map(({ expression }) => expression)).toEqual([
      "/x\\/y/g",
      'new RegExp("/no/" + /b/.source)',
      "/b/",
      "RegExp(a)",
    ]);
  });
});
