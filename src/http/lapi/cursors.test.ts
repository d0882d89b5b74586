import { expect, test } from "vitest";
import { createCursors, type Poll } from "./cursors.ts";

function createTime() {
  let ms = 1_000_000;
  return {
    now: () => new Date(ms),
    monotonicMs: () => ms,
    pass: (more: number) => {
      ms += more;
    },
  };
}

/** As of a process that has run for long. */
function createOldCursors(time = createTime()) {
  const cursors = createCursors(time);
  time.pass(600_000);
  return cursors;
}

const ALL = () => true;
const poll = (client: string, more: Partial<Poll> = {}): Poll => ({
  ...{ client, isStartup: false, hasChangesSince: ALL, oldest: 4 },
  durationS: 14_400,
  keepsTimes: false,
  ...more,
});

test("a bouncer that is not known gets everything, three times, and then all changes that are kept: each answer may be lost", () => {
  const time = createTime();
  const cursors = createCursors(time);
  const froms: (number | null)[] = [];
  for (let i = 0; i < 5; i++) {
    const plan = cursors.plan(poll("a"));
    froms.push(plan.from);
    cursors.delivered("a", { plan, generation: 10, isStartup: false });
  }
  expect(froms).toEqual([null, null, null, 4, 4]);
  // The oldest one is kept no more, and another one is.
  expect(cursors.plan(poll("a", { oldest: 5 })).from).toBe(5);
  time.pass(600_000);
  expect(cursors.plan(poll("a")).from).toBe(10);
});

test("an answer that did not leave whole moves nothing, and one that did is told again for ten minutes", () => {
  const time = createTime();
  const cursors = createOldCursors(time);
  const start = cursors.plan(poll("a", { isStartup: true }));
  expect(start.from).toBeNull();
  cursors.delivered("a", { plan: start, generation: 10, isStartup: true });
  expect(cursors.plan(poll("a")).from).toBe(10);
  expect(cursors.plan(poll("a")).from).toBe(10);
  const step = (generation: number): number | null => {
    const plan = cursors.plan(poll("a"));
    cursors.delivered("a", { plan, generation, isStartup: false });
    return plan.from;
  };
  expect([step(11), step(11), step(12)]).toEqual([10, 10, 10]);
  time.pass(600_000);
  step(12);
  expect(cursors.plan(poll("a")).from).toBe(12);
});

test("the start of one bouncer takes nothing from another one behind the same address", () => {
  const cursors = createOldCursors();
  const start = (generation: number): void => {
    const plan = cursors.plan(poll("nat", { isStartup: true }));
    cursors.delivered("nat", { plan, generation, isStartup: true });
  };
  start(10);
  start(12);
  expect(cursors.plan(poll("nat")).from).toBe(10);
});

test("a start soon after that of the process does not tell that all behind the address start", () => {
  const time = createTime();
  const cursors = createCursors(time);
  const plan = cursors.plan(poll("nat", { isStartup: true }));
  cursors.delivered("nat", { plan, generation: 10, isStartup: true });
  expect(cursors.plan(poll("nat")).from).toBe(4);
  time.pass(600_000);
  expect(cursors.plan(poll("nat")).from).toBe(10);
});

test("who was away for an hour, and whose changes are kept no more, gets everything", () => {
  const time = createTime();
  const cursors = createOldCursors(time);
  const start = (): void => {
    const plan = cursors.plan(poll("a", { isStartup: true }));
    cursors.delivered("a", { plan, generation: 10, isStartup: true });
  };
  start();
  expect(cursors.plan(poll("a", { hasChangesSince: (one) => one > 10 })).from).toBeNull();
  start();
  time.pass(3_600_000);
  expect(cursors.plan(poll("a")).from).toBeNull();
});

test("renewals overlap by half a minute, so that bouncers that take turns each see them", () => {
  const time = createTime();
  const cursors = createOldCursors(time);
  const plan = cursors.plan(poll("a", { isStartup: true }));
  cursors.delivered("a", { plan, generation: 10, isStartup: true });
  time.pass(10_000);
  const next = cursors.plan(poll("a"));
  expect(next.untilMs - (next.sinceMs ?? Number.NaN)).toBe(40_000);
});

test("ten thousand bouncers are remembered, and no more", () => {
  const cursors = createOldCursors();
  const start = (client: string): void => {
    const plan = cursors.plan(poll(client, { isStartup: true }));
    cursors.delivered(client, { plan, generation: 10, isStartup: true });
  };
  for (let i = 0; i <= 10_000; i++) start(`bouncer ${i} ${"x".repeat(100)}`);
  expect(cursors.plan(poll(`bouncer 0 ${"x".repeat(100)}`)).from).toBeNull();
  expect(cursors.plan(poll(`bouncer 10000 ${"x".repeat(100)}`)).from).toBe(10);
});
