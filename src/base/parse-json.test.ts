import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidJson, type JsonBounds, parseJson } from "./parse-json.ts";

function faultOf(text: string, bounds: JsonBounds = {}): InvalidJson | null {
  try {
    parseJson(text, bounds);
    return null;
  } catch (error) {
    if (error instanceof InvalidJson) return error;
    throw error;
  }
}

/** What the offset means, by the engine's own parser: the longest start that is JSON or ends too early. */
function longestStart(text: string): number {
  for (let length = text.length; length > 0; length--) {
    if (couldBecomeJson(text.slice(0, length))) return length;
  }
  return 0;
}

const couldBecomeJson = (start: string): boolean => {
  const closers = closersOf(start);
  return CONTINUATIONS.some((continuation) => isJson(start + continuation + closers));
};

/** What closes the lists and objects that are open, however deep. */
function closersOf(start: string): string {
  const open: string[] = [];
  for (const [token] of start.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[{\]}]/gs)) {
    if (token === "[") open.unshift("]");
    else if (token === "{") open.unshift("}");
    else if (token === "]" || token === "}") open.shift();
  }
  return open.join("");
}

/** What can end a string, an escape, a number, a word, a member or nothing, before everything open is closed. */
const PIECES = [
  "",
  '"',
  '0"',
  '00"',
  '000"',
  '0000"',
  'n"',
  "0",
  "rue",
  "ue",
  "e",
  "alse",
  "lse",
  "se",
  "ull",
  "ll",
  "l",
];
const MEMBERS = ["", ":0", '"":0', "0", '":0', '0":0', '00":0', '000":0', '0000":0', 'n":0'];
const CONTINUATIONS = [...new Set([...PIECES, ...MEMBERS])];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseJson()", () => {
  test.each([
    ["an empty text", "", 0],
    ["blanks alone", " \n", 2],
    ["a premature end", '{"a": [1, ', 10],
    ["a string without an end", '["abc', 5],
    ["half of a word", "[tru", 4],
    ["another word", "trye", 2],
    ["half of an escape", '"\\u12', 5],
    ["a bad escape", '"a\\x"', 3],
    ["a bad Unicode escape", '"\\u12g4"', 5],
    ["a control character in a string", '"a\nb"', 2],
    ["a comma before the end of a list", "[1,]", 3],
    ["a comma before the end of an object", '{"a":1,}', 7],
    ["a name without quotes", "{a:1}", 1],
    ["a name without a value", '{"a"}', 4],
    ["two values", "1 2", 2],
    ["a leading zero", "[01]", 2],
    ["a sign alone", "-", 1],
    ["a fraction without digits", "1.x", 2],
    ["an exponent without digits", "1e+]", 3],
    ["a byte order mark", "\ufeff1", 0],
    ["the wrong end", "[1}", 2],
    ["a comment", "[1 /* one */]", 3],
    ["single quotes", "{'a':1}", 1],
    ["a lone surrogate, which JSON allows, before the fault", '["\ud800" x', 5],
  ])("tells where %s stops being JSON", (_, text, offset) => {
    expect(faultOf(text)?.offset).toBe(offset);
  });

  test("tells the place of nesting that is too deep", () => {
    expect(faultOf(`${" ".repeat(3)}${"[".repeat(40)}`)?.offset).toBe(35);
  });

  test("tells where there are too many names and values", () => {
    expect(() => parseJson('{"a":[1,2]}', { maxParts: 2 })).not.toThrow();
    expect(faultOf('{"a":[1,2,3]}', { maxParts: 2 })?.offset).toBe(9);
    expect(() => parseJson('{"a":",,,::"}', { maxParts: 1 })).not.toThrow();
  });

  test("finds the longest start that could become JSON in any text", () => {
    const token = fc.constantFrom(
      ...'[]{},:" \\u0123456789.eE+-truefalsn\n\t'.split(""),
      '"a"',
      '"":',
      "true",
      "[[",
      "{}",
    );
    const near = fc
      .json({ maxDepth: 2 })
      .chain((json) =>
        fc
          .tuple(fc.nat(json.length), fc.nat(2), token)
          .map(([at, cut, put]) => json.slice(0, at) + put + json.slice(at + cut)),
      );
    const texts = fc.oneof(
      fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join("")),
      near,
    );
    fc.assert(
      fc.property(
        texts.filter((text) => text.length < 40),
        (text) => {
          const fault = faultOf(text);
          if (fault === null) expect(isJson(text)).toBe(true);
          else expect([text, fault.offset]).toEqual([text, longestStart(text)]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each<[string, (share: number) => string]>([
    ["nested objects in a list", (n) => `[${`${'{"a":'.repeat(30)}1${"}".repeat(30)},`.repeat(5696 / n)}x`],
    [
      "names that all differ",
      (n) => `{${Array.from({ length: 70_400 / n }, (_, i) => `"n${i}":${i}`).join()},x`,
    ],
    ["one string", (n) => `"${"a".repeat(1_048_000 / n)}\n`],
    ["escapes", (n) => `"${"\\u0061".repeat(170_000 / n)}\\x"`],
    ["digits", (n) => `[${"1".repeat(1_048_000 / n)}x`],
    ["blanks", (n) => `[${" ".repeat(1_048_000 / n)}x`],
    ["quotes", (n) => '"'.repeat(1_048_560 / n)],
    ["empty lists", (n) => `[${"[],".repeat(349_008 / n)}x`],
  ])("finds the fault of 1 MiB of %s in about the time of 16 texts of a sixteenth", (_, make) => {
    const whole = leastMs(1, make(1));
    const parts = leastMs(16, make(16));
    // What starts anew at each character takes 16 times as long. The system counts in steps of some milliseconds.
    expect(whole).toBeLessThan(4 * Math.max(parts, 5));
  });
});

/** Processor time for the faults of so many equal texts, the least of three. */
function leastMs(count: number, text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    for (let i = 0; i < count; i++) expect(faultOf(text)?.offset).toBeLessThan(text.length);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
