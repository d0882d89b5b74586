import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FREE_CALLERS, onBehalfOf, type Party, partyOfAccount } from "./party.ts";
import { inTurn, turn } from "./turns.ts";

const [HOSTILE, VICTIM] = [partyOfAccount("hostile"), partyOfAccount("victim")];

/** Holds the event loop. */
function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

const SLOW_MS = 3;

/** Steps that each take a turn of their own, and the order in which they were taken. */
function begin(count: number, party: Party, taken: string[]): void {
  for (let i = 0; i < count; i++) {
    inTurn(party, () => {
      work(SLOW_MS);
      taken.push(party === HOSTILE ? "hostile" : "other");
    });
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 10_000 && !isSo(); i++) await nextTurn();
  expect(isSo()).toBe(true);
}

test("a step is taken at once while nothing waits", async () => {
  await nextTurn();
  let isTaken = false;
  inTurn(VICTIM, () => {
    isTaken = true;
  });
  expect(isTaken).toBe(true);
  expect(turn()).toBeUndefined();
});

test("what comes in goes between the steps of one account, and another's step does not wait for them", async () => {
  const taken: string[] = [];
  begin(40, HOSTILE, taken);
  begin(1, VICTIM, taken);
  // The first step of each goes on at once.
  expect(taken.indexOf("other")).toBe(taken.length - 1);
  expect(taken.length).toBeLessThan(40);
  let turns = 0;
  while (taken.length < 41) {
    const before = taken.length;
    await nextTurn();
    expect(taken.length - before).toBeLessThanOrEqual(2);
    turns++;
  }
  expect(turns).toBeGreaterThan(15);
});

test("waiting continues in the order of its own account, and with its party", async () => {
  const order: number[] = [];
  const waitFor = (n: number) =>
    onBehalfOf(HOSTILE, async () => {
      work(SLOW_MS);
      await turn();
      order.push(n);
    });
  await Promise.all([1, 2, 3, 4, 5].map(waitFor));
  expect(order).toEqual([1, 2, 3, 4, 5]);
});

test("a step that several wait for is taken once, in the turn of the first of them", async () => {
  const taken: string[] = [];
  begin(20, HOSTILE, taken);
  const shared: Party = { holder: null, members: [HOSTILE, FREE_CALLERS], watchers: null };
  let times = 0;
  inTurn(shared, () => {
    times++;
    taken.push("shared");
  });
  await until(() => taken.length === 21);
  expect(times).toBe(1);
  expect(taken.indexOf("shared")).toBeLessThanOrEqual(6);
});
