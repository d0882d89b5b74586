import { expect, test } from "vitest";
import { PLANS, parsePlan, planOf } from "./plans.ts";

test("PLANS is the table of interface 8.1", () => {
  const table = PLANS.map((plan) => [
    plan.name,
    plan.creditsPerMonth,
    plan.requestsPerSecond,
    plan.maxApiKeys,
    plan.priceUsdPerMonth,
  ]);
  expect(table).toEqual([
    ["Free", 100, 2, 2, 0],
    ["Starter", 80_000, 30, 5, 19.99],
    ["Pro", 300_000, 60, 10, 49.99],
    ["Enterprise", 1_500_000, 100, 25, 199.99],
  ]);
});

test("parsePlan() reads a name in any case and refuses others with the list of names", () => {
  expect(parsePlan("pro")).toBe(planOf("Pro"));
  expect(() => parsePlan("gold")).toThrow(
    'Unknown plan "gold": expected one of Free, Starter, Pro, Enterprise',
  );
});
