import { describe, expect, test } from "vitest";
import { isOver, isStale, lifetimeOf } from "./list-age.ts";

const AT = "2026-11-21T09:00:00.250Z";
const EARLIER = "2026-11-20T00:00:00Z";
const retrieved = { seed: false, retrievedAt: AT, publishedAt: null };
const seed = { seed: true, retrievedAt: null, publishedAt: EARLIER };
const later = (from: string, seconds: number, ms = 0): number => Date.parse(from) + seconds * 1000 + ms;

describe("the content of a list", () => {
  test.each([
    ["retrieved", retrieved, AT],
    ["with an older date inside", { ...retrieved, publishedAt: EARLIER }, EARLIER],
    ["with a date of the future inside", { ...retrieved, publishedAt: "2027-01-01T00:00:00Z" }, AT],
    ["shipped", seed, EARLIER],
    ["without any date", { ...retrieved, retrievedAt: null }, "1970-01-01T00:00:00Z"],
  ])("%s counts its age from the right instant", (_, state, from) => {
    expect(lifetimeOf(state, 60).asOfMs).toBe(Date.parse(from));
  });

  test.each([
    [5, 3600],
    [20, 3600],
    [21, 3780],
    [1440, 259_200],
  ])(
    "looked for every %i minutes is stale once its age in whole seconds is more than %i",
    (minutes, limit) => {
      const life = lifetimeOf(retrieved, minutes);
      expect(isStale(life, later(AT, limit))).toBe(false);
      expect(isStale(life, later(AT, limit, 999))).toBe(false);
      expect(isStale(life, later(AT, limit + 1))).toBe(true);
    },
  );

  test.each([
    ["retrieved, hourly", retrieved, AT, 60, 7 * 86_400],
    ["retrieved, daily", retrieved, AT, 1440, 24 * 86_400],
    ["shipped", seed, EARLIER, 60, 400 * 86_400],
  ])("%s answers until its age in whole seconds is more than its limit", (_, state, from, minutes, limit) => {
    const life = lifetimeOf(state, minutes);
    expect(isOver(life, later(from, limit, 999))).toBe(false);
    expect(isOver(life, later(from, limit + 1))).toBe(true);
  });
});
