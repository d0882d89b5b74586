import fc from "fast-check";
import { expect, test } from "vitest";
import { createRates } from "./rate.ts";

test("no second holds more than the allowance, and a whole one without questions frees all", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, (perSecond, waits) => {
      let nowMs = 5;
      const rates = createRates(perSecond);
      const taken: number[] = [];
      for (const wait of waits) {
        nowMs += wait;
        if (rates.take("a", nowMs) === 0) taken.push(nowMs);
      }
      for (const [i, at] of taken.entries())
        expect((taken[i + perSecond] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1000);
      nowMs += 1100;
      for (let i = 0; i < perSecond; i++) expect(rates.take("a", nowMs)).toBe(0);
      expect(rates.take("a", nowMs)).toBeGreaterThan(0);
      expect(rates.take("b", nowMs)).toBe(0);
    }),
  );
});

test("who waits as long as they are told is let in then, and is told no second too many", () => {
  const steps = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), steps, (perSecond, waits) => {
      let nowMs = 12_345.25;
      const rates = createRates(perSecond);
      for (const wait of waits) {
        nowMs += wait;
        const told = rates.take("a", nowMs);
        if (told === 0) continue;
        if (told > 1) expect(rates.take("a", nowMs + 1000 * (told - 1))).toBeGreaterThan(0);
        nowMs += 1000 * told;
        expect(rates.take("a", nowMs)).toBe(0);
      }
    }),
  );
});
