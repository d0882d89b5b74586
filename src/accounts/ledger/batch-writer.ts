import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { nextTurn } from "../../base/next-turn.ts";
import { DatabaseClosed, isDatabaseUnavailable } from "../../db/unavailable.ts";
import type { Settlement } from "../accounts.ts";
import type { CallRow } from "./call-rows.ts";
import { callsOf, createRefusedCounts, type RefusedCounts } from "./refused-calls.ts";
import type { Group, LedgerStore } from "./write-batch.ts";

type WaitingCharge = {
  readonly call: CallRow;
  readonly isGone: () => boolean;
  readonly resolve: (outcome: Settlement) => void;
  readonly reject: (error: unknown) => void;
};

export type GroupWriter = {
  /** Resolves when the charge is judged and on disk. Rejects when its group could not be written: nothing was charged. */
  readonly charge: (call: CallRow, isGone?: () => boolean) => Promise<Settlement>;
  /** Queues the row of an uncharged call. */
  readonly note: (call: CallRow) => void;
  /** Counts a call that has no row, to be written within a second or with `flush`. */
  readonly count: (call: CallRow) => void;
  /**
   * Resolves when the queue is on disk; rejects with the database's error when it cannot be written now. Rows that can
   * never be written are dropped and logged.
   */
  readonly flush: () => Promise<void>;
};

const MAX_GROUP = 256;
const MAX_NOTES = 50_000;
/** Different counts: accounts, keys, endpoints and minutes. */
const MAX_COUNTS = 20_000;
const COUNTS_EVERY_MS = 1000;
const RETRY_MS = 1000;
const LOG_EVERY_MS = 10_000;

/**
 * Group commit without a timer: what comes in this turn of the event loop, or while a commit runs, is written in one
 * transaction; the fsync of the group before is the window (9 times the rate of one commit each). Rows of uncharged
 * calls outlive a database that is away, up to 50,000 of them, and so do counts of calls without rows.
 */
export function createGroupWriter(store: Pick<LedgerStore, "write">, deps: WriterDeps): GroupWriter {
  const losses = createLossLog(deps);
  let draining: Promise<unknown> | null = null;
  const start = (): Promise<unknown> => {
    draining ??= drain();
    return draining;
  };
  const retry = createDelay(deps.clock, RETRY_MS, start);
  const startUnlessAway = (): void => {
    if (!retry.isPlanned()) void start();
  };
  const counts = createDueCounts(deps, startUnlessAway);
  const queues: Queues = { charges: [], notes: [], counts, losses };
  const { charges, notes } = queues;
  /** Whether there is something to write that no call waits for. */
  const isOwing = (): boolean => notes.length > 0 || counts.areDue();
  const drain = async (): Promise<unknown> => {
    let failure: unknown = null;
    do {
      await nextTurn();
      failure = await writeNext(store, queues, deps.clock.now().getTime());
      // A database that is away is asked again only for those who wait.
    } while (charges.length > 0 || (isOwing() && failure === null));
    draining = null;
    if (isOwing()) void retry.plan();
    return failure;
  };
  return {
    charge: (call, isGone = never) =>
      new Promise((resolve, reject) => {
        charges.push({ call, isGone, resolve, reject });
        void start();
      }),
    note: (call) => {
      if (notes.length < MAX_NOTES) notes.push(call);
      else losses.overflow();
      startUnlessAway();
    },
    count: (call) => {
      if (!counts.add(call)) losses.overflow();
    },
    flush: async () => {
      counts.want();
      while (charges.length > 0 || isOwing() || draining !== null) {
        const failure = await start();
        if (failure !== null && isOwing()) throw failure;
      }
    },
  };
}

/** Counts, and whether it is time to write them: a second after the first, or before they are read. */
type DueCounts = RefusedCounts & { readonly areDue: () => boolean; readonly want: () => void };

function createDueCounts({ clock }: WriterDeps, start: () => void): DueCounts {
  const counts = createRefusedCounts(MAX_COUNTS);
  let isDue = false;
  const due = createDelay(clock, COUNTS_EVERY_MS, () => {
    isDue = true;
    if (counts.size() > 0) start();
  });
  return {
    add: (call) => {
      void due.plan();
      return counts.add(call);
    },
    areDue: () => isDue && counts.size() > 0,
    want: () => {
      isDue = true;
    },
    take: (limit) => {
      const taken = isDue ? counts.take(limit) : [];
      isDue = isDue && counts.size() > 0;
      return taken;
    },
    putBack: (taken) => {
      counts.putBack(taken);
      isDue = true;
    },
    size: counts.size,
  };
}

