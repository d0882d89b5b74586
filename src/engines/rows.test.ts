import { afterAll, expect, test } from "vitest";
import { defineEngines } from "./definitions.ts";
import { enginesOptionsSchema } from "./options.ts";
import { rowOf } from "./rows.ts";
import { ask, feed, fileUrl, ipTarget, open, removeWorlds } from "./test-world.ts";

afterAll(removeWorlds);

const GONE = { trouble: "gone", lastError: "The server answered 404", failures: 30 } as const;

test("a list that its publisher has removed is gone, and what it brought last still answers", async () => {
  const world = await open({
    engines: { feeds: [feed("a", { url: fileUrl("a.txt") })] },
    lists: { "a.txt": "20.0.0.7\n" },
    retrievals: () => GONE,
  });
  expect(world.engines.list()).toMatchObject([
    { key: "a", status: "gone", entries: 1, last_error: "The publisher has removed the list" },
  ]);
  expect((await ask(world, ipTarget("20.0.0.7"))).verdicts).toMatchObject([
    { engine: { key: "a" }, detected: true },
  ]);
});

test("it says what replaces the list, where the catalogue knows", async () => {
  const { listings } = await open({
    engines: { feeds: [feed("b", { url: fileUrl("b.txt") })] },
    lists: { "b.txt": "20.0.0.8\n" },
  });
  const [state] = listings.lists;
  if (state === undefined) throw new Error("no list");
  const engines = enginesOptionsSchema.parse({});
  const definitions = defineEngines({ engines, allowlists: [] });
  const replaced = definitions.filter(({ replacedBy }) => replacedBy !== null);
  expect(replaced.length).toBeGreaterThan(0);
  for (const definition of replaced) {
    const row = rowOf({ definition, state: { ...state, ...GONE }, age: null, absence: null });
    expect(row.last_error).toBe(`The publisher has removed the list; "${definition.replacedBy}" replaces it`);
  }
});
