import { expect, test } from "vitest";
import { type Clock, systemClock } from "../../base/clock.ts";
import { DatabaseClosed } from "../../db/unavailable.ts";
import type { Settlement } from "../accounts.ts";
import { createGroupWriter } from "./batch-writer.ts";
import { type CallRow, toCallRow } from "./call-rows.ts";
import type { Group } from "./write-batch.ts";

const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
const charged: Settlement = { state: "charged", creditsRemaining: 1 };
const row = (requestId: string): CallRow =>
  toCallRow(
    {
      requestId,
      accountId: "a",
      keyId: "k",
      keyPrefix: "rpt_",
      endpoint: "/",
      targetKind: "ip",
      target: null,
      items: 1,
      status: 200,
      elapsedMs: 1,
      clientAddress: "",
    },
    { at: new Date(0), credits: 1, storeTargets: false },
  );

function start(write: (group: Group) => Promise<readonly Settlement[]>) {
  const groups: Group[] = [];
  const lines: unknown[] = [];
  const retries: (() => void)[] = [];
  const clock: Clock = { ...systemClock, sleep: () => new Promise((resolve) => retries.push(resolve)) };
  const log = { error: (line: unknown) => lines.push(line) };
  const store = {
    write: (group: Group) => {
      groups.push(group);
      return write(group);
    },
  };
  return { writer: createGroupWriter(store, { clock, log }), groups, lines, retries };
}

const namesOf = ({ charges, notes }: Group) =>
  [charges, notes].map((rows) => rows.map((one) => one.request_id));

test("what comes in one turn, or while a commit runs, is one group, in its order", async () => {
  const commits: (() => void)[] = [];
  const { writer, groups } = start(async ({ charges }) => {
    await new Promise<void>((resolve) => commits.push(resolve));
    return charges.map(() => charged);
  });
  const first = [writer.charge(row("1")), writer.charge(row("2"))];
  writer.note(row("n1"));
  while (commits.length < 1) await systemClock.sleep(1);
  const second = [writer.charge(row("3")), writer.charge(row("4"))];
  writer.note(row("n2"));
  commits[0]?.();
  await Promise.all(first);
  while (commits.length < 2) await systemClock.sleep(1);
  commits[1]?.();
  await Promise.all(second);
  await writer.flush();
  expect(groups.map(namesOf)).toEqual([
    [["1", "2"], ["n1"]],
    [["3", "4"], ["n2"]],
  ]);
});

test("a group that fails rejects all its charges, and the rows of uncharged calls are tried again", async () => {
  let isAway = true;
  const { writer, groups, lines, retries } = start(async ({ charges }) => {
    if (isAway) throw away;
    return charges.map(() => charged);
  });
  writer.note(row("n1"));
  writer.note(row("n2"));
  const outcomes = await Promise.allSettled([writer.charge(row("1")), writer.charge(row("2"))]);
  expect(outcomes).toEqual([
    { status: "rejected", reason: away },
    { status: "rejected", reason: away },
  ]);
  await expect(writer.flush()).rejects.toBe(away);
  expect(lines).toEqual([{ err: away, waiting: 2, dropped: 0 }]);
  expect(retries).toHaveLength(1);
  isAway = false;
  retries[0]?.();
  await systemClock.sleep(1);
  await writer.flush();
  expect(groups.map(namesOf).at(-1)).toEqual([[], ["n1", "n2"]]);
});

test("rows that no database will take, and those above 50,000, are dropped and counted", async () => {
  let failure: Error = away;
  const { writer, lines } = start(async () => {
    throw failure;
  });
  for (let i = 0; i < 50_010; i++) writer.note(row("n"));
  await expect(writer.flush()).rejects.toBe(away);
  expect(lines).toEqual([{ err: away, waiting: 50_000, dropped: 10 }]);
  failure = new DatabaseClosed();
  await writer.flush();
});

test("counts are written a while after the first, or when flushed, and outlive a database that is away", async () => {
  let isAway = false;
  const { writer, groups, lines, retries } = start(async ({ charges }) => {
    if (isAway) throw away;
    return charges.map(() => charged);
  });
  const countsOf = () => groups.map(({ refused }) => refused.map(({ calls }) => calls));
  for (let i = 0; i < 30; i++) writer.count(row("r"));
  await writer.charge(row("1"));
  expect([countsOf(), retries.length]).toEqual([[[]], 1]);
  retries[0]?.();
  while (groups.length < 2) await systemClock.sleep(1);
  expect(countsOf()).toEqual([[], [30]]);
  isAway = true;
  for (let i = 0; i < 2; i++) writer.count(row("r"));
  await expect(writer.flush()).rejects.toBe(away);
  for (let i = 0; i < 3; i++) writer.count(row("r"));
  isAway = false;
  await writer.flush();
  expect(countsOf()).toEqual([[], [30], [2], [5]]);
  expect(lines).toMatchObject([{ dropped: 0 }]);
});

test("of too many different counts those that come last are dropped and counted, and all when the database is closed", async () => {
  const { writer, lines } = start(async () => {
    throw new DatabaseClosed();
  });
  for (let i = 0; i < 20_010; i++) writer.count({ ...row("r"), at: i * 60_000 });
  await writer.flush();
  expect(lines).toEqual([{ err: new DatabaseClosed(), waiting: 0, dropped: 20_010 }]);
});

test("calls that are left out as too many wait are counted and said, though the database takes the others", async () => {
  const { writer, lines, retries } = start(async ({ charges }) => charges.map(() => charged));
  for (let i = 0; i < 20_007; i++) writer.count({ ...row("r"), at: i * 60_000 });
  for (const retry of retries) retry();
  while (lines.length === 0) await systemClock.sleep(1);
  await writer.flush();
  expect(lines).toEqual([{ dropped: 7 }]);
});
