import type { Clock } from "../clock.ts";
import { DatabaseClosed, isDatabaseUnavailable } from "../db/unavailable.ts";
import type { Log } from "../log.ts";
import type { Settlement } from "./accounts.ts";
import type { CallRow } from "./call-rows.ts";
import type { LedgerStore } from "./group.ts";
import { nextTurn } from "./next-turn.ts";

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
  /**
   * Resolves when the queue is on disk; rejects with the database's error when it cannot be written now. Rows that can
   * never be written are dropped and logged.
   */
  readonly flush: () => Promise<void>;
};

const MAX_GROUP = 256;
const MAX_NOTES = 50_000;
const RETRY_MS = 1000;
const LOG_EVERY_MS = 10_000;

/**
 * Group commit without a timer: what comes in this turn of the event loop, or while a commit runs, is written in one
 * transaction; the fsync of the group before is the window (9 times the rate of one commit each). Rows of uncharged
 * calls outlive a database that is away, up to 50,000 of them.
 */
export function createGroupWriter(store: Pick<LedgerStore, "write">, deps: WriterDeps): GroupWriter {
  const charges: WaitingCharge[] = [];
  const notes: CallRow[] = [];
  const losses = createLossLog(deps);
  let draining: Promise<unknown> | null = null;
  let isRetryPlanned = false;

  const start = (): Promise<unknown> => {
    draining ??= drain();
    return draining;
  };
  const drain = async (): Promise<unknown> => {
    let failure: unknown = null;
    do {
      await turnOfAll();
      failure = await writeNext(store, { charges, notes, losses, nowMs: deps.clock.now().getTime() });
      // A database that is away is asked again only for those who wait.
    } while (charges.length > 0 || (notes.length > 0 && failure === null));
    draining = null;
    if (notes.length > 0) void retryLater();
    return failure;
  };
  const retryLater = async (): Promise<void> => {
    if (isRetryPlanned) return;
    isRetryPlanned = true;
    await deps.clock.sleep(RETRY_MS);
    isRetryPlanned = false;
    await start();
  };
  return {
    charge: (call, isGone = never) =>
      new Promise((resolve, reject) => {
        charges.push({ call, isGone, resolve, reject });
        void start();
      }),
    note: (call) => {
      if (notes.length < MAX_NOTES) notes.push(call);
      else losses.drop(1);
      if (!isRetryPlanned) void start();
    },
    flush: async () => {
      while (charges.length > 0 || notes.length > 0 || draining !== null) {
        const failure = await start();
        if (failure !== null && notes.length > 0) throw failure;
      }
    },
  };
}

export type WriterDeps = { readonly clock: Clock; readonly log: Pick<Log, "error"> };

type Queues = {
  readonly charges: WaitingCharge[];
  readonly notes: CallRow[];
  readonly losses: LossLog;
  readonly nowMs: number;
};

/**
 * Two turns: calls that came in while those before them were at work settle in the turn after them, and then all of them
 * go in one transaction instead of halves in two.
 */
async function turnOfAll(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Writes one group from the fronts of both queues and answers its charges; the error that keeps rows waiting, else null. */
async function writeNext(store: Pick<LedgerStore, "write">, queues: Queues): Promise<unknown> {
  const charges = waitedFor(queues.charges.splice(0, MAX_GROUP));
  const notes = queues.notes.splice(0, MAX_GROUP);
  if (charges.length === 0 && notes.length === 0) return null;
  try {
    const outcomes = await store.write({ charges: charges.map(({ call }) => call), notes }, queues.nowMs);
    for (const [i, { resolve, reject }] of charges.entries()) {
      const outcome = outcomes[i];
      if (outcome === undefined) reject(new Error("The ledger gave no outcome for a charge"));
      else resolve(outcome);
    }
    return null;
  } catch (error) {
    for (const { reject } of charges) reject(error);
    return keepNotes(notes, error, queues) ? error : null;
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

/** Puts rows back that can be written later; whether it did. */
function keepNotes(notes: CallRow[], error: unknown, { notes: queue, losses }: Queues): boolean {
  if (notes.length === 0) return false;
  const isClosed = error instanceof DatabaseClosed;
  const isKept = isDatabaseUnavailable(error) && !isClosed;
  if (isKept) queue.unshift(...notes);
  // A row that the database will never take must not stand before the others for ever.
  else losses.drop(notes.length + (isClosed ? queue.splice(0).length : 0));
  losses.tell(error, queue.length);
  return isKept;
}

type LossLog = {
  readonly drop: (rows: number) => void;
  readonly tell: (error: unknown, waiting: number) => void;
};

/** Says that history rows wait or are lost, at most every 10 s. */
function createLossLog({ clock, log }: WriterDeps): LossLog {
  let dropped = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return {
    drop: (rows) => {
      dropped += rows;
    },
    tell: (error, waiting) => {
      if (clock.monotonicMs() - toldAtMs < LOG_EVERY_MS) return;
      toldAtMs = clock.monotonicMs();
      log.error({ err: error, waiting, dropped }, "Cannot write the call history");
    },
  };
}
