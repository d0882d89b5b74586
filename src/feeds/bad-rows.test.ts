import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { badRowsOf } from "./bad-rows.ts";
import type { FeedDefinition } from "./feed.ts";

const dir = mkdtempSync(join(tmpdir(), "repute-bad-rows-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const feed = (path: string): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "file", path },
  seed: null,
  format: "plain",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
});

test("a file that cannot be read has no rows to show, whatever the system says of it", () => {
  const [list, loop] = [join(dir, "list"), join(dir, "loop")];
  writeFileSync(list, "20.0.0.1\nd.example\n");
  symlinkSync(loop, loop);
  expect(badRowsOf(feed(list), dir)).toMatchObject([{ line: 2, text: "d.example" }]);
  for (const path of [dir, loop, join(dir, "none"), "/dev/zero"]) {
    expect(badRowsOf(feed(path), dir)).toEqual([]);
  }
});
