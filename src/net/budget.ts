import { add, type BudgetLimits, fits, newPool, type Pool } from "./budget-pool.ts";
import { firstHolderOf, holdersOf, type Party, watchParty } from "./party.ts";

export type BudgetSettings = BudgetLimits & {
  /** Of each group that a request names: a domain, a destination. */
  readonly ofGroup?: BudgetLimits;
  /** Requests of one holder that may wait; the next is refused at once. Default: 5,000. */
  readonly maxWaiting?: number;
};

/** A request for a part of a budget. */
type BudgetRequest = {
  readonly party: Party;
  /** Narrower limits that hold for it as well; each once. */
  readonly groups?: readonly string[];
  /** Default: 1. More than the capacity counts as all of it. */
  readonly amount?: number;
};

/** What ends the waiting for a part. */
type Ending = { readonly signal: AbortSignal };

/** A part of a budget. Giving back twice does nothing. */
export type BudgetShare = {
  readonly release: () => void;
  /** Gives back all but `amount`. */
  readonly shrink: (amount: number) => void;
};

type BudgetUse = {
  readonly capacity: number;
  readonly held: number;
  /** Requests, not amounts. */
  readonly waiting: number;
  /** Since the start: too many waited. */
  readonly refused: number;
};

type Give = (held: BudgetShare | null) => void;

/** A budget by its name in metrics. */
export type NamedBudget = { readonly name: string; readonly budget: Pick<Budget, "use"> };

/** Something that the whole process has so much of, shared out fairly among its holders. */
export type Budget = {
  /** At once when there is room and no one is to be served first; else null. */
  readonly take: (request: BudgetRequest) => BudgetShare | null;
  /**
   * Waits for what `take` did not give, and calls `give` once, it may be at once: with null where too many wait. What is
   * returned gives the waiting up.
   */
  readonly wait: (request: BudgetRequest, give: Give) => () => void;
  /** At once when there is room, without a promise; null: refused, or the signal aborted first. */
  readonly acquire: (request: BudgetRequest & Ending) => BudgetShare | null | Promise<BudgetShare | null>;
  readonly use: () => BudgetUse;
};

/** A request that waits, in the lanes of all who wait for it. */
type Waiting = {
  readonly lane: string;
  readonly groups: readonly string[];
  readonly amount: number;
  readonly holders: string[];
  readonly give: Give;
  isOver: boolean;
};

/** What one holder waits for, by its groups: a full group keeps none of another one waiting. */
type Queue = { readonly lanes: Map<string, Set<Waiting>>; count: number };

type State = {
  readonly settings: BudgetSettings;
  readonly pool: Pool;
  readonly groups: Map<string, Pool>;
  /** In the order in which they were served last. */
  readonly queues: Map<string, Queue>;
  waiting: number;
  refused: number;
  /** The next in turn waits for more than is free: until it has that, no one is served. */
  isSaving: boolean;
};

const DEFAULT_MAX_WAITING = 5000;

/**
 * A budget. A request that finds no room waits in its holder's queue. The holder of least is served first, equals
 * in turn. Never over the capacity, nor over that of a group. Source: security P4, P22; decision 0014.
 */
export function createBudget(settings: BudgetSettings): Budget {
  const state: State = {
    settings,
    pool: newPool(settings),
    ...{ groups: new Map(), queues: new Map(), waiting: 0, refused: 0, isSaving: false },
  };
  const partOf = ({ groups = [], amount = 1 }: BudgetRequest): Part => ({
    groups,
    amount: Math.min(amount, settings.capacity),
  });
  const takeFree = (request: BudgetRequest): BudgetShare | null => {
    const part = partOf(request);
    const holder = firstHolderOf(request.party);
    return !state.isSaving && hasRoom(state, holder, part) ? take(state, holder, part) : null;
  };
  const waitFor: Budget["wait"] = (request, give) => wait(state, request.party, partOf(request), give);
  return {
    take: takeFree,
    wait: waitFor,
    acquire: (request) => {
      if (request.signal.aborted) return null;
      return takeFree(request) ?? promised((give) => waitFor(request, give), request.signal);
    },
    use: () => {
      const { pool, waiting, refused } = state;
      return { capacity: settings.capacity, held: pool.held, waiting, refused };
    },
  };
}

