import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { HOUR_MS } from "../base/durations.ts";
import { publish, release } from "./publish.ts";
import { eachRow } from "./rows.ts";
import { readStateOf, writeState } from "./state.ts";
import { createTestWorld, type TestWorld } from "./test-world.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const open = (...exports: readonly object[]): TestWorld => {
  world = createTestWorld(exports);
  return world;
};

const hours = (made: TestWorld, count: number): Date => new Date(made.now.getTime() + count * HOUR_MS);

/** So many addresses that are no neighbours. */
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `45.${i >> 7}.${(i & 127) * 2}.1`);

test("fewer than half of the entries are held back for a day, or until they are released", async () => {
  const made = open({ name: "edge" }, { name: "other" });
  await made.make({ block: { a: { lines: many(300) } } });
  const full = made.state("edge").facts;
  const halved = { block: { a: { lines: many(300) } }, allow: { ours: { lines: many(151) } } };
  await made.make(halved, hours(made, 1));
  expect(made.state("edge")).toMatchObject({
    facts: { generation: full?.generation },
    held: { reason: "halved", entries: 149, needed: 150 },
  });
  await release(made.files("other"), { now: hours(made, 2), wanted: [] });
  expect(made.state("other")).toMatchObject({ facts: { entries: 149 }, held: null });
  expect(existsSync(made.files("other").held)).toBe(false);
  await made.make(halved, hours(made, 24));
  expect(made.state("edge").facts?.entries).toBe(300);
  await made.make(halved, hours(made, 25));
  expect(made.state("edge")).toMatchObject({ facts: { entries: 149 }, held: null });
});

test("a clock that was ahead when they were held back, and was set right, holds them no longer than a day", async () => {
  const made = open({ name: "edge" });
  await made.make({ block: { a: { lines: many(300) } } });
  const halved = { block: { a: { lines: many(300) } }, allow: { ours: { lines: many(151) } } };
  await made.make(halved, hours(made, 9000));
  expect(made.state("edge").held?.since).toMatch(/^2027/);
  await made.make(halved, hours(made, 1));
  expect(made.state("edge").held?.since).toBe("2026-11-21T13:00:00Z");
  await made.make(halved, hours(made, 24));
  expect(made.state("edge").facts?.entries).toBe(300);
  await made.make(halved, hours(made, 25));
  expect(made.state("edge")).toMatchObject({ facts: { entries: 149 }, held: null });
});

test("after an upgrade the same content is a new generation, since what is written of it may be other", async () => {
  const made = open({ name: "edge" });
  const lists = { block: { a: { lines: many(3) } } };
  await made.make({ block: { a: { lines: many(4) } } });
  await made.make(lists, hours(made, 1));
  const files = made.files("edge");
  const before = made.state("edge");
  await made.make(lists, hours(made, 2));
  expect(made.state("edge").facts).toEqual(before.facts);
  await writeState(files, { ...before, madeBy: "0.0.1" });
  await made.make(lists, hours(made, 3));
  const { facts, differences } = made.state("edge");
  expect(facts?.generation).toBeGreaterThan(before.facts?.generation ?? Number.NaN);
  // Bouncers are told what went before the upgrade all the same.
  expect([facts?.entries, differences]).toEqual([3, before.differences]);
  expect(readdirSync(files.dir).sort()).toEqual(
    [`${facts?.generation}.bin`, `${before.facts?.generation}.diff`, "state.json"].sort(),
  );
  await made.make(lists, hours(made, 4));
  expect(made.state("edge").facts?.generation).toBe(facts?.generation);
});

test.each([
  ["halved", {}, 60],
  ["too few", { min_entries: 200 }, 160],
])(
  "after an upgrade what stays in force is written anew as well, while less is held back: %s",
  async (_, options, left) => {
    const made = open({ name: "edge", ...options });
    await made.make({ block: { a: { lines: many(240) } } });
    const files = made.files("edge");
    const before = made.state("edge");
    await writeState(files, { ...before, madeBy: "0.0.1" });
    const less = { block: { a: { lines: many(240) } }, allow: { ours: { lines: many(240 - left) } } };
    await made.make(less, hours(made, 1));
    const held = made.state("edge");
    const { generation = Number.NaN } = held.facts ?? {};
    expect(generation).toBeGreaterThan(before.facts?.generation ?? Number.NaN);
    // It is no younger for that.
    expect(held).toMatchObject({
      facts: { ...before.facts, generation },
      ...{ checkedAt: before.checkedAt, held: { entries: left } },
    });
    expect(made.generation("edge").facts).toEqual(held.facts);
    expect(readdirSync(files.dir).sort()).toEqual([`${generation}.bin`, "held.bin", "state.json"]);
    await made.make(less, hours(made, 2));
    expect(made.state("edge").facts).toEqual(held.facts);
    await release(files, { now: hours(made, 3), wanted: [] });
    const released = made.state("edge");
    expect(released).toMatchObject({ facts: { entries: left }, held: null });
    expect(released.differences).toEqual([{ from: generation, to: released.facts?.generation }]);
    expect(released.facts?.generation).toBeGreaterThan(generation);
  },
);

