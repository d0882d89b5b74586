import fc from "fast-check";
import { expect, test } from "vitest";
import { InvalidJson, PreparedJson, parseJson, stringify } from "./json.ts";

const prepared = (value: unknown) =>
  new PreparedJson(
    () => value,
    () => JSON.stringify(value),
  );

test("stringify() gives the text that JSON.stringify gives, whatever stands in prepared parts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (a, b, text) => {
      const value = {
        a: prepared(a),
        text,
        list: [prepared(b), 1],
        nested: { mark: "\uE000prepared\uE001" },
      };
      const plain = { a, text, list: [b, 1], nested: { mark: "\uE000prepared\uE001" } };
      expect(JSON.parse(stringify(value))).toEqual(JSON.parse(JSON.stringify(plain)));
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

test("parseJson() refuses nesting deeper than 32 without overflowing", () => {
  const deep = (n: number) => "[".repeat(n) + "]".repeat(n);
  expect(parseJson(deep(32))).toBeInstanceOf(Array);
  expect(() => parseJson(deep(33))).toThrow(InvalidJson);
  expect(() => parseJson("[".repeat(400_000))).toThrow(InvalidJson);
  expect(parseJson(`"${"[".repeat(50)}"`)).toBe("[".repeat(50));
});