/** Does a work a while later, once however often it was planned meanwhile. */
function createDelay(clock: Clock, ms: number, work: () => unknown) {
  let isPlanned = false;
  return {
    isPlanned: () => isPlanned,
    plan: async (): Promise<void> => {
      if (isPlanned) return;
      isPlanned = true;
      await clock.sleep(ms);
      isPlanned = false;
      await work();
    },
  };
}

export type WriterDeps = { readonly clock: Clock; readonly log: Pick<Log, "error"> };

type Queues = {
  readonly charges: WaitingCharge[];
  readonly notes: CallRow[];
  readonly counts: DueCounts;
  readonly losses: LossLog;
};

/** Writes one group from the fronts of the queues and answers its charges; the error that keeps rows waiting, else null. */
async function writeNext(store: Pick<LedgerStore, "write">, queues: Queues, nowMs: number): Promise<unknown> {
  const charges = waitedFor(queues.charges.splice(0, MAX_GROUP));
  const notes = queues.notes.splice(0, MAX_GROUP);
  const refused = queues.counts.take(MAX_GROUP);
  if (charges.length + notes.length + refused.length === 0) return null;
  try {
    const group = { charges: charges.map(({ call }) => call), notes, refused };
    const outcomes = await store.write(group, nowMs);
    for (const [i, { resolve, reject }] of charges.entries()) {
      const outcome = outcomes[i];
      if (outcome === undefined) reject(new Error("The ledger gave no outcome for a charge"));
      else resolve(outcome);
    }
    return null;
  } catch (error) {
    for (const { reject } of charges) reject(error);
    return keepForLater({ notes, refused }, error, queues) ? error : null;
  }
}

const never = (): boolean => false;

/** Those whose callers are still there; the others learn that nothing was taken. */
function waitedFor(charges: readonly WaitingCharge[]): readonly WaitingCharge[] {
  return charges.filter(({ isGone, resolve }) => {
    if (!isGone()) return true;
    resolve({ state: "abandoned" });
    return false;
  });
}

/** Puts rows and counts back that can be written later; whether it did. */
function keepForLater(
  { notes, refused }: Pick<Group, "notes" | "refused">,
  error: unknown,
  { notes: queue, counts, losses }: Queues,
): boolean {
  if (notes.length + refused.length === 0) return false;
  const isClosed = error instanceof DatabaseClosed;
  const isKept = isDatabaseUnavailable(error) && !isClosed;
  if (isKept) {
    queue.unshift(...notes);
    counts.putBack(refused);
  } else {
    // A row that the database will never take must not stand before the others for ever.
    losses.drop(notes.length + callsOf(refused));
    if (isClosed) losses.drop(queue.splice(0).length + callsOf(counts.take(Number.POSITIVE_INFINITY)));
  }
  losses.tell(error, queue.length);
  return isKept;
}

type LossLog = {
  readonly drop: (calls: number) => void;
  readonly tell: (error: unknown, waiting: number) => void;
  /** A call was dropped as too many wait; said within a second, with the others. */
  readonly overflow: () => void;
};

/** Says that history rows wait or are lost, at most every 10 s, and how many were left out as too many wait. */
function createLossLog({ clock, log }: WriterDeps): LossLog {
  let [dropped, told] = [0, 0];
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const overflown = createDelay(clock, COUNTS_EVERY_MS, () => {
    if (dropped === told) return;
    told = dropped;
    log.error({ dropped }, "Calls are left out of the history: too many wait to be written");
  });
  return {
    drop: (calls) => {
      dropped += calls;
    },
    tell: (error, waiting) => {
      if (clock.monotonicMs() - toldAtMs < LOG_EVERY_MS) return;
      toldAtMs = clock.monotonicMs();
      told = dropped;
      log.error({ err: error, waiting, dropped }, "Cannot write the call history");
    },
    overflow: () => {
      dropped += 1;
      void overflown.plan();
    },
  };
}