type Part = Pick<Waiting, "groups" | "amount">;

function hasRoom(state: State, holder: string, { groups, amount }: Part): boolean {
  if (!fits(state.pool, holder, amount)) return false;
  for (const name of groups) {
    const group = state.groups.get(name);
    if (group !== undefined && !fits(group, holder, amount)) return false;
  }
  return true;
}

function take(state: State, holder: string, { groups, amount }: Part): BudgetShare {
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

/** The part, or null once the signal aborts. */
const promised = (begin: (give: Give) => () => void, signal: AbortSignal): Promise<BudgetShare | null> =>
  new Promise((resolve) => {
    let leave = (): void => undefined;
    const onAbort = (): void => {
      leave();
      resolve(null);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    leave = begin((held) => {
      signal.removeEventListener("abort", onAbort);
      resolve(held);
    });
  });

/** Waits in the lanes of all holders of the party, those who join later included. */
function wait(state: State, party: Party, { groups, amount }: Part, give: Give): () => void {
  const { maxWaiting = DEFAULT_MAX_WAITING } = state.settings;
  const isFull = (holder: string) => (state.queues.get(holder)?.count ?? 0) >= maxWaiting;
  const lane = groups.length === 1 ? (groups[0] ?? "") : groups.join(" ");
  const queueAll = (): void => {
    for (const holder of holdersOf(party)) if (!isFull(holder)) queue(state, waiting, holder);
  };
  let unwatch = (): void => undefined;
  const over: Give = (held) => {
    waiting.isOver = true;
    unwatch();
    give(held);
  };
  const waiting: Waiting = { lane, groups, amount, holders: [], give: over, isOver: false };
  queueAll();
  if (waiting.holders.length === 0) {
    state.refused++;
    over(null);
    return unwatch;
  }
  state.waiting++;
  unwatch = watchParty(party, () => {
    // Another one who was told of the same may have let this one in.
    if (waiting.isOver) return;
    queueAll();
    serve(state);
  });
  serve(state);
  return () => {
    if (waiting.isOver) return;
    waiting.isOver = true;
    unwatch();
    unqueue(state, waiting);
    if (state.isSaving) serve(state);
  };
}

function queue({ queues }: State, waiting: Waiting, holder: string): void {
  if (waiting.holders.includes(holder)) return;
  waiting.holders.push(holder);
  const own = queues.get(holder) ?? { lanes: new Map(), count: 0 };
  queues.set(holder, own);
  const lane = own.lanes.get(waiting.lane) ?? new Set();
  own.lanes.set(waiting.lane, lane.add(waiting));
  own.count++;
}

function unqueue(state: State, waiting: Waiting): void {
  state.waiting--;
  for (const holder of waiting.holders) {
    const own = state.queues.get(holder);
    const lane = own?.lanes.get(waiting.lane);
    if (own === undefined || lane === undefined) continue;
    lane.delete(waiting);
    own.count--;
    if (lane.size === 0) own.lanes.delete(waiting.lane);
    if (own.count === 0) state.queues.delete(holder);
  }
}

/** Gives what is free to those who wait, until no one of them fits. */
function serve(state: State): void {
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
    waiting.give(take(state, holder, waiting));
  }
}

type Turn = { readonly waiting: Waiting; readonly holder: string };

/** Of those who fit the one whose holder has least; null when none fits, or when the first must wait for more room. */
function nextInTurn(state: State): Turn | null {
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

function firstThatFits(state: State, holder: string, lanes: Queue["lanes"]): Waiting | null {
  for (const lane of lanes.values()) {
    const [waiting] = lane;
    if (waiting !== undefined && hasRoom(state, holder, waiting)) return waiting;
  }
  return null;
}

/** Whether a holder of nothing is kept back by the capacity alone, and not by a group. */
function isShortOfRoom({ pool, groups }: State, holder: string, lanes: Queue["lanes"]): boolean {
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
