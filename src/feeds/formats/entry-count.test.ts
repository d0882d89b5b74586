import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import { allFormats } from "./all.ts";
import { countIn, countReason } from "./entry-count.ts";
import type { FormatOptions } from "./format.ts";

describe("countReason()", () => {
  test.each([
    [10, "lists", "Named by 10 lists", "named by 10 lists"],
    ["1", "lists", "Named by 1 list", "named by 1 list"],
    [" 35 ", "attacks", "Counted 35 attacks", "counted 35 attacks"],
    [1, "reports", "Counted 1 report", "counted 1 report"],
  ])("of %j %s is %j", (value, unit, reason, within) => {
    expect(countReason(value, unit)).toBe(reason);
    expect(countIn(reason)).toBe(within);
    expect(countIn(`${reason}: brute force`)).toBe(within);
  });

  test.each(["", "0", "-1", "1.5", "1e3", "many", "9999999999", null, undefined, Number.NaN, {}])(
    "of %j is none",
    (value) => {
      expect(countReason(value)).toBeNull();
    },
  );

  test.each([
    null,
    "",
    "SSH brute force",
    "named by 10 lists",
    "Named by ten lists",
    "Named by 10 lists of fools",
  ])("no count is seen in %j", (reason) => {
    expect(countIn(reason)).toBeNull();
  });

  test("what is written is read back, for every number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (count) => {
        expect(countIn(countReason(count))).toBe(`named by ${count} ${count === 1 ? "list" : "lists"}`);
      }),
    );
  });
});

const reasonsOf = (name: string, text: string, options: FormatOptions): (string | null)[] => {
  const format = allFormats.find((one) => one.name === name);
  return [...(format?.parse(feedTextOf(Buffer.from(text)), options) ?? [])].map((entry) =>
    "value" in entry ? (entry.detail?.reason ?? null) : JSON.stringify(entry),
  );
};

test.each([
  ["ipsum", "192.0.2.7\t10\n192.0.2.8\t1\n", {}, ["Named by 10 lists", "Named by 1 list"]],
  ["csv", "ip,n\n192.0.2.7,10\n192.0.2.8,\n", { column: "ip", count: "n" }, ["Named by 10 lists", null]],
  ["csv", "192.0.2.7,3,ssh\n", { count: 1, count_of: "reports", note: 2 }, ["Counted 3 reports: ssh"]],
  ["abusech_csv", '# ip,hits\n"192.0.2.7", "4"\n', { column: "ip", count: "hits" }, ["Named by 4 lists"]],
  ["json", '[{"ip":"192.0.2.7","n":8}]', { field: "ip", count: "n" }, ["Named by 8 lists"]],
  [
    "ndjson",
    '{"ip":"192.0.2.7","n":"8"}\n{"ip":"192.0.2.8"}\n',
    { field: "ip", count: "n" },
    ["Named by 8 lists", null],
  ],
  [
    "table",
    "192.0.2.7 12 x # old\n192.0.2.8\n",
    { count: 1, count_of: "attacks" },
    ["Counted 12 attacks: old", null],
  ],
  [
    "dshield_block",
    "192.0.2.0\t192.0.2.255\t24\t2712\tA\n192.0.3.0\t192.0.3.255\t24\n",
    {},
    ["Counted 2712 attacks", null],
  ],
])("%s with %j gives the count of an entry as its reason", (name, text, options, reasons) => {
  expect(reasonsOf(name, text, options)).toEqual(reasons);
});
