import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatIpv4, parseIpv4Value } from "../../targets/ip.ts";
import {
  type AnswerTable,
  isListed,
  judgeAnswers,
  judgeEmptyEntry,
  readAnswerRange,
} from "./answer-table.ts";

const DEFAULTS: AnswerTable = { listed: null, listedBits: null, refused: null, neutral: [] };
const numberOf = (text: string) => parseIpv4Value(text) ?? Number.NaN;

describe("readAnswerRange()", () => {
  test.each([
    ["127.0.0.2", "127.0.0.2", "127.0.0.2"],
    ["127.0.0.2-127.0.0.11", "127.0.0.2", "127.0.0.11"],
    ["127.0.0.2 - 127.0.0.11", "127.0.0.2", "127.0.0.11"],
    ["127.255.255.0/24", "127.255.255.0", "127.255.255.255"],
    ["127.255.255.9/24", "127.255.255.0", "127.255.255.255"],
    ["127.0.0.2/32", "127.0.0.2", "127.0.0.2"],
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255"],
  ])("reads %s", (text, low, high) => {
    expect(readAnswerRange(text)?.map(formatIpv4)).toEqual([low, high]);
  });

  test.each([
    "",
    "127.0.0",
    "127.0.0.2-",
    "127.0.0.9-127.0.0.2",
    "127.0.0.1-2-3",
    "127.0.0.0/33",
    "127.0.0.0/x",
    "::1",
  ])("refuses %j", (text) => {
    expect(readAnswerRange(text)).toBeNull();
  });
});

const address = fc.oneof(
  fc.integer({ min: 0x7f000000, max: 0x7f000020 }),
  fc.integer({ min: 0x7fffff00, max: 0x7fffffff }),
  fc.integer({ min: 0, max: 0xffffffff }),
);
const ranges = fc.array(
  fc
    .tuple(address, fc.integer({ min: 0, max: 12 }))
    .map(([low, size]) => [low, Math.min(0xffffffff, low + size)] as const),
  { maxLength: 3 },
);
const table = fc.record({
  listed: fc.option(ranges),
  listedBits: fc.option(fc.integer({ min: 1, max: 255 })),
  refused: fc.option(ranges),
  neutral: ranges,
});
const names = (list: AnswerTable["listed"], value: number) =>
  list?.some(([low, high]) => value >= low && value <= high) ?? false;

describe("judgeAnswers()", () => {
  test("reads an address outside 127/8 only where a table names it", () => {
    fc.assert(
      fc.property(fc.array(table, { minLength: 1, maxLength: 3 }), fc.array(address), (tables, values) => {
        const strangers = values.filter(
          (value) =>
            value >>> 24 !== 127 &&
            !tables.some(({ listed, neutral }) => names(listed, value) || names(neutral, value)),
        );
        if (strangers.length > 0) expect(judgeAnswers(tables, values).state).not.toBe("read");
      }),
    );
  });

  test("says refused whenever an answer stands in `refused`, whatever else there is", () => {
    fc.assert(
      fc.property(fc.array(table, { minLength: 1, maxLength: 3 }), fc.array(address), (tables, values) => {
        const isRefused = values.some((value) => tables.some(({ refused }) => names(refused, value)));
        if (isRefused) expect(judgeAnswers(tables, values).state).toBe("refused");
      }),
    );
  });

  test("does not depend on the order or the number of equal answers", () => {
    fc.assert(
      fc.property(table, fc.array(address), (one, values) => {
        const { state } = judgeAnswers([one], values);
        expect(judgeAnswers([one], values.toReversed()).state).toBe(state);
        expect(judgeAnswers([one], [...values, ...values]).state).toBe(state);
      }),
    );
  });

  test("with the defaults all of 127/8 is a listing but for its refusals", () => {
    fc.assert(
      fc.property(address, (value) => {
        const isRefusal = value === 0x7f000001 || value >>> 8 === 0x7fffff;
        const expected = value >>> 24 !== 127 ? "error" : isRefusal ? "refused" : "read";
        expect(judgeAnswers([DEFAULTS], [value]).state).toBe(expected);
        expect(isListed(DEFAULTS, value)).toBe(expected === "read");
      }),
    );
  });
});

describe("judgeEmptyEntry(), at an entry that no list may hold,", () => {
  test.each<[string, readonly string[], Partial<AnswerTable>, string | null]>([
    ["nothing is right", [], {}, "read"],
    ["a listing is wrong", ["127.0.0.2"], {}, null],
    ["an unknown code is wrong", ["127.0.0.9"], { listed: [[0x7f000002, 0x7f000002]] }, null],
    ["a neutral answer is right", ["127.0.0.9"], { neutral: [[0x7f000009, 0x7f000009]] }, "read"],
    ["a sum without a listed bit is right", ["127.0.0.4"], { listedBits: 8 }, "read"],
    ["a sum with one is wrong", ["127.0.0.12"], { listedBits: 8 }, null],
    ["a refusal is no result", ["127.0.0.1"], {}, "refused"],
    ["a rewritten answer is no result", ["198.51.100.9"], {}, "error"],
  ])("%s", (_, values, more, expected) => {
    expect(judgeEmptyEntry([{ ...DEFAULTS, ...more }], values.map(numberOf))?.state ?? null).toBe(expected);
  });
});
