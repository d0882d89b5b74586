import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { createMaking } from "./making.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "repute-making-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Time that runs a thousand times as fast. */
const fast = { sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 1000, signal) };

const of = (id: string, asker = "a") => ({ generation: 1, id, asker });

test("a body that is asked for by many at once is made once, and all are told when it is there", async () => {
  const made: string[] = [];
  const make = createMaking(dir, systemClock, async (id) => {
    made.push(id);
    await systemClock.sleep(10);
  });
  expect(await Promise.all([make(of("txt")), make(of("txt")), make(of("csv"))])).toEqual([true, true, true]);
  expect(made).toEqual(["txt", "csv"]);
});

test("who asks for a body that takes too long does not wait for it, and it is made all the same", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const make = createMaking(dir, fast, async (id) => {
    if (id === "slow") await promise;
    done.push(id);
  });
  expect(await Promise.all([make(of("slow")), make(of("behind"))])).toEqual([false, false]);
  resolve();
  while (done.length < 2) await systemClock.sleep(1);
  expect(done).toEqual(["slow", "behind"]);
});

test("a body that cannot be made is told to who waits, and keeps no other from being made", async () => {
  const make = createMaking(dir, systemClock, async (id) => {
    if (id === "bad") throw new Error("The disk is full");
  });
  const bad = make(of("bad"));
  const good = make(of("good"));
  await expect(bad).rejects.toThrow("The disk is full");
  expect(await good).toBe(true);
});

test("who asks for one body waits for one of another's, not for all of them, be it among those too", async () => {
  const made: string[] = [];
  const make = createMaking(dir, systemClock, async (id) => void made.push(id));
  const greedy = Array.from({ length: 100 }, (_, i) => make(of(`rpz~origin=${i}`, "greedy")));
  const others = [make(of("nft", "firewall")), make(of("rpz~origin=99", "resolver"))];
  expect(await Promise.all(others)).toEqual([true, true]);
  expect(made.length).toBeLessThan(7);
  expect(new Set(await Promise.all(greedy))).toEqual(new Set([true]));
  expect(made).toHaveLength(101);
});

test("a token that asks for everything leaves room for others, and all together have an end", async () => {
  const make = createMaking(dir, systemClock, async (id) => writeFileSync(join(dir, `1~${id}.json`), ""));
  const count = async (askers: readonly string[]): Promise<number> => {
    const made = await Promise.all(askers.map((asker, i) => make(of(`${asker}${i}`, asker))));
    return made.filter((one) => one).length;
  };
  expect(await count(Array.from({ length: 300 }, () => "greedy"))).toBe(160);
  expect(await count(Array.from({ length: 20 }, () => "firewall"))).toBe(8);
  expect(await count(Array.from({ length: 100 }, (_, i) => `other ${i} `))).toBe(24);
});
