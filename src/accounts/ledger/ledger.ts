import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import type { Ledger } from "../accounts.ts";
import type { UsageOptions } from "../usage-options.ts";
import { createGroupWriter } from "./batch-writer.ts";
import { toCallRow } from "./call-rows.ts";
import { forgetDeletedAccounts, pruneCalls } from "./history.ts";
import { createPostgresLedgerStore } from "./ledger-postgres.ts";
import { createSqliteLedgerStore } from "./ledger-sqlite.ts";
import { REFUSED_STATUS } from "./refused-calls.ts";
import type { LedgerStore } from "./write-batch.ts";

export type LedgerDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly usage: Pick<UsageOptions, "store_targets" | "keep_days">;
};

/** The ledger, and the upkeep of its history. */
export type LedgerWithUpkeep = Ledger & {
  /**
   * Deletes history rows and counts older than `usage.keep_days`, and than what another process keeps (`atLeastDays`), a few
   * thousand at a time; how many. The roll-up stays.
   */
  readonly pruneHistory: (now: Date, atLeastDays?: number) => Promise<number>;
  /** Deletes the history of accounts that were deleted; how many rows. */
  readonly forgetDeleted: () => Promise<number>;
};

/**
 * The money over an open database. A charge that cannot be written rejects with an error of isDatabaseUnavailable (or
 * a fault) and took nothing; a settlement that is not "charged" leaves no history row: the caller records its 401 or
 * 402. Several processes may run ledgers on one database. Source: design 13.2, security P18.
 */
export function createLedger({ db, clock, log, usage }: LedgerDeps): LedgerWithUpkeep {
  const store = createStore(db);
  const writer = createGroupWriter(store, { clock, log });
  const storeTargets = usage.store_targets === true;
  return {
    findCaller: (key) => store.findCaller(key, clock.now().getTime()),
    findSessionCaller: (sessionId) => store.findSessionCaller(sessionId, clock.now().getTime()),
    settle: (call, cost, isGone) => {
      if (!Number.isSafeInteger(cost) || cost < 0) {
        return Promise.reject(new RangeError(`A cost is a whole number, got ${cost}`));
      }
      return writer.charge(toCallRow(call, { at: clock.now(), credits: cost, storeTargets }), isGone);
    },
    record: (call) => {
      const row = toCallRow(call, { at: clock.now(), credits: 0, storeTargets });
      if (call.status === REFUSED_STATUS) writer.count(row);
      else writer.note(row);
    },
    flush: writer.flush,
    pruneHistory: (now, atLeastDays = 0) =>
      pruneCalls(store, db, { now, keepDays: Math.max(usage.keep_days, atLeastDays) }),
    forgetDeleted: async () => {
      // What was noted before the deletion is on its way.
      await writer.flush();
      return forgetDeletedAccounts(store, db, clock.now());
    },
  };
}

const createStore = (db: Database): LedgerStore =>
  db.dialect === "sqlite" ? createSqliteLedgerStore(db.sqlite) : createPostgresLedgerStore(db.postgres);
