import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Budget, createBudget } from "./budget.ts";
import type { BudgetSettings, BudgetShare } from "./budget-pool.ts";
import { FREE_CALLERS, joinParty, onBehalfOf, type Party, partyOfAccount, sharedParty } from "./party.ts";

const NEVER = new AbortController().signal;
const [A, B, C] = [partyOfAccount("a"), partyOfAccount("b"), partyOfAccount("c")];

type Asked = { readonly amount?: number; readonly groups?: readonly string[]; readonly signal?: AbortSignal };

const ask = (budget: Budget, party: Party, { signal = NEVER, ...more }: Asked = {}) =>
  budget.acquire({ party, signal, ...more });

/** What is given at once; null when nothing is. */
function now(budget: Budget, party: Party, asked: Asked = {}): BudgetShare | null {
  const acquired = ask(budget, party, asked);
  return acquired instanceof Promise ? null : acquired;
}

/** All that the party is given at once. */
function fill(budget: Budget, party: Party, asked: Asked = {}): BudgetShare[] {
  const all: BudgetShare[] = [];
  for (;;) {
    const left = new AbortController();
    const held = now(budget, party, { ...asked, signal: left.signal });
    left.abort();
    if (held === null) return all;
    all.push(held);
  }
}

describe("createBudget()", () => {
  test.each([
    [512, 312],
    [48, 29],
    [12, 7],
    [3, 1],
    [1, 1],
  ])("of %d gives one holder alone %d, and a newcomer something at once", (capacity, most) => {
    const budget = createBudget({ capacity });
    expect(fill(budget, A)).toHaveLength(most);
    if (capacity > 1) expect(now(budget, B)).not.toBeNull();
  });

  test("leaves room for the next, for each one before", () => {
    const budget = createBudget({ capacity: 512 });
    for (let i = 0; i < 20; i++) {
      expect(fill(budget, partyOfAccount(`one of many ${i}`)).length).toBeGreaterThan(0);
    }
    expect(now(budget, A)).not.toBeNull();
  });

  test("one holder's thousands of requests keep another's waiting for one release at most", async () => {
    const budget = createBudget({ capacity: 4, rule: "even" });
    const held = fill(budget, A);
    const order: string[] = [];
    const wait = (party: Party, name: string) =>
      Promise.resolve(ask(budget, party)).then((given) => {
        order.push(name);
        if (given !== null) held.push(given);
      });
    const waiting = Array.from({ length: 4000 }, () => wait(A, "a"));
    const victim = wait(B, "b");
    held.shift()?.release();
    await victim;
    expect(order).toEqual(["b"]);
    while (order.length < 4001) {
      held.shift()?.release();
      await Promise.resolve();
    }
    await Promise.all(waiting);
  });

  test("a full group keeps none of another group waiting, of one holder or of two", () => {
    const budget = createBudget({ capacity: 512, ofGroup: { capacity: 48 } });
    expect(fill(budget, A, { groups: ["hangs.example"] })).toHaveLength(29);
    for (let i = 0; i < 100; i++) void ask(budget, A, { groups: ["hangs.example"] });
    expect(now(budget, A, { groups: ["well.example"] })).not.toBeNull();
    expect(now(budget, B, { groups: ["hangs.example"] })).not.toBeNull();
    expect(budget.use()).toEqual({ capacity: 512, held: 31, waiting: 100, refused: 0 });
  });

  test("refuses who already waits too often, and no one else", async () => {
    const budget = createBudget({ capacity: 1, maxWaiting: 2 });
    fill(budget, A);
    void ask(budget, A);
    void ask(budget, A);
    expect(await ask(budget, A)).toBeNull();
    void ask(budget, B);
    expect(budget.use()).toEqual({ capacity: 1, held: 1, waiting: 3, refused: 1 });
  });

  test("gives back once, and what a part is too large for", async () => {
    const budget = createBudget({ capacity: 10, rule: "even" });
    const held = now(budget, A, { amount: 8 });
    const other = Promise.resolve(ask(budget, B, { amount: 5 }));
    held?.shrink(6);
    held?.shrink(7);
    expect(budget.use()).toMatchObject({ held: 6, waiting: 1 });
    held?.shrink(5);
    expect(await other).not.toBeNull();
    held?.release();
    held?.release();
    expect(budget.use()).toMatchObject({ held: 5, waiting: 0 });
    expect(createBudget({ capacity: 10 }).acquire({ party: A, amount: 99, signal: NEVER })).not.toBeNull();
  });

  test("saves for a newcomer who needs more than is free", async () => {
    const budget = createBudget({ capacity: 10, rule: "even" });
    const small = fill(budget, A);
    const large = Promise.resolve(ask(budget, B, { amount: 6 }));
    for (const held of small.slice(0, 5)) held.release();
    expect(now(budget, A)).toBeNull();
    small[5]?.release();
    expect(await large).not.toBeNull();
  });

  test("who joins work that waits lets it wait in his turn too", async () => {
    const budget = createBudget({ capacity: 2, rule: "even" });
    const held = fill(budget, A);
    for (let i = 0; i < 100; i++) void ask(budget, A);
    const shared = onBehalfOf(A, sharedParty);
    const inner = onBehalfOf(shared, sharedParty);
    const work = Promise.resolve(ask(budget, inner));
    onBehalfOf(B, () => joinParty(shared));
    held[0]?.release();
    expect(await work).not.toBeNull();
    expect(budget.use()).toMatchObject({ held: 2, waiting: 100 });
  });
});

