import { firstHolderOf, holdersOf, type Party, watchParty } from "./party.ts";

/** How much there is of something, and how it is shared out. */
type BudgetLimits = {
  readonly capacity: number;
  /** Most for one holder, whatever is free; default: what the rule of shares leaves. */
  readonly perHolder?: number;
  /** `even`: the rule of shares below does not hold, where the capacity is a handful. Default: `reserved`. */
  readonly rule?: "reserved" | "even";
};

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

/** A budget by its name in metrics. */
export type NamedBudget = { readonly name: string; readonly budget: Pick<Budget, "use"> };

/** Something that the whole process has so much of, shared out fairly among its holders. */
export type Budget = {
  /** At once when there is room and no one is to be served first; else null. */
  readonly take: (request: BudgetRequest) => BudgetShare | null;
  /** At once when there is room, without a promise; null: refused, or the signal aborted first. */
  readonly acquire: (request: BudgetRequest & Ending) => BudgetShare | null | Promise<BudgetShare | null>;
  readonly use: () => BudgetUse;
};

type Pool = { readonly limits: BudgetLimits; held: number; readonly byHolder: Map<string, number> };

/** A request that waits, in the lanes of all who wait for it. */
type Waiting = {
  readonly lane: string;
  readonly groups: readonly string[];
  readonly amount: number;
  readonly holders: Set<string>;
  readonly give: (held: BudgetShare) => void;
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
  return {
    take: takeFree,
    acquire: (request) => {
      if (request.signal.aborted) return null;
      return takeFree(request) ?? wait(state, { ...request, ...partOf(request) });
    },
    use: () => {
      const { pool, waiting, refused } = state;
      return { capacity: settings.capacity, held: pool.held, waiting, refused };
    },
  };
}

const newPool = (limits: BudgetLimits): Pool => ({ limits, held: 0, byHolder: new Map() });

type Part = Pick<Waiting, "groups" | "amount">;

const GENEROSITY = 4;

/**
 * The rule of shares: a holder of something may come to hold 4 × free² / capacity, free being what is left after that.
 * One alone gets three fifths. As the square falls faster than what is free, something is left for the newcomer after
 * twenty others took all they could; a multiple of what is free would be used up after five. He needs only what is free.
 */
function fits({ limits, held, byHolder }: Pool, holder: string, amount: number): boolean {
  const { capacity, perHolder = Number.POSITIVE_INFINITY, rule = "reserved" } = limits;
  const free = capacity - held - amount;
  if (free < 0) return false;
  const own = byHolder.get(holder);
  if (own === undefined) return true;
  const total = own + amount;
  return total <= perHolder && (rule === "even" || total * capacity <= GENEROSITY * free * free);
}

function hasRoom(state: State, holder: string, { groups, amount }: Part): boolean {
  if (!fits(state.pool, holder, amount)) return false;
  for (const name of groups) {
    const group = state.groups.get(name);
    if (group !== undefined && !fits(group, holder, amount)) return false;
  }
  return true;
}

function add(pool: Pool, holder: string, amount: number): void {
  pool.held += amount;
  const own = (pool.byHolder.get(holder) ?? 0) + amount;
  if (own > 0) pool.byHolder.set(holder, own);
  else pool.byHolder.delete(holder);
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

/** Waits in the lanes of all holders of the party, those who join later included. */
function wait(
  state: State,
  { party, groups, amount, signal }: Part & BudgetRequest & Ending,
): Promise<BudgetShare | null> {
  const { maxWaiting = DEFAULT_MAX_WAITING } = state.settings;
  const isFull = (holder: string) => (state.queues.get(holder)?.count ?? 0) >= maxWaiting;
  if ([...holdersOf(party)].every(isFull)) {
    state.refused++;
    return Promise.resolve(null);
  }
  return new Promise((resolve) => {
    const settle = (held: BudgetShare | null): void => {
      signal.removeEventListener("abort", leave);
      unwatch();
      resolve(held);
    };
    const holders = new Set<string>();
    const waiting: Waiting = { lane: groups.join(" "), groups, amount, holders, give: settle };
    const leave = (): void => {
      unqueue(state, waiting);
      settle(null);
      if (state.isSaving) serve(state);
    };
    const queueAll = (): void => {
      for (const holder of holdersOf(party)) if (!isFull(holder)) queue(state, waiting, holder);
    };
    const unwatch = watchParty(party, () => {
      queueAll();
      serve(state);
    });
    signal.addEventListener("abort", leave, { once: true });
    state.waiting++;
    queueAll();
    serve(state);
  });
}

function queue({ queues }: State, waiting: Waiting, holder: string): void {
  if (waiting.holders.has(holder)) return;
  waiting.holders.add(holder);
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
