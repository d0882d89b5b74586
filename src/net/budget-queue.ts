import { add, type BudgetSettings, type BudgetShare, fits, newPool, type Pool } from "./budget-pool.ts";
import type { Party } from "./party.ts";

export type Give = (held: BudgetShare | null) => void;

/** A request that waits, in the lanes of all who wait for it. */
export type Waiting = {
  readonly lane: string;
  readonly groups: readonly string[];
  readonly amount: number;
  readonly party: Party;
  /** Those in whose queues it is. */
  readonly holders: string[];
  readonly give: Give;
  unwatch: (() => void) | null;
  isOver: boolean;
};

/** What one holder waits for, by its groups: a full group keeps none of another one waiting. */
type Queue = { readonly lanes: Map<string, Set<Waiting>>; count: number };

type Paced = { readonly count: number; readonly go: () => void };

export type BudgetState = {
  readonly settings: BudgetSettings;
  readonly pool: Pool;
  readonly groups: Map<string, Pool>;
  /** In the order in which they were served last. */
  readonly queues: Map<string, Queue>;
  /** By holder, those who hold back more requests of their own while many wait. */
  readonly paced: Map<string, Set<Paced>>;
  waiting: number;
  refused: number;
  /** The next in turn waits for more than is free: until it has that, no one is served. */
  isSaving: boolean;
};

export type Wanted = Pick<Waiting, "groups" | "amount">;

export function hasRoom(state: BudgetState, holder: string, { groups, amount }: Wanted): boolean {
  if (!fits(state.pool, holder, amount)) return false;
  for (const name of groups) {
    const group = state.groups.get(name);
    if (group !== undefined && !fits(group, holder, amount)) return false;
  }
  return true;
}

export function take(state: BudgetState, holder: string, { groups, amount }: Wanted): BudgetShare {
  const change = (by: number): void => {
    add(state.pool, holder, by);
    for (const name of groups) {
      const group = state.groups.get(name) ?? newPool(state.settings.ofGroup ?? state.settings);
      state.groups.set(name, group);
      add(group, holder, by);
      if (group.held === 0) state.groups.delete(name);
    }
  };
  let left = amount;
  change(amount);
  const shrink = (to: number): void => {
    if (to >= left) return;
    change(to - left);
    left = to;
    serve(state);
  };
  return { release: () => shrink(0), shrink };
}

export function queue({ queues }: BudgetState, waiting: Waiting, holder: string): void {
  if (waiting.holders.includes(holder)) return;
  waiting.holders.push(holder);
  const own = queues.get(holder) ?? { lanes: new Map(), count: 0 };
  queues.set(holder, own);
  const lane = own.lanes.get(waiting.lane) ?? new Set();
  own.lanes.set(waiting.lane, lane.add(waiting));
  own.count++;
}

export function unqueue(state: BudgetState, waiting: Waiting): void {
  state.waiting--;
  for (const holder of waiting.holders) {
    const own = state.queues.get(holder);
    const lane = own?.lanes.get(waiting.lane);
    if (own === undefined || lane === undefined) continue;
    lane.delete(waiting);
    own.count--;
    if (lane.size === 0) own.lanes.delete(waiting.lane);
    if (own.count === 0) state.queues.delete(holder);
    tellPaced(state, holder, own.count);
  }
}

/** One at a time: what it begins may wait as well. */
function tellPaced({ paced }: BudgetState, holder: string, count: number): void {
  const all = paced.get(holder);
  if (all === undefined) return;
  const [first] = all;
  if (first !== undefined && count < first.count) {
    all.delete(first);
    first.go();
  }
  // Nothing else would tell those who are left.
  if (count === 0) for (const one of all) one.go();
  if (count === 0 || all.size === 0) paced.delete(holder);
}

/** Ends the waiting. */
export function settle(waiting: Waiting, held: BudgetShare | null): void {
  waiting.isOver = true;
  waiting.unwatch?.();
  waiting.give(held);
}

/** Gives what is free to those who wait, until no one of them fits. */
export function serve(state: BudgetState): void {
  state.isSaving = false;
  while (state.waiting > 0) {
    const next = nextInTurn(state);
    if (next === null) return;
    const { waiting, holder } = next;
    const own = state.queues.get(holder);
    unqueue(state, waiting);
    // To the end of the order, and its lane to the end of its lanes.
    if (own !== undefined && own.count > 0) {
      state.queues.delete(holder);
      state.queues.set(holder, own);
      const lane = own.lanes.get(waiting.lane);
      own.lanes.delete(waiting.lane);
      if (lane !== undefined) own.lanes.set(waiting.lane, lane);
    }
    settle(waiting, take(state, holder, waiting));
  }
}

type Turn = { readonly waiting: Waiting; readonly holder: string };

/** Of those who fit the one whose holder has least; null when none fits, or when the first must wait for more room. */
function nextInTurn(state: BudgetState): Turn | null {
  const { pool, queues } = state;
  let found: Turn | null = null;
  let least = Number.POSITIVE_INFINITY;
  let poorest = Number.POSITIVE_INFINITY;
  for (const [holder, { lanes }] of queues) {
    const own = pool.byHolder.get(holder) ?? 0;
    if (own >= least) continue;
    const waiting = fits(pool, holder, 1) ? firstThatFits(state, holder, lanes) : null;
    if (waiting !== null) {
      found = { waiting, holder };
      least = own;
    } else if (own === 0 && isShortOfRoom(state, holder, lanes)) poorest = 0;
  }
  state.isSaving = poorest < least;
  return state.isSaving ? null : found;
}

function firstThatFits(state: BudgetState, holder: string, lanes: Queue["lanes"]): Waiting | null {
  for (const lane of lanes.values()) {
    const [waiting] = lane;
    if (waiting !== undefined && hasRoom(state, holder, waiting)) return waiting;
  }
  return null;
}

/** Whether a holder of nothing is kept back by the capacity alone, and not by a group. */
function isShortOfRoom({ pool, groups }: BudgetState, holder: string, lanes: Queue["lanes"]): boolean {
  for (const lane of lanes.values()) {
    const [waiting] = lane;
    if (waiting === undefined || fits(pool, holder, waiting.amount)) continue;
    const isInGroups = waiting.groups.every((name) => {
      const group = groups.get(name);
      return group === undefined || fits(group, holder, waiting.amount);
    });
    if (isInGroups) return true;
  }
  return false;
}
