import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FeedDefinition } from "./feed.ts";
import { createFileWatch } from "./file-watch.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "watch-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const feed = (path: string): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "file", path },
  format: "plain",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
});

function testClock() {
  let ms = Date.parse("2026-11-21T09:00:00Z");
  return { now: () => new Date(ms), advance: (minutes: number) => (ms += minutes * 60_000) };
}

test("a look at an unchanged file counts as a retrieval, once it is due", () => {
  const path = join(dir, "list.txt");
  writeFileSync(path, "192.0.2.7\n");
  const clock = testClock();
  const watch = createFileWatch([feed(path)], clock);
  clock.advance(30);
  expect(watch.look()).toEqual([]);
  expect(watch.confirmedAt("mine")).toBe("2026-11-21T09:00:00Z");
  clock.advance(30);
  expect(watch.look()).toEqual([]);
  expect(watch.confirmedAt("mine")).toBe("2026-11-21T10:00:00Z");
});

test("a changed file is told of until it is compiled, and confirms nothing", () => {
  const path = join(dir, "list.txt");
  writeFileSync(path, "192.0.2.7\n");
  const clock = testClock();
  const watch = createFileWatch([feed(path)], clock);
  writeFileSync(path, "192.0.2.7\n192.0.2.8\n");
  clock.advance(61);
  expect(watch.look()).toEqual(["mine"]);
  expect(watch.look()).toEqual(["mine"]);
  expect(watch.confirmedAt("mine")).toBe("2026-11-21T09:00:00Z");
});

test("a missing file confirms nothing, and its arrival is a change", () => {
  const path = join(dir, "list.txt");
  const clock = testClock();
  const watch = createFileWatch([feed(path)], clock);
  expect(watch.confirmedAt("mine")).toBeNull();
  clock.advance(61);
  expect(watch.look()).toEqual([]);
  writeFileSync(path, "192.0.2.7\n");
  clock.advance(61);
  expect(watch.look()).toEqual(["mine"]);
});