test("what was released stays in force, and is found right, for as long as nothing changes", async () => {
  const made = open({ name: "edge", min_entries: 20 });
  await made.make({ block: { a: { lines: many(30) } } });
  await made.make({ block: { a: { lines: many(15) } } }, hours(made, 1));
  expect(made.state("edge")).toMatchObject({
    facts: { entries: 30 },
    held: { reason: "too_few", entries: 15 },
  });
  await release(made.files("edge"), { now: hours(made, 2), wanted: [] });
  await made.make({ block: { a: { lines: many(15) } } }, hours(made, 60));
  expect(made.state("edge")).toMatchObject({
    ...{ facts: { entries: 15 }, held: null, checkedAt: "2026-11-24T00:00:00Z" },
  });
  await made.make({ block: { a: { lines: many(14) } } }, hours(made, 61));
  expect(made.state("edge")).toMatchObject({ facts: { entries: 15 }, held: { entries: 14, needed: 20 } });
});

test.each([
  ["another target", { target: "domain" }, { names: { lines: ["evil.net"], target: "domain" } } as const],
  ["another kind", { kind: "allow", services: ["mail"] }, { hosts: { lines: ["45.1.1.1"] } } as const],
])("an export of %s begins anew: nothing of the old one is served or compared", async (_, options, block) => {
  const before = open({ name: "edge" });
  await before.make({ block: { a: { lines: many(300) } } });
  const files = before.files("edge");
  const after = createTestWorld([{ name: "edge", ...options }], { hasShipped: true });
  await after.make({ block }, hours(before, 1));
  const candidate = after.generation("edge");
  after.close();
  expect(readStateOf(files, candidate.facts)).toMatchObject({ facts: null, differences: [] });
  await publish(files, candidate, { minEntries: 1, now: hours(before, 1), wanted: [] });
  expect(readStateOf(files, candidate.facts)).toMatchObject({
    facts: { entries: candidate.facts.entries, generation: candidate.facts.generation },
    ...{ held: null, differences: [] },
  });
  expect(readdirSync(files.dir).sort()).toEqual([`${candidate.facts.generation}.bin`, "state.json"]);
});

test("no entries at all never take the place of some, however long that lasts", async () => {
  const made = open({ name: "edge" });
  await made.make({ block: { a: { lines: many(3) } } });
  await made.make({ block: { a: { lines: many(3) } }, allow: { ours: { lines: many(3) } } }, hours(made, 48));
  expect([...eachRow(made.generation("edge"))]).toHaveLength(3);
  await expect(release(made.files("edge"), { now: made.now, wanted: [] })).rejects.toThrow("has no entries");
  expect(made.state("edge")).toMatchObject({
    held: { reason: "too_few", entries: 0 },
    checkedAt: "2026-11-21T12:00:00Z",
  });
});

test.each([
  ["ip", true],
  ["domain", false],
] as const)(
  "an allowlist of %s that was never read holds back the exports that it is cut out of",
  async (target, isHeldBack) => {
    const made = open({ name: "edge" }, { name: "whole", subtract: [] }, { name: "never", kind: "allow" });
    const block = { a: { lines: many(4) } };
    await made.make({ block, allow: { ours: { lines: many(1) } } });
    const before = made.state("edge").facts;
    expect(before?.entries).toBe(3);
    const missing = { lines: [], target, more: { url: pathToFileURL(join(made.dir, "none.txt")).href } };
    const again = made.make({ block, allow: { theirs: missing } }, hours(made, 1));
    if (!isHeldBack) return await again;
    await expect(again).rejects.toThrow("edge: The allowlist theirs was never read");
    expect(made.state("edge")).toMatchObject({
      facts: { generation: before?.generation },
      fault: { message: "The allowlist theirs was never read: what it allows would be in the export" },
    });
    expect(made.state("whole").facts?.entries).toBe(4);
    await made.make({ block, allow: { theirs: { lines: many(2) } } }, hours(made, 2));
    expect(made.state("edge")).toMatchObject({ facts: { entries: 2 }, fault: null });
  },
);
