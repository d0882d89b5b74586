import { expect, test } from "vitest";
import { createTextHash } from "./text-hash.ts";

const hashOf = (seeds: readonly [number, number], text: string): string => {
  const hash = createTextHash(seeds);
  hash.update(text);
  return `${hash.high()} ${hash.low()}`;
};

test("a text has one hash under one pair of seeds and another under each other pair", () => {
  expect(hashOf([1, 2], "example.org")).toBe(hashOf([1, 2], "example.org"));
  const hashes = [
    [1, 2],
    [2, 1],
    [1, 3],
    [0, 2],
    [0, 0],
  ].map(([a = 0, b = 0]) => hashOf([a, b], "example.org"));
  expect(new Set(hashes).size).toBe(5);
});

test("texts that differ in one place, in length or in order do not meet", () => {
  const texts = [
    "",
    "a",
    "b",
    "aa",
    "ab",
    "ba",
    "a\0",
    "\0a",
    "á",
    "example.org",
    "example.orh",
    "fxample.org",
  ];
  expect(new Set(texts.map((text) => hashOf([7, 9], text))).size).toBe(texts.length);
});

test("each half spreads 100,000 numbered names as chance would", () => {
  const hash = createTextHash([123, 456]);
  const halves = { high: new Set<number>(), low: new Set<number>() };
  const buckets = new Uint32Array(1024);
  for (let i = 0; i < 100_000; i++) {
    hash.update(`host${i}.example`);
    halves.high.add(hash.high());
    halves.low.add(hash.low());
    buckets[hash.high() >>> 22] = (buckets[hash.high() >>> 22] ?? 0) + 1;
  }
  // Chance expects 1.2 meetings among 2^32 values, and 98 names in each bucket with a deviation of 10.
  expect(halves.high.size).toBeGreaterThan(99_985);
  expect(halves.low.size).toBeGreaterThan(99_985);
  expect(Math.max(...buckets)).toBeLessThan(170);
  expect(Math.min(...buckets)).toBeGreaterThan(40);
});
