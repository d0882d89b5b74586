import { expect, test } from "vitest";
import { createStoppedClock } from "../../test/servers/dns-client.ts";
import { createBudget } from "./budget.ts";
import type { BudgetShare } from "./budget-pool.ts";
import { createPace } from "./pace.ts";
import { onBehalfOf, type Party, partyOfAccount } from "./party.ts";

const [A, B] = [partyOfAccount("paced a"), partyOfAccount("paced b")];
const NEVER = new AbortController().signal;
const MAX_WAITING = 64;

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A budget of which account A holds all it may, with `waiting` more of its requests, and a pace over it. */
function world(waiting: number) {
  const clock = createStoppedClock();
  const budget = createBudget({ capacity: 4, rule: "even" });
  const held: BudgetShare[] = [];
  const request = { party: A, signal: NEVER };
  for (let i = 0; i < 4 + waiting; i++) {
    void Promise.resolve(budget.acquire(request)).then((given) => given !== null && held.push(given));
  }
  const pace = createPace({ budget, clock, maxMs: 2000 });
  let begun = 0;
  const begin = (party: Party, signal = NEVER) =>
    void Promise.resolve(onBehalfOf(party, () => pace(signal))).then(() => begun++);
  return { clock, begin, begun: () => settled().then(() => begun), release: () => held.shift()?.release() };
}

test("lookups begin at once while few questions of their account wait, and those of others always", async () => {
  const few = world(MAX_WAITING - 1);
  for (let i = 0; i < 10; i++) few.begin(A);
  expect(await few.begun()).toBe(10);
  const many = world(MAX_WAITING);
  for (let i = 0; i < 10; i++) many.begin(A);
  for (let i = 0; i < 10; i++) many.begin(B);
  expect(await many.begun()).toBe(10);
});

test("each question less that waits lets one more begin, and the last one all", async () => {
  const { begin, begun, release } = world(MAX_WAITING);
  for (let i = 0; i < 100; i++) begin(A);
  for (let count = 1; count < MAX_WAITING; count++) {
    expect(await begun()).toBe(count - 1);
    release();
  }
  release();
  expect(await begun()).toBe(100);
});

test("none is held back for longer than a question may take, nor after its caller has left", async () => {
  const { clock, begin, begun } = world(MAX_WAITING + 10);
  const left = new AbortController();
  begin(A, left.signal);
  begin(A);
  left.abort();
  expect(await begun()).toBe(1);
  clock.advance(2100);
  expect(await begun()).toBe(2);
});