type Step =
  | { readonly kind: "ask"; readonly party: Party; readonly group: string; readonly amount: number }
  | { readonly kind: "release" | "shrink" | "abort" | "join"; readonly at: number };

const PARTIES = [A, B, C, FREE_CALLERS];
const GROUPS = ["one.example", "two.example", "three.example"];
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("ask" as const),
      party: fc.constantFrom(...PARTIES),
      group: fc.constantFrom(...GROUPS),
      amount: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ kind: fc.constantFrom("release", "shrink", "abort", "join"), at: fc.nat(50) }),
  ),
  { maxLength: 120 },
);

type Request = {
  readonly party: Party;
  readonly group: string;
  readonly left: AbortController;
  amount: number;
  held: BudgetShare | null;
};

type AskStep = Extract<Step, { kind: "ask" }>;

function askOnce(budget: Budget, requests: Request[], { party: asker, group, amount }: AskStep): void {
  const party = onBehalfOf(asker, sharedParty);
  const left = new AbortController();
  const request: Request = { party, group, amount, left, held: null };
  requests.push(request);
  const acquired = budget.acquire({ party, groups: [group], amount, signal: left.signal });
  if (acquired instanceof Promise) {
    void acquired.then((held) => {
      request.held = held;
    });
  } else request.held = acquired;
}

/** Takes one step in a world of requests. */
function step(budget: Budget, requests: Request[], taken: Step): void {
  if (taken.kind === "ask") {
    askOnce(budget, requests, taken);
    return;
  }
  const request = requests[taken.at % Math.max(1, requests.length)];
  if (taken.kind === "join")
    onBehalfOf(PARTIES[taken.at % PARTIES.length] ?? A, () => request && joinParty(request.party));
  else if (taken.kind === "abort") request?.left.abort();
  else if (request?.held) {
    request.amount = taken.kind === "release" ? 0 : Math.min(request.amount, 1);
    request.held.shrink(request.amount);
  }
}

const heldBy = (requests: readonly Request[], group?: string) =>
  requests
    .filter((one) => one.held !== null && (group === undefined || one.group === group))
    .reduce((sum, { amount }) => sum + amount, 0);

test("never gives more than there is, of all and of a group, and loses nothing whatever is given up", async () => {
  const settings = fc.record({
    capacity: fc.integer({ min: 1, max: 12 }),
    rule: fc.constantFrom("reserved" as const, "even" as const),
    ofGroup: fc.record({
      capacity: fc.integer({ min: 4, max: 8 }),
      perHolder: fc.integer({ min: 1, max: 8 }),
    }),
    maxWaiting: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(settings, steps, async (limits: BudgetSettings, taken) => {
      const budget = createBudget(limits);
      const requests: Request[] = [];
      for (const one of taken) {
        step(budget, requests, one);
        await Promise.resolve();
        const { held } = budget.use();
        expect(held).toBeLessThanOrEqual(limits.capacity);
        expect(held).toBe(Math.min(limits.capacity, heldBy(requests.map(capped(limits.capacity)))));
        for (const group of GROUPS) {
          expect(heldBy(requests, group)).toBeLessThanOrEqual(Math.max(8, limits.capacity));
        }
      }
      // All that is held is given back, as often as it takes: then no one waits any longer, and nothing is held.
      for (let i = 0; i <= requests.length; i++) {
        for (const request of requests) request.held?.release();
        await Promise.resolve();
      }
      expect(budget.use()).toMatchObject({ held: 0, waiting: 0 });
      expect(fill(budget, A).length).toBeGreaterThan(0);
    }),
  );
});

const capped = (capacity: number) => (request: Request) => ({
  ...request,
  amount: Math.min(request.amount, capacity),
});
