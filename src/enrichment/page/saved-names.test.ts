import { describe, expect, test } from "vitest";
import { extensionOf, extensionOfFile } from "./links.ts";
import { readDisposition } from "./saved-names.ts";

describe("readDisposition()", () => {
  test.each<[string, boolean, readonly string[]]>([
    ["", false, []],
    ["inline", false, []],
    ["attachment", true, []],
    ["Attachment; FileName=a.exe", true, ["a.exe"]],
    ["inline;filename=a.exe", false, ["a.exe"]],
    [`attachment; filename="a b; c.exe"`, true, ["a b; c.exe"]],
    [`attachment; filename="a \\"b\\".exe"`, true, [`a "b".exe`]],
    [`attachment; filename="a.exe`, true, ["a.exe"]],
    ["attachment; filename=a.pdf; filename*=UTF-8''a%2Eexe", true, ["a.pdf", "a.exe"]],
    ["attachment; filename*=UTF-8'en'a.exe; filename=a.pdf", true, ["a.exe", "a.pdf"]],
    ["attachment; filename*=a.exe", true, ["a.exe"]],
    ["attachment; filename = a.exe ; size=3", true, ["a.exe"]],
    ["attachment;;; filename=a.exe", true, ["a.exe"]],
    ["attachment; noise; filename=a.exe", true, ["a.exe"]],
    [`attachment; x="filename=b.exe"; filename=a.pdf`, true, ["a.pdf"]],
    [`attachment; x="${"y".repeat(5000)}"; filename=a.exe`, true, ["a.exe"]],
    [`attachment; ${"x=1;".repeat(1000)} filename=a.exe`, true, ["a.exe"]],
    [`attachment${";".repeat(60_000)} filename=a.exe`, true, ["a.exe"]],
    [`attachment; ${`a${" ".repeat(30)}`.repeat(1000)}; filename=a.exe`, true, ["a.exe"]],
    ["filename=a.exe", false, ["a.exe"]],
    [`attachment; filename="invoice%2Eexe"`, true, ["invoice%2Eexe", "invoice.exe"]],
    ["attachment, filename=a.exe", false, []],
  ])("%j is to be saved: %j, as %j", (header, isAttachment, names) => {
    expect(readDisposition(header)).toEqual({ isAttachment, names });
  });
});

test.each([
  ["a.exe", "exe"],
  ["a.pdf.exe", "exe"],
  ["a.exe. . ", "exe"],
  ["a.exe\0", "exe"],
  ["a.exe\u202e\u200b.", "exe"],
  ["a.EXE", "exe"],
  ["C:\\x\\a.exe", "exe"],
  ["a.exe/b", ""],
  [".exe", ""],
  ["...", ""],
  ["", ""],
])("the extension of %j is %j", (name, extension) => {
  expect(extensionOfFile(name)).toBe(extension);
});

test.each([
  ["http://a.example/x.ex%65", "exe"],
  ["http://a.example/x%2Eexe", "exe"],
  ["http://a.example/x.exe%20", "exe"],
  ["http://a.example/x.exe.", "exe"],
  ["http://a.example/x.exe?y.pdf#z.pdf", "exe"],
  ["http://a.example/x.%", ""],
  ["http://a.example/x.exe/", ""],
])("the extension of %s is %j", (url, extension) => {
  expect(extensionOf(new URL(url))).toBe(extension);
});
