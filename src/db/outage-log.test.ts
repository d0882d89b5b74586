import { expect, test } from "vitest";
import { createLog } from "../base/log.ts";
import { createOutageLog } from "./outage-log.ts";

const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** A clock whose sleeps end when the test says so, and the lines that were logged. */
function world() {
  let monotonicMs = 0;
  let isReachable = false;
  let wake: (() => void) | null = null;
  const lines: { msg: string; calls?: number; seconds?: number; err?: unknown }[] = [];
  const log = createLog({
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const clock = {
    now: () => new Date(0),
    monotonicMs: () => monotonicMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        wake = () => {
          monotonicMs += ms;
          resolve();
        };
      }),
  };
  const outage = createOutageLog({ clock, log, isReachable: async () => isReachable });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    outage,
    lines,
    set: (state: boolean) => {
      isReachable = state;
    },
    pass: async () => {
      await turn();
      wake?.();
      await turn();
    },
  };
}

test("an outage is one line at its start, and one with the count of refused calls when it is over", async () => {
  const { outage, lines, set, pass } = world();
  for (let i = 0; i < 1000; i++) outage.refused(away, `call-${i}`);
  await pass();
  for (let i = 0; i < 500; i++) outage.refused(away, `call-${i}`);
  await pass();
  await pass();
  expect(lines.map(({ msg }) => msg)).toEqual([
    "The database is not available: calls that need it are refused",
  ]);
  expect(lines[0]?.err).toMatchObject({ code: "ECONNREFUSED" });
  set(true);
  await pass();
  expect(lines.slice(1)).toMatchObject([
    { msg: "The database is available again", calls: 1500, seconds: 40 },
  ]);
  outage.refused(away, "next");
  expect(lines).toHaveLength(3);
  await outage.close();
});

test("a database that answers now and then is one outage until ten seconds pass without a refused call", async () => {
  const { outage, lines, set, pass } = world();
  set(true);
  outage.refused(away, "first");
  for (let i = 0; i < 5; i++) {
    outage.refused(away, `call-${i}`);
    await pass();
  }
  expect(lines).toHaveLength(1);
  await pass();
  expect(lines[1]).toMatchObject({ msg: "The database is available again", calls: 6 });
});

test("each other reason of one outage is a line, once, and no more than five reasons are", async () => {
  const { outage, lines, set, pass } = world();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 9; i++) outage.refused(new Error(`reason ${i}`), `call-${round}-${i}`);
  }
  const other = "The database is still not available, now for another reason";
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual(Array(4).fill(other));
  expect(lines[4]?.err).toMatchObject({ message: "reason 4" });
  set(true);
  for (let i = 0; i < 3; i++) await pass();
  outage.refused(new Error("reason 1"), "next");
  expect(lines.at(-1)?.msg).toBe("The database is not available: calls that need it are refused");
  await outage.close();
});

test("a service that stops meanwhile says how many calls were refused", async () => {
  const { outage, lines } = world();
  outage.refused(away, "one");
  outage.refused(away, "two");
  await outage.close();
  expect(lines[1]).toMatchObject({ msg: "The database is still not available", calls: 2 });
});
