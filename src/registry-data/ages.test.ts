import fc from "fast-check";
import { expect, test } from "vitest";
import { ageOf } from "./ages.ts";

test.each([
  ["2026-01-15T00:00:00Z", "2026-02-14T23:59:59Z", { days: 30, months: 0, years: 0 }],
  ["2026-01-15T00:00:00Z", "2026-02-15T00:00:00Z", { days: 31, months: 1, years: 0 }],
  ["2026-01-15T12:00:00Z", "2026-01-16T11:59:59Z", { days: 0, months: 0, years: 0 }],
  ["2026-01-15T12:00:00Z", "2026-01-16T12:00:00Z", { days: 1, months: 0, years: 0 }],
  ["2025-02-15T00:00:00Z", "2026-02-14T00:00:00Z", { days: 364, months: 11, years: 0 }],
  ["2025-02-15T00:00:00Z", "2026-02-15T00:00:00Z", { days: 365, months: 12, years: 1 }],
  ["2024-02-29T00:00:00Z", "2026-02-28T00:00:00Z", { days: 730, months: 23, years: 1 }],
  ["2025-12-31T00:00:00Z", "2026-01-30T00:00:00Z", { days: 30, months: 0, years: 0 }],
  ["2030-01-01T00:00:00Z", "2026-01-01T00:00:00Z", { days: 0, months: 0, years: 0 }],
])("the age from %s to %s is whole", (from, now, age) => {
  expect(ageOf(from, new Date(now))).toEqual(age);
});

test("an age never shrinks as time goes on", () => {
  const instant = fc.date({ min: new Date("1985-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 0, max: 1e11 }), (from, now, more) => {
      const age = ageOf(from.toISOString(), now);
      const later = ageOf(from.toISOString(), new Date(now.getTime() + more));
      expect(later.days).toBeGreaterThanOrEqual(age.days);
      expect(later.months).toBeGreaterThanOrEqual(age.months);
    }),
  );
});
