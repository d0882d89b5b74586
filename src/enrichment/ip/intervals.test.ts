import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIntervalCollector, findIpv4Row, findIpv6Row } from "./intervals.ts";

type Start = { readonly upper: number; readonly lower: number; readonly row: number };

const u32 = fc.oneof(fc.nat(300), fc.nat(0xffff_ffff), fc.constantFrom(0, 0xffff, 0x10000, 0xffff_ffff));
const row = fc.oneof(fc.nat(3), fc.nat(0xff_ffff));
const starts = fc.array(fc.record({ upper: u32, lower: u32, row }), { maxLength: 40 });

const ascending = (a: Start, b: Start) => a.upper - b.upper || a.lower - b.lower;

/** Row of the last start at or below the address; of equal starts the last one added. */
function scan(sorted: readonly Start[], upper: number, lower: number): number {
  const last = sorted.findLast(
    (start) => start.upper < upper || (start.upper === upper && start.lower <= lower),
  );
  return last?.row ?? 0;
}

describe("createIntervalCollector()", () => {
  test("packs IPv4 intervals that answer as a plain scan of their starts does", () => {
    fc.assert(
      fc.property(starts, fc.array(u32), (list, probes) => {
        const sorted = list.map((start) => ({ ...start, lower: 0 })).toSorted(ascending);
        const collector = createIntervalCollector(sorted.length + 1);
        for (const start of sorted) collector.add(start.upper, 0, start.row);
        const table = collector.packIpv4();
        for (const value of [...probes, ...sorted.map(({ upper }) => upper)]) {
          expect(findIpv4Row(table, value)).toBe(scan(sorted, value, 0));
        }
      }),
    );
  });

  test("packs IPv6 intervals that answer as a plain scan of their starts does", () => {
    fc.assert(
      fc.property(starts, fc.array(fc.tuple(u32, u32)), (list, probes) => {
        const sorted = list.toSorted(ascending);
        const collector = createIntervalCollector(sorted.length + 1);
        for (const start of sorted) collector.add(start.upper, start.lower, start.row);
        const table = collector.packIpv6();
        const own = sorted.map(({ upper, lower }) => [upper, lower] as const);
        for (const [upper, lower] of [...probes, ...own]) {
          expect(findIpv6Row(table, upper, lower)).toBe(scan(sorted, upper, lower));
        }
      }),
    );
  });

  test("makes one interval of equal neighbours", () => {
    const collector = createIntervalCollector(4);
    for (const start of [0, 10, 20]) collector.add(start, 0, 7);
    expect(collector.packIpv4().lows).toHaveLength(1);
  });
});
