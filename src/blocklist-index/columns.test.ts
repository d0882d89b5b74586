import fc from "fast-check";
import { expect, test } from "vitest";
import { createColumn, narrowed, sortRows } from "./columns.ts";

const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffffffff }));

test("sortRows() orders rows as a stable comparison of their columns does", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word)), (rows) => {
      const columns = [0, 1].map((w) => Uint32Array.from(rows, (row) => row[w] ?? 0));
      const expected = rows
        .map((row, number) => ({ row, number }))
        .sort((a, b) => a.row[0] - b.row[0] || a.row[1] - b.row[1])
        .map(({ number }) => number);
      expect([...sortRows(columns)]).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("a column keeps what was pushed over its growth, and drops what was truncated", () => {
  const column = createColumn();
  for (let i = 0; i < 5000; i++) column.push(4294967295 - i);
  column.truncate(4000);
  column.push(1);
  expect([column.length(), column.at(0), column.at(3999), column.at(4000)]).toEqual([
    4001, 4294967295, 4294963296, 1,
  ]);
  expect(column.values().length).toBe(4001);
});

test.each([
  [[], Uint8Array],
  [[0, 255], Uint8Array],
  [[256], Uint16Array],
  [[65535, 0], Uint16Array],
  [[65536], Uint32Array],
])("narrowed() keeps %j in the narrowest width", (values, width) => {
  const narrow = narrowed(Uint32Array.from(values));
  expect(narrow).toBeInstanceOf(width);
  expect([...narrow]).toEqual(values);
});
