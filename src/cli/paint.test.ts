import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printableJson } from "../base/clean-text.ts";
import { paint, styleFor, WIDTH } from "./paint.ts";
import { grouped, labelled, table } from "./table.ts";

const ESC = "\u001b";
const plain = { hasColours: false };
const coloured = { hasColours: true };

describe("paint()", () => {
  test("gives colours as terminal codes, and none when there are to be none", () => {
    const painted = styleFor(coloured).bad("listed");
    expect(paint(painted, coloured)).toBe(`${ESC}[31mlisted${ESC}[39m`);
    expect(paint(painted, plain)).toBe("listed");
    expect(styleFor(plain).bold("listed")).toBe("listed");
  });

  test.each([
    { text: `${ESC}[2J`, shown: "[2J", why: "clears the screen" },
    { text: `${ESC}[31mred`, shown: "[31mred", why: "a colour of its own" },
    { text: `${ESC}]8;;http://x\u0007link`, shown: "]8;;http://xlink", why: "a link" },
    { text: "\u009b2J", shown: "2J", why: "the one-byte introducer" },
    { text: "a\rb\bc", shown: "abc", why: "goes back in the line" },
    { text: "abc\u202edef", shown: "abcdef", why: "turns the direction" },
  ])("takes out what $why, also inside our own colours", ({ text, shown }) => {
    expect(paint(text, plain)).toBe(shown);
    const { good } = styleFor(coloured);
    expect(paint(good(text), coloured)).toBe(`${ESC}[32m${shown}${ESC}[39m`);
  });

  test("lets no escape through but its own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(paint(text, plain)).not.toContain(ESC);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that may stand there
        expect(paint(text, coloured).replace(/\u001b\[\d{1,2}m/g, "")).not.toContain(ESC);
      }),
    );
  });
});

test("printableJson() keeps the value and shows no control character", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const json = printableJson(JSON.stringify([value, text]));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify([value, text])));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});

test("table() fits its columns, cuts what is too long and aligns numbers to the right", () => {
  const columns = [
    { title: "NAME", width: 8 },
    { title: "COUNT", width: 6, isNumber: true },
  ];
  expect(
    table(
      columns,
      [
        ["short", "7"],
        ["much too long", "1234567"],
      ],
      styleFor(plain),
    ),
  ).toBe(["NAME      COUNT", "short         7", "much to… 12345…"].join("\n"));
});

test("labelled() puts the values below each other, grouped() parts thousands", () => {
  expect(
    labelled([
      ["a", "1"],
      ["long", "2"],
    ]),
  ).toBe("a     1\nlong  2");
  expect(grouped(1_500_000)).toBe("1,500,000");
  expect(WIDTH).toBe(80);
});
