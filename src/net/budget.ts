import { type BudgetSettings, type BudgetShare, newPool } from "./budget-pool.ts";
import {
  type BudgetState,
  type Give,
  hasRoom,
  queue,
  serve,
  settle,
  take,
  unqueue,
  type Waiting,
  type Wanted,
} from "./budget-queue.ts";
import { firstHolderOf, holdersOf, type Party, watchParty } from "./party.ts";

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
  /**
   * Waits for what `take` did not give, and calls `give` once, it may be at once: with null where too many wait. What is
   * returned gives the waiting up.
   */
  readonly wait: (request: BudgetRequest, give: Give) => () => void;
  /** At once when there is room, without a promise; null: refused, or the signal aborted first. */
  readonly acquire: (request: BudgetRequest & Ending) => BudgetShare | null | Promise<BudgetShare | null>;
  /**
   * Calls `go` once, when fewer than `count` requests of the holder wait; null: that is so now. What is returned takes
   * the call back.
   */
  readonly whenFewWait: (holder: string, count: number, go: () => void) => (() => void) | null;
  readonly use: () => BudgetUse;
};

const DEFAULT_MAX_WAITING = 5000;

/**
 * A budget. A request that finds no room waits in its holder's queue. The holder of least is served first, equals
 * in turn. Never over the capacity, nor over that of a group. Source: security P4, P22; decision 0014.
 */
export function createBudget(settings: BudgetSettings): Budget {
  const state: BudgetState = {
    settings,
    pool: newPool(settings),
    ...{ groups: new Map(), queues: new Map(), paced: new Map(), waiting: 0, refused: 0, isSaving: false },
  };
  const partOf = ({ groups = [], amount = 1 }: BudgetRequest): Wanted => ({
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
    whenFewWait: (holder, count, go) => {
      if ((state.queues.get(holder)?.count ?? 0) < count) return null;
      const paced = { count, go };
      const all = state.paced.get(holder) ?? new Set();
      state.paced.set(holder, all.add(paced));
      return () => void all.delete(paced);
    },
    use: () => {
      const { pool, waiting, refused } = state;
      return { capacity: settings.capacity, held: pool.held, waiting, refused };
    },
  };
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

/** Waits in the lanes of all holders of the party, those who join later included. Thousands may: little is kept of each. */
function wait(state: BudgetState, party: Party, { groups, amount }: Wanted, give: Give): () => void {
  const lane = groups.length === 1 ? (groups[0] ?? "") : groups.join(" ");
  const waiting: Waiting = { lane, groups, amount, party, holders: [], give, unwatch: null, isOver: false };
  queueAll(state, waiting);
  if (waiting.holders.length === 0) {
    state.refused++;
    settle(waiting, null);
    return NOTHING;
  }
  state.waiting++;
  waiting.unwatch = watchParty(party, () => onJoined(state, waiting));
  serve(state);
  return () => leave(state, waiting);
}

const NOTHING = (): void => undefined;

function queueAll(state: BudgetState, waiting: Waiting): void {
  const { maxWaiting = DEFAULT_MAX_WAITING } = state.settings;
  for (const holder of holdersOf(waiting.party)) {
    if ((state.queues.get(holder)?.count ?? 0) < maxWaiting) queue(state, waiting, holder);
  }
}

function onJoined(state: BudgetState, waiting: Waiting): void {
  // Another one who was told of the same may have let this one in.
  if (waiting.isOver) return;
  queueAll(state, waiting);
  serve(state);
}

function leave(state: BudgetState, waiting: Waiting): void {
  if (waiting.isOver) return;
  waiting.isOver = true;
  waiting.unwatch?.();
  unqueue(state, waiting);
  if (state.isSaving) serve(state);
}
