import { afterEach, expect, test } from "vitest";
import { DAY_MS } from "../base/durations.ts";
import { eachRow } from "./rows.ts";
import { createTestWorld, type TestLists, type TestWorld } from "./test-world.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const open = (
  ...exports: readonly object[]
): { readonly made: TestWorld; readonly day: (n: number) => Date } => {
  const made = createTestWorld(exports);
  world = made;
  return { made, day: (n) => new Date(made.now.getTime() + n * DAY_MS) };
};

const valuesOf = (made: TestWorld, name: string): readonly string[] =>
  [...eachRow(made.generation(name))].map(({ value }) => value);

const agesOf = (made: TestWorld, name: string): Readonly<Record<string, number | null>> =>
  Object.fromEntries(made.state(name).facts?.sources.map(({ key, data_age_s }) => [key, data_age_s]) ?? []);

const HOURLY = { more: { refresh_minutes: 60 } };
const MONTHLY = { more: { refresh_minutes: 43_200 } };

/** What each target looks like in a list. */
const TARGETS = [
  { target: "ip", listed: ["45.10.0.0/30"], allowed: "45.10.0.1", left: ["45.10.0.0", "45.10.0.2/31"] },
  {
    target: "domain",
    listed: ["bad.example", "worse.example"],
    allowed: "worse.example",
    left: ["bad.example"],
  },
  {
    target: "url",
    listed: ["http://bad.example/a", "http://worse.example/b"],
    allowed: "http://worse.example/b",
    left: ["http://bad.example/a"],
  },
  {
    target: "email",
    listed: ["a@bad.example", "b@worse.example"],
    allowed: "b@worse.example",
    left: ["a@bad.example"],
  },
] as const;

test.each(TARGETS)(
  "lists of $target that say for weeks that they are the same stay in exports, and take out of them",
  async ({ target, listed, allowed, left }) => {
    const { made, day } = open({ name: "out", target });
    const lists: TestLists = {
      block: { mine: { lines: listed, target, ...HOURLY } },
      allow: { ours: { lines: [allowed], target, ...HOURLY } },
    };
    await made.make(lists);
    expect(valuesOf(made, "out")).toEqual(left);
    for (const n of [6, 8, 29]) {
      await made.ask(day(n));
      expect(valuesOf(made, "out")).toEqual(left);
      expect(agesOf(made, "out")).toEqual({ mine: 0 });
      await made.rebuild(new Date(day(n).getTime() + 3_600_000));
      expect(agesOf(made, "out")).toEqual({ mine: 3600 });
    }
  },
);

test("a list that is not retrieved any more expires in exports, others beside it stay", async () => {
  const { made, day } = open({ name: "out", min_score: 1 });
  await made.make({
    block: {
      often: { lines: ["45.10.0.1"], ...HOURLY },
      seldom: { lines: ["45.20.0.1"], ...MONTHLY },
    },
  });
  await made.ask(day(6)); // the monthly one is not due
  expect(agesOf(made, "out")).toEqual({ often: 0, seldom: 6 * 86_400 });
  await made.rebuild(day(12));
  expect(valuesOf(made, "out")).toEqual(["45.10.0.1", "45.20.0.1"]);
  await made.rebuild(day(14));
  expect(valuesOf(made, "out")).toEqual(["45.20.0.1"]);
});
