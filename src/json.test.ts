import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeJson, joinMembers, keepText, PreparedJson, stringify, writeList } from "./json.ts";
import { InvalidJson, parseJson } from "./parse-json.ts";

const prepared = (value: unknown) =>
  new PreparedJson(
    () => value,
    (output) => output.text(JSON.stringify(value)),
  );

test.each([
  ["in members of members", { a: { x: prepared([1]), y: 2 }, b: { z: prepared("é") } }],
  ["deeper", { list: [{ report: { a: { x: prepared({ b: 1 }) } } }, prepared(null)] }],
  ["at both", { list: [prepared(1)], a: { x: prepared(2) }, deep: { deep: { deep: prepared(3) } } }],
  ["at the top", prepared({ a: 1 })],
])("stringify() finds prepared parts %s", (_where, value) => {
  expect(stringify(value)).toBe(JSON.stringify(value));
});

test("stringify() gives the text that JSON.stringify gives, whatever stands in prepared parts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (a, b, text) => {
      const value = {
        a: prepared(a),
        text,
        list: [prepared(b), 1],
        nested: { mark: "\u0000prepared\u0001" },
      };
      const plain = { a, text, list: [b, 1], nested: { mark: "\u0000prepared\u0001" } };
      expect(JSON.parse(stringify(value))).toEqual(JSON.parse(JSON.stringify(plain)));
      expect(encodeJson("<é", value, "€>").toString()).toBe(`<é${stringify(value)}€>`);
      expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(plain)));
    }),
  );
});

test.each([
  ['{"ip": "1.1.1.1",}', 17, "trailing comma"],
  ['{"a"', 4, "a premature end is the length"],
  ["{} {}", 3, "two values"],
  ["x", 0, "no JSON at all"],
  ['{"a": "\\ud800', 13, "premature end inside a string"],
  ['["a\nb"]', 3, "raw newline in a string"],
])("parseJson(%j) says offset %i: %s", (text, offset) => {
  try {
    parseJson(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidJson);
    expect(error instanceof InvalidJson && error.offset).toBe(offset);
  }
});

test("parseJson() tells of broken JSON where the first sign stands with which nothing could become JSON", () => {
  const isStart = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch (error) {
      const { message } = error as Error;
      return message.startsWith("Unexpected end") || message.includes(`at position ${text.length}`);
    }
  };
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom(...'x,:"]}{[1e.-\\\n'), fc.boolean())
    .map(([json, at, sign, isCut]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + sign + (isCut ? "" : json.slice(place));
    });
  fc.assert(
    fc.property(broken, (text) => {
      try {
        parseJson(text, { maxDepth: 1000 });
      } catch (error) {
        if (!(error instanceof InvalidJson)) throw error;
        let viable = 0;
        while (viable < text.length && isStart(text.slice(0, viable + 1))) viable++;
        expect(error.offset).toBe(viable);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["signs that end no string", `[x"${'\\"'.repeat(500_000)}`, 1],
  ["the same, and half a sign", `[x"${'\\"'.repeat(500_000)}\\`, 1],
  ["names", `[${'{"a":1},'.repeat(100_000)}x`, 800_001],
  ["one string", `["${"é".repeat(1_000_000)}",x]`, 1_000_004],
])("parseJson() finds the fault in a million of %s", (_, text, offset) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ offset }));
});

test("parseJson() refuses nesting deeper than 32 without overflowing", () => {
  const deep = (n: number) => "[".repeat(n) + "]".repeat(n);
  expect(parseJson(deep(32))).toBeInstanceOf(Array);
  expect(() => parseJson(deep(33))).toThrow(InvalidJson);
  expect(() => parseJson("[".repeat(400_000))).toThrow(InvalidJson);
  expect(parseJson(`"${"[".repeat(50)}"`)).toBe("[".repeat(50));
});

test("stringify() writes kept, joined and listed parts as JSON.stringify does", () => {
  const part = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(part, part, part, fc.jsonValue(), (a, b, c, d) => {
      const named = (letter: string, value: typeof a) =>
        Object.fromEntries(Object.entries(value).map(([key, member]) => [`${letter}${key}`, member]));
      const joined = joinMembers(named("a", a), keepText(named("b", b)), {}, keepText(named("c", c)));
      const report = {
        joined,
        kept: keepText([d]),
        inner: { x: prepared(d), y: keepText({ d }) },
        no: undefined,
      };
      const many = [report, { input: "é", result: report }, null];
      const listed = {
        many: new PreparedJson(
          () => many,
          (output) => writeList(many, output),
        ),
      };
      for (const value of [report, many, listed]) expect(stringify(value)).toBe(JSON.stringify(value));
      expect(stringify(report)).toBe(JSON.stringify(report)); // from memory now
    }),
  );
});
