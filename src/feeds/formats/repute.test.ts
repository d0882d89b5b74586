import { describe, expect, test } from "vitest";
import { feedTextOf } from "../feed-text.ts";
import type { FormatOptions } from "./format.ts";
import { repute } from "./repute.ts";

const HEADER = "value,score,band,categories,families,sources,first_seen,last_seen,licence";

const rows = (lines: readonly string[], options: FormatOptions = {}) => [
  ...repute.parse(feedTextOf(Buffer.from(`${lines.join("\n")}\n`)), options),
];

const entry = (more: object) => JSON.stringify({ value: "192.0.2.0/24", score: 61, ...more });

describe("exports of another Repute", () => {
  const told = {
    value: "192.0.2.0/24",
    detail: {
      codes: ["abuse", "attack"],
      reason: "Score 61: net_attacks, own_reports",
      firstSeen: "2026-11-01T00:00:00Z",
      lastSeen: "2026-11-20T10:00:00Z",
    },
  };

  test.each<[form: string, lines: readonly string[]]>([
    [
      "ndjson",
      [
        entry({
          categories: ["abuse", "attack"],
          sources: ["net_attacks", "own_reports"],
          first_seen: "2026-11-01T00:00:00Z",
          last_seen: "2026-11-20T10:00:00Z",
        }),
      ],
    ],
    [
      "csv",
      [
        HEADER,
        "192.0.2.0/24,61,elevated,abuse;attack,net;own,net_attacks;own_reports,2026-11-01T00:00:00Z,2026-11-20T10:00:00Z,CC0-1.0",
      ],
    ],
    [
      "csv with the columns in another order",
      [
        "score,last_seen,first_seen,sources,categories,value",
        "61,2026-11-20T10:00:00Z,2026-11-01T00:00:00Z,net_attacks;own_reports,abuse;attack,192.0.2.0/24",
      ],
    ],
  ])("%s: value, categories, score with its sources, dates", (_form, lines) => {
    expect(rows(lines)).toEqual([told]);
  });

  test.each([1e308, -5, 101, "NaN", "0x32", "1e1", " 50", "+50", "-0", true, [50], { a: 50 }, "٥٠"])(
    "a row with the score %j is dropped",
    (score) => {
      expect(rows([entry({ score })])).toEqual([{ dropped: entry({ score }) }]);
    },
  );

  test.each([0, "0", "", null, 61.5, "61.5", "100", "061"])("a row with the score %j counts", (score) => {
    expect(rows([entry({ score })])).toMatchObject([{ value: "192.0.2.0/24" }]);
  });

  test("published ranges have no score, and a long row of sources is cut", () => {
    const sources = Array.from({ length: 11 }, (_, i) => `list_${i}`);
    expect(rows([entry({ score: 0, sources: ["cdn_ranges"] }), entry({ sources })])).toEqual([
      { value: "192.0.2.0/24", detail: { reason: "cdn_ranges" } },
      {
        value: "192.0.2.0/24",
        detail: { reason: `Score 61: ${sources.slice(0, 8).join(", ")} and 3 more` },
      },
    ]);
  });

  test.each([
    ["ndjson", ['{"value":"192.0.2.1","score":60}', '{"value":"192.0.2.2","score":59.9}']],
    ["csv", ["value,score", "192.0.2.1,60", "192.0.2.2,59"]],
  ])("min_score leaves the lower ones of %s out", (_form, lines) => {
    expect(rows(lines, { min_score: 60 })).toEqual([
      { value: "192.0.2.1", detail: { reason: "Score 60" } },
      { skipped: "filtered" },
    ]);
  });

  test.each(["+a@example.com", "=cmd|x@example.com", "-a@example.com", "'+a@example.com"])(
    "the mark of %s is taken away",
    (value) => {
      expect(rows(["value,score", `"'${value}",0`])).toEqual([{ value }]);
    },
  );

  test("a value with a comma and quotes", () => {
    expect(rows(["value,score", '"http://a.example/""x"",y",0'])).toEqual([
      { value: 'http://a.example/"x",y' },
    ]);
  });

  test.each<[what: string, line: string]>([
    ["no JSON", '{"value":'],
    ["an array", "[1]"],
    ["no value", '{"score":61}'],
    ["a value that is no text", '{"value":{"a":1},"score":61}'],
    ["a member of the prototype", '{"__proto__":{"value":"192.0.2.1"}}'],
    ["a score that is no number", '{"value":"192.0.2.1","score":"high"}'],
    ["a score that is an object", '{"value":"192.0.2.1","score":{"toString":1,"valueOf":1}}'],
    ["a score in a list", '{"value":"192.0.2.1","score":[{"toString":1}]}'],
    ["a score beyond 100", '{"value":"192.0.2.1","score":1e999}'],
    ["a score below 0", '{"value":"192.0.2.1","score":-1}'],
    ["true for a score", '{"value":"192.0.2.1","score":true}'],
    ["a line of csv", "192.0.2.1,61"],
  ])("%s in ndjson is a dropped row, and the rows beside it stay", (_what, line) => {
    expect(rows(['{"value":"192.0.2.7"}', line, '{"value":"192.0.2.8"}'])).toEqual([
      { value: "192.0.2.7" },
      { dropped: expect.any(String) },
      { value: "192.0.2.8" },
    ]);
  });

  test("a first line that is too long, or begins with blanks, leaves ndjson what it is", () => {
    const url = `http://a.example/${"a".repeat(5000)}`;
    expect(rows([JSON.stringify({ value: url }), '  {"value":"http://b.example/"}'])).toEqual([
      { dropped: expect.stringContaining("http://a.example/") },
      { value: "http://b.example/" },
    ]);
    expect(rows([" ", ' {"value":"192.0.2.7"}'])).toEqual([{ value: "192.0.2.7" }]);
  });

  test.each([
    ["the txt form", "# Repute export edge\n192.0.2.0/24"],
    ["a page", "<!doctype html>"],
    ["nothing", ""],
  ])("%s is no such export", (what, text) => {
    const read = () => rows([text]);
    if (what === "nothing") expect(read()).toEqual([]);
    else expect(read).toThrow("Expected an export of Repute in its ndjson or csv form");
  });
});
