import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeText } from "./text.ts";

const octets = (latin1: string) => Buffer.from(latin1, "latin1");

describe("safeText()", () => {
  test.each([
    ["ASCII", "v=spf1 -all", "v=spf1 -all"],
    ["UTF-8", Buffer.from("grüße 你好 🎉").toString("latin1"), "grüße 你好 🎉"],
    ["an octet that is no UTF-8", "a\xffb", "a\\255b"],
    ["an overlong form", "\xc0\xaf", "\\192\\175"],
    ["half a surrogate pair", "\xed\xa0\x80", "\\237\\160\\128"],
    ["a cut character", "\xe4\xbd", "\\228\\189"],
    ["terminal codes", "\x1b[2J\x07\x9b", "\\027[2J\\007\\155"],
    ["line ends and tabs", "a\r\n\tb", "a\\013\\010\\009b"],
    ["a control character beyond ASCII", "\xc2\x9b", "\\194\\155"],
    ["a mark that turns the text round", Buffer.from("\u202eabc").toString("latin1"), "\\226\\128\\174abc"],
    ["a backslash as it is", "a\\b\\\\c\\255", "a\\b\\\\c\\255"],
    ["an octet that is no UTF-8 between others that are", "\xc3\xbc\xff\xc3\xbc", "ü\\255ü"],
    ["a character beyond U+10FFFF", "\xf4\x90\x80\x80", "\\244\\144\\128\\128"],
    ["a lone continuation octet", "\xbf", "\\191"],
    ["joiners", Buffer.from("a\u200db").toString("latin1"), "a\\226\\128\\141b"],
    ["nothing", "", ""],
  ])("shows %s", (_, latin1, expected) => {
    expect(safeText(octets(latin1))).toBe(expected);
  });

  test("shows text as it is, unless a screen obeys or hides it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const isSeen = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text);
        if (isSeen) expect(safeText(Buffer.from(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("shows every octet, and nothing that a screen obeys", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bytes = Buffer.concat(pieces);
        const shown = safeText(bytes);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        // Without a backslash of its own, what is escaped can be read back.
        if (bytes.includes("\\")) return;
        const back = shown
          .split(/(\\\d{3})/)
          .map((part) => (part.startsWith("\\") ? Buffer.from([Number(part.slice(1))]) : Buffer.from(part)));
        expect(Buffer.concat(back)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(["\u200d", "ü", "\u0000", "\\", "🎉", "\xff"])(
    "is done with 64 KiB of %j, one character after the other",
    (unit) => {
      const bytes = Buffer.from(unit === "\xff" ? "\xff" : Buffer.from(unit).toString("latin1"), "latin1");
      const shown = safeText(Buffer.concat([Buffer.alloc(65_536, bytes), Buffer.from([0xff])]));
      expect(shown).toMatch(/\\255$/);
    },
  );
});
