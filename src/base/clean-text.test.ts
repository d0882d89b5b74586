import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson, printableLine } from "./clean-text.ts";

describe("printable()", () => {
  test.each([
    ["right-to-left override", "invoice\u202efdp.exe", "invoicefdp.exe"],
    ["isolates", "a\u2066b\u2069c", "abc"],
    ["zero-width characters", "pay\u200bpal\u200d\u200c\u2060", "paypal"],
    ["soft hyphen, byte order mark, Arabic letter mark", "a\u00adb\ufeffc\u061cd", "abcd"],
    ["tag characters outside the first plane", "a\u{e0041}b", "ab"],
    ["line and paragraph separators", "a\u2028b\u2029c", "abc"],
    ["terminal escapes, also of one octet", "a\u001b[2Jb\u009b2Jc\u0007", "a[2Jb2Jc"],
    ["carriage returns", "real\rfake", "realfake"],
  ])("takes out %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test.each([
    ["tabs and line feeds", "a\tb\nc"],
    ["letters of all scripts", "Ünïcode 中文 العربية עברית ไทย"],
    ["combining marks", "e\u0301"],
    ["emoji", "\u{1f600}"],
    ["a lone surrogate, which its reader replaces", "\ud800"],
  ])("keeps %s", (_, text) => {
    expect(printable(text)).toBe(text);
  });
});

test("printableLine() makes one line", () => {
  expect(printableLine("  a\r\n\tb\u2028c \u200b ")).toBe("a b c");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(printableLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s|\s$/u);
    }),
  );
});

test("printableJson() keeps the value and shows nothing unseen", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = printableJson(JSON.stringify([text], null, 2));
      expect(JSON.parse(json)).toEqual([text]);
      expect(printable(json)).toBe(json);
    }),
  );
});
