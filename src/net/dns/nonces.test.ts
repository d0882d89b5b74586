import fc from "fast-check";
import { expect, test } from "vitest";
import { systemRandom } from "../../base/clock.ts";
import { createNonces } from "./nonces.ts";

test("gives no octet of chance twice", () => {
  const nonces = createNonces(systemRandom);
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 50 }), (counts) => {
      const taken = counts.map((count) => nonces.octets(count));
      expect(taken.map(({ length }) => length)).toEqual(counts);
      for (const [i, one] of taken.entries()) {
        for (const other of taken.slice(0, i)) {
          const isBefore = other.byteOffset + other.length <= one.byteOffset;
          expect(other.buffer !== one.buffer || isBefore).toBe(true);
        }
      }
    }),
  );
});

test("gives all numbers below a power of two about as often", () => {
  const nonces = createNonces(systemRandom);
  const counts = new Uint32Array(64);
  for (let i = 0; i < 64_000; i++) {
    const place = nonces.below(64);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  // 1,000 each; a deviation of 250 is eight times the standard one.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(250);
});

test("gives ids from the whole range", () => {
  const nonces = createNonces(systemRandom);
  const ids = Array.from({ length: 5000 }, () => nonces.below(65_536));
  expect(Math.max(...ids)).toBeGreaterThan(64_000);
  expect(Math.min(...ids)).toBeLessThan(1500);
  expect(new Set(ids).size).toBeGreaterThan(4500);
});
