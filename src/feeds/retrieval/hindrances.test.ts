import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { feed } from "../../../test/feed-world.ts";
import { systemClock } from "../../base/clock.ts";
import { createLog } from "../../base/log.ts";
import { createTestUpdater } from "../test-updater.ts";
import { createHindrances } from "./hindrances.ts";

const noSpace = (path: string) => Object.assign(new Error(`ENOSPC: write '${path}'`), { code: "ENOSPC" });

function openLog() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
  return { lines, log: createLog({ level: "info", destination }) };
}

const CANNOT = "Cannot update lists; trying again every second";

test("a cause is told once for all of its lists, and its end once", () => {
  const { lines, log } = openLog();
  const hindrances = createHindrances(log);
  for (let second = 0; second < 5; second++) {
    for (const key of ["a", "b", "c"]) hindrances.met([key], noSpace(`/data/${key}.claim`));
  }
  expect(lines).toEqual([CANNOT]);
  hindrances.met(["d"], new Error("another cause"));
  expect(lines).toEqual([CANNOT, CANNOT]);
  for (const key of ["a", "d", "e", "b"]) hindrances.passed([key]);
  expect(lines).toHaveLength(2);
  hindrances.passed(["c"]);
  hindrances.passed(["c"]);
  expect(lines).toEqual([CANNOT, CANNOT, "Lists can be updated again"]);
  hindrances.met(["a"], noSpace("/data/a.claim"));
  expect(lines).toHaveLength(4);
});

test("lists whose claims cannot be written are tried every second, and told of once", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hindrances-"));
  try {
    const { lines, log } = openLog();
    const feeds = ["a", "b"].map((key) => {
      const path = join(dir, `${key}.txt`);
      writeFileSync(path, "192.0.2.7\n");
      return feed("", { key, source: { kind: "file", path } });
    });
    const keptDir = join(dir, "feeds");
    mkdirSync(keptDir);
    // A folder in place of the file: not even root can write it.
    for (const { key } of feeds) mkdirSync(join(keptDir, `${key}.claim`));
    const end = new AbortController();
    let looks = 0;
    const sleep = async () => {
      looks++;
      if (looks === 5)
        for (const { key } of feeds) rmSync(join(keptDir, `${key}.claim`), { recursive: true });
      if (feeds.every(({ key }) => updater.stateOf(key)?.lastAttempt != null)) end.abort();
      await new Promise(setImmediate);
    };
    const clock = { ...systemClock, sleep };
    const updater = createTestUpdater({ feeds, keptDir, log, clock, signal: end.signal });
    await updater.run();
    expect(lines).toEqual([CANNOT, "Lists can be updated again"]);
    for (const { key } of feeds) expect(updater.stateOf(key)?.entries).toBe(1);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("who asks for lists whose claims cannot be written is told why of each, and the log says nothing", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hindrances-"));
  try {
    const { lines, log } = openLog();
    const path = join(dir, "list.txt");
    writeFileSync(path, "192.0.2.7\n");
    const feeds = ["a", "b"].map((key) => feed("", { key, source: { kind: "file", path } }));
    const keptDir = join(dir, "feeds");
    const updater = createTestUpdater({ feeds, keptDir, log });
    // A file in place of the folder: not even root can write into it.
    writeFileSync(keptDir, "");
    const outcomes = await updater.update(["a", "b"]);
    expect(outcomes.map(({ key, last }) => [key, last.outcome, last.detail])).toEqual(
      ["a", "b"].map((key) => [key, "failed", "Cannot try the list: a file stands where a folder is needed"]),
    );
    expect(lines).toEqual([]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
