import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { prepareInChild } from "./snapshots.ts";

const hasProc = process.platform === "linux";

/** Children of this process that have ended, of which it was not told yet. */
const endedChildren = (): number =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && Number(parent) === process.pid;
    } catch {
      return false;
    }
  }).length;

test.runIf(hasProc)("what a child said counts, also where its end is told first", async () => {
  const prepare = () => {
    const { signal } = new AbortController();
    return prepareInChild({ part: "downloads", downloads: [], keptDir: "/" }, { signal, isAside: false });
  };
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const holdUntilEnded = (count: number): void => {
    // No timer fires meanwhile, the test's own neither.
    for (let looks = 0; endedChildren() < count; looks++) {
      if (looks > 6000) throw new Error(`${count} children have not ended within a minute`);
      Atomics.wait(pause, 0, 0, 10);
    }
  };
  // The end of one child is noticed with that of all that have ended by then, before anything is read of the others.
  const first = prepare();
  await new Promise((resolve) => setImmediate(resolve));
  holdUntilEnded(1);
  const second = prepare();
  const held = first.then(() => holdUntilEnded(2));
  expect(await second).toEqual([]);
  await held;
});
