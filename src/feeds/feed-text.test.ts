import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feedTextOf } from "./feed-text.ts";

const linesOf = (bytes: Uint8Array) => [...feedTextOf(bytes).lines()];
const PIECE = 256 * 1024;

describe("feedTextOf()", () => {
  test.each<[string, Buffer, readonly unknown[]]>([
    [
      "LF, CRLF and a lone CR, the last line without an end",
      Buffer.from("a\nb\r\nc\rd"),
      ["a", "b", "c", "d"],
    ],
    ["a BOM", Buffer.from("\ufeffa\nb\n"), ["a", "b"]],
    ["Latin-1 where it is no UTF-8", Buffer.from("caf\u00e9\n", "latin1"), ["caf\u00e9"]],
    [
      "a BOM of UTF-8 before Latin-1",
      Buffer.from("\u00ef\u00bb\u00bfa\ncaf\u00e9\n", "latin1"),
      ["a", "caf\u00e9"],
    ],
    ["UTF-16, little end first", Buffer.from("\ufeffa\r\ncaf\u00e9\r\n", "utf16le"), ["a", "caf\u00e9"]],
    ["UTF-16, big end first", Buffer.from("\ufeffa\ncaf\u00e9\n", "utf16le").swap16(), ["a", "caf\u00e9"]],
    ["nothing", Buffer.alloc(0), []],
  ])("reads %s", (_what, bytes, lines) => expect(linesOf(bytes)).toEqual(lines));

  test("reads lines and characters across pieces as if there were none", () => {
    for (const cut of ["\u00e9", "\r\n", "\n", "\r", "xy"]) {
      const before = `${"a".repeat(4000)}\n`.repeat(65);
      const fill = "b".repeat(PIECE - 1 - Buffer.byteLength(before));
      const text = `${before}${fill}${cut}z\nlast`;
      expect(linesOf(Buffer.from(text))).toEqual(text.split(/\r\n|\n|\r/));
    }
  });

  test("a line of many megabytes is one dropped row, and those around it are read", () => {
    const text = `first\n${"x".repeat(3 * PIECE + 5)}\r\nlast\n`;
    expect(linesOf(Buffer.from(text))).toEqual(["first", { dropped: "x".repeat(120) }, "last"]);
  });

  test("for any text the lines are those of the whole text", () => {
    const line = fc.string({ maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 }),
        (rows) => {
          const text = rows.map(([content, end]) => `${content}x${end}`).join("");
          expect(linesOf(Buffer.from(text))).toEqual(
            rows.map(([content]) => `${content.toWellFormed()}x`.replace(/^\ufeff/, "")),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
