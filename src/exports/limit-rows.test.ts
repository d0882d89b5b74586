import fc from "fast-check";
import { expect, test } from "vitest";
import { createEntryTable } from "./entries.ts";
import { limitRows } from "./limit-rows.ts";
import { createRowCollector, eachRow } from "./rows.ts";

type Said = { readonly score: number; readonly lastSeen: number; readonly isChallenged: boolean };

const said = fc.record({
  score: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 50, 100)),
  lastSeen: fc.oneof(fc.constantFrom(0, 1, 0xffff_ffff), fc.integer({ min: 0, max: 0xffff_ffff })),
  isChallenged: fc.boolean(),
});

function limited(rows: readonly Said[], limit: number | null) {
  const table = createEntryTable();
  const collector = createRowCollector(table);
  for (const [address, row] of rows.entries()) {
    const entry = { ...row, families: [], categories: [], sources: [], firstSeen: 0 };
    collector.addIpv4(address, 32, table.add(entry));
  }
  return limitRows(collector, table, limit);
}

/** By the rule itself: all rows in order, and the first of them. */
function byRule(rows: readonly Said[], limit: number): ReadonlySet<Said> {
  const order = [...rows].sort((a, b) => b.score - a.score || b.lastSeen - a.lastSeen);
  return new Set(order.slice(0, limit));
}

test("a limit keeps the highest scores, then the newest, then the first", () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 60 }), fc.integer({ min: 1, max: 70 }), (rows, limit) => {
      const kept = byRule(rows, limit);
      const { rows: columns, labels, cut } = limited(rows, limit);
      const expected = rows.flatMap((row, place) => (kept.has(row) ? [place] : []));
      expect([...columns.v4.words]).toEqual(expected);
      expect(cut).toBe(rows.filter((row) => !kept.has(row) && !row.isChallenged).length);
      // Files do not hold what is challenged.
      expect([...eachRow({ rows: columns, labels })].length).toBe(
        expected.filter((place) => rows[place]?.isChallenged === false).length,
      );
    }),
    { numRuns: 500 },
  );
});

test("without a limit, and with one that is not reached, all rows stay", () => {
  const rows = [0, 50, 100].map((score) => ({ score, lastSeen: 0, isChallenged: false }));
  for (const limit of [null, 3, 4]) expect(limited(rows, limit)).toMatchObject({ cut: 0 });
  expect([...limited(rows, null).rows.scores]).toEqual([0, 50, 100]);
});
