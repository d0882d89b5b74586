import { mkdtempSync, rmSync } from "node:fs";
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

test("a body that is asked for by many at once is made once, and all are told when it is there", async () => {
  const made: string[] = [];
  const make = createMaking(dir, systemClock, async (id) => {
    made.push(id);
    await systemClock.sleep(10);
  });
  expect(await Promise.all([make(1, "txt"), make(1, "txt"), make(1, "csv")])).toEqual([true, true, true]);
  expect(made).toEqual(["txt", "csv"]);
});

test("who asks for a body that takes too long does not wait for it, and it is made all the same", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const make = createMaking(dir, fast, async (id) => {
    if (id === "slow") await promise;
    done.push(id);
  });
  expect(await Promise.all([make(1, "slow"), make(1, "behind")])).toEqual([false, false]);
  resolve();
  while (done.length < 2) await systemClock.sleep(1);
  expect(done).toEqual(["slow", "behind"]);
});

test("a body that cannot be made is told to who waits, and keeps no other from being made", async () => {
  const make = createMaking(dir, systemClock, async (id) => {
    if (id === "bad") throw new Error("The disk is full");
  });
  const bad = make(1, "bad");
  const good = make(1, "good");
  await expect(bad).rejects.toThrow("The disk is full");
  expect(await good).toBe(true);
});
