import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../log.ts";
import type { CallRecord, Ledger, PlanName } from "./accounts.ts";
import { toCallRow } from "./call-rows.ts";
import type { LedgerStore } from "./group.ts";
import { createGroupWriter } from "./group-writer.ts";
import { pruneCalls } from "./history.ts";
import { createPostgresLedgerStore } from "./ledger-postgres.ts";
import { createSqliteLedgerStore } from "./ledger-sqlite.ts";
import { planOf } from "./plans.ts";
import { createRowAllowance } from "./refused-calls.ts";
import type { UsageOptions } from "./usage-options.ts";

export type LedgerDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly usage: UsageOptions;
};

/** The ledger, and the upkeep of its history. */
export type LedgerWithUpkeep = Ledger & {
  /** Deletes history rows older than `usage.keep_days`, a few thousand at a time; how many. The roll-up stays. */
  readonly pruneHistory: (now: Date) => Promise<number>;
};

/**
 * The money over an open database. A charge that cannot be written rejects with an error of isDatabaseUnavailable (or
 * a fault) and took nothing; a settlement that is not "charged" leaves no history row: the caller records its 401 or
 * 402. Several processes may run ledgers on one database. Source: design 13.2, security P18.
 */
export function createLedger({ db, clock, log, usage }: LedgerDeps): LedgerWithUpkeep {
  const store = createStore(db);
  const writer = createGroupWriter(store, { clock, log });
  const storeTargets = usage.store_targets;
  const allowance = createRowAllowance();
  const hasRow = ({ accountId, status }: CallRecord, plan: PlanName | undefined, at: Date): boolean =>
    status !== REFUSED_BY_LIMITS &&
    (plan === undefined || allowance.take(accountId, planOf(plan).requestsPerSecond, at.getTime()));
  return {
    findCaller: (key) => store.findCaller(key, clock.now().getTime()),
    settle: (call, cost, isGone) => {
      if (!Number.isSafeInteger(cost) || cost < 0) {
        return Promise.reject(new RangeError(`A cost is a whole number, got ${cost}`));
      }
      return writer.charge(toCallRow(call, { at: clock.now(), credits: cost, storeTargets }), isGone);
    },
    record: (call, plan) => {
      const at = clock.now();
      const row = toCallRow(call, { at, credits: 0, storeTargets });
      if (hasRow(call, plan, at)) writer.note(row);
      else writer.count(row);
    },
    flush: writer.flush,
    pruneHistory: (now) => pruneCalls(store, { now, keepDays: usage.keep_days }),
  };
}

/** 429: a caller without patience makes thousands of them a second. */
const REFUSED_BY_LIMITS = 429;

const createStore = (db: Database): LedgerStore =>
  db.dialect === "sqlite" ? createSqliteLedgerStore(db.sqlite) : createPostgresLedgerStore(db.postgres);
