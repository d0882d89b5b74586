import fc from "fast-check";
import { expect, test } from "vitest";
import type { Announcements } from "./ris-dump.ts";
import { forEachVisible, MIN_PEERS } from "./visible-routes.ts";

type Row = {
  readonly upper: number;
  readonly lower: number;
  readonly length: number;
  readonly origin: number;
  readonly peers: number;
};

const announcementsOf = (rows: readonly Row[]): Announcements => ({
  uppers: Uint32Array.from(rows, ({ upper }) => upper),
  lowers: Uint32Array.from(rows, ({ lower }) => lower),
  lengths: Uint32Array.from(rows, ({ length }) => length),
  origins: Uint32Array.from(rows, ({ origin }) => origin),
  peers: Uint32Array.from(rows, ({ peers }) => peers),
});

type Route = readonly [upper: number, lower: number, length: number, origins: readonly number[]];

function visible(rows: readonly Row[]): readonly Route[] {
  const routes: Route[] = [];
  forEachVisible(announcementsOf(rows), (upper, lower, length, origins) => {
    routes.push([upper, lower, length, [...origins]]);
  });
  return routes;
}

/** The same with nothing but grouping and sorting. */
const expected = (rows: readonly Row[]): readonly Route[] =>
  [...Map.groupBy(rows, ({ upper, lower, length }) => `${upper} ${lower} ${length}`).values()]
    .filter((group) => group.reduce((sum, { peers }) => sum + peers, 0) >= MIN_PEERS)
    .map((group): Route => {
      const sorted = group.toSorted((a, b) => b.peers - a.peers || a.origin - b.origin);
      const [{ upper, lower, length } = { upper: 0, lower: 0, length: 0 }] = sorted;
      return [upper, lower, length, [...new Set(sorted.map(({ origin }) => origin))]];
    })
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);

// Few different values, so that most rows share a word, a prefix or an origin with another.
const row = fc.record({
  upper: fc.constantFrom(0, 1, 0x0808_0800, 0x2001_0db8, 0xffff_ffff),
  lower: fc.constantFrom(0, 1, 0x8000_0000, 0xffff_ffff),
  length: fc.constantFrom(8, 24, 32, 48, 64),
  origin: fc.constantFrom(1, 2, 3, 0xffff_ffff),
  peers: fc.nat(12),
});

test("routes come in the order of their addresses, whatever the dump's, with their origins, most seen first", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      expect(visible(rows)).toEqual(expected(rows));
    }),
  );
});

test("of a prefix that very many systems announce the most seen stay", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => ({
    upper: 0x0808_0800,
    lower: 0,
    length: 24,
    origin: i + 1,
    peers: 1 + (i % 1000),
  }));
  const [route] = visible(rows);
  expect(route?.[3]).toHaveLength(64);
  expect(route?.[3][0]).toBe(1000);
});
