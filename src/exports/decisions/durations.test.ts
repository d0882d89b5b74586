import { readdirSync, readFileSync, rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { buildBody, buildExports } from "../build.ts";
import { createTestWorld, type TestWorld } from "../test-world.ts";
import { durationSecondsOf, SCENARIOS } from "./decision.ts";
import { viewId } from "./stream-view.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const VIEW = { expand: "no", hasIps: true, hasRanges: true, scenarios: SCENARIOS.map(() => true) } as const;
const LINES = ["45.1.1.1", "45.2.2.0/24"];
const listed = (refresh: number) => ({
  block: { a: { lines: LINES, more: { format: "netset", refresh_minutes: refresh } } },
});

/** The time that a bouncer is told at its start, of the body that is made where it asks. */
async function toldAtStart(made: TestWorld): Promise<readonly string[]> {
  const { facts } = made.state("edge");
  if (facts === null) throw new Error("There is no export");
  const id = viewId({ view: VIEW, durationS: durationSecondsOf(facts) });
  await buildBody(made.build.dir, "edge", id);
  const text = readFileSync(made.files("edge").body(facts.generation, id), "utf8");
  return [...text.matchAll(/"duration":"([^"]+)"/g)].map(([, told = ""]) => told);
}

test("a list that is asked for more rarely makes decisions hold longer, also where the export says the same", async () => {
  world = createTestWorld([{ name: "edge" }]);
  const made = world;
  await made.make(listed(60));
  const before = made.state("edge").facts?.generation;
  expect(await toldAtStart(made)).toEqual(["4h0m0s", "4h0m0s"]);
  await made.make(listed(1440), new Date(made.now.getTime() + 3_600_000));
  expect(made.state("edge").facts?.generation).toBe(before);
  expect(await toldAtStart(made)).toEqual(["48h0m0s", "48h0m0s"]);
  await made.make(listed(60), new Date(made.now.getTime() + 7_200_000));
  expect(await toldAtStart(made)).toEqual(["4h0m0s", "4h0m0s"]);
});

test("a stream that was asked for is written with the next generation, by the time that decisions hold then", async () => {
  world = createTestWorld([{ name: "edge" }]);
  const made = world;
  await made.make(listed(1440));
  rmSync(made.files("edge").dir, { recursive: true });
  const wanted = { edge: [viewId({ view: VIEW, durationS: 14_400 })] };
  await buildExports({ ...made.build, wanted });
  const facts = made.state("edge").facts;
  const id = viewId({ view: VIEW, durationS: 172_800 });
  const written = readdirSync(made.files("edge").dir).filter((name) => name.endsWith(".json"));
  expect(written.sort()).toEqual([`${facts?.generation}~${id}.json`, "state.json"]);
});
