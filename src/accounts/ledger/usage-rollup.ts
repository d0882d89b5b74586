import type { Sqlite } from "../../db/sqlite.ts";
import { integerOf } from "../rows.ts";
import { type CallDayRow, type CallRow, createDayTotals } from "./call-rows.ts";
import { createLastCalls, LAST_CALLS_FROM_HISTORY } from "./last-calls.ts";
import type { CallsOfAccount } from "./write-batch.ts";

/*
 * The roll-up in SQLite. `call_days` is a view: the sums of `call_day_sums`, and every row of the history behind the
 * mark, so that a call is in the history and in its roll-up by one commit (design 13.2). The rows behind the
 * mark are added to the sums now and then, all calls of an account in one write: one for each call was among
 * the largest parts of a call (decision 0010).
 */

const MARK = "calls_in_day_sums";

const READ_MARK = `
  select cast(value as integer) as mark, (select coalesce(max(id), 0) from calls) as newest
  from meta where key = '${MARK}'`;

/** Another one after every commit of another connection; ours do not count. https://www.sqlite.org/pragma.html#pragma_data_version */
const DATA_VERSION = "PRAGMA data_version";

/** Moves the mark to the newest row of the history. */
const SET_MARK = `update meta set value = (select coalesce(max(id), 0) from calls) where key = '${MARK}'`;

const ADD = `
  insert into call_day_sums (account_id, day, endpoint, key_id, status, calls, items, credits)
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (account_id, day, endpoint, key_id, status) do update set
    calls = calls + excluded.calls, items = items + excluded.items, credits = credits + excluded.credits`;

// `true`: without a condition SQLite takes `on conflict` for a join's.
const ADD_FROM_HISTORY = `
  insert into call_day_sums (account_id, day, endpoint, key_id, status, calls, items, credits)
  select account_id, coalesce(date(at / 1000, 'unixepoch'), '9999-12-31') as day, endpoint, key_id, status, count(*), sum(items), sum(credits)
  from calls where id > (select cast(value as integer) from meta where key = '${MARK}') and true
  group by account_id, day, endpoint, key_id, status
  on conflict (account_id, day, endpoint, key_id, status) do update set
    calls = calls + excluded.calls, items = items + excluded.items, credits = credits + excluded.credits`;

/** Adds every row behind the mark to the sums and to the last calls, and moves the mark. */
export const BRING_UP_FROM_HISTORY = [ADD_FROM_HISTORY, LAST_CALLS_FROM_HISTORY, SET_MARK] as const;

const DELETE_OLD = "delete from calls where id in (select id from calls where at < ? order by at limit ?)";

const DELETE_OF = "delete from calls where id > ? and id <= ? and account_id = ?";

const NOTHING_WAITS = { after: 0, upTo: 0, version: 0 };

/** How long a row may stand behind the mark while calls come in, and about how many: each read of the roll-up reads them. */
const EVERY_MS = 1000;
const EVERY_ROWS = 4000;

/** Brings the sums up to the history. The caller holds the connection; all but the last two belong in a transaction. */
export type DaySums = {
  /** Whether rows have stood behind the mark for long enough. */
  readonly isDue: (nowMs: number) => boolean;
  /** What is the same as long as no other program writes to the file. */
  readonly versionOfOthers: () => number;
  /** Adds every row behind the mark and moves it. */
  readonly bringUp: () => void;
  /** `bringUp`, and then deletes the oldest rows of the history from before an instant; how many. */
  readonly deleteOld: (beforeMs: number, limit: number) => number;
  /** The same for the rows of one account within a range of numbers. */
  readonly deleteOf: (wish: CallsOfAccount) => number;
  /** To be told when what was brought up is committed. */
  readonly broughtUp: (nowMs: number) => void;
  /** To be told of rows that were committed and not brought up. */
  readonly wait: (calls: readonly CallRow[], written: { lastId: number; versionOfOthers: number }) => void;
};

/**
 * The sums of one file. What this process wrote is summed up in memory, which counts only where no other program wrote
 * to the file meanwhile; otherwise, and after a crash, the history itself is read.
 */
export function createDaySums(sqlite: Pick<Sqlite, "prepare">): DaySums {
  const waiting = createWaiting(sqlite);
  /** The waiting rows are those with numbers above `after` and up to `upTo`, and no other program wrote since the first; NaN: one did. */
  let span = NOTHING_WAITS;
  let broughtUpAtMs = Number.NEGATIVE_INFINITY;
  const versionOfOthers = (): number => {
    const row = sqlite.prepare(DATA_VERSION).get();
    return row === undefined ? Number.NaN : integerOf(row, "data_version");
  };
  const bringUp = (): void => {
    const row = sqlite.prepare(READ_MARK).get();
    if (row === undefined) throw new Error("The database has lost its mark of the daily sums");
    const [mark, newest] = [integerOf(row, "mark"), integerOf(row, "newest")];
    if (mark === newest) return;
    if (span.after === mark && span.upTo === newest && span.version === versionOfOthers()) {
      waiting.write();
      sqlite.prepare(SET_MARK).run();
    } else for (const statement of BRING_UP_FROM_HISTORY) sqlite.prepare(statement).run();
  };
  const deleted = ({ changes }: { readonly changes: number | bigint }): number => {
    // Without its newest row the history would give the numbers of those rows again.
    sqlite.prepare(SET_MARK).run();
    return Number(changes);
  };
  return {
    isDue: (nowMs) =>
      span !== NOTHING_WAITS && (waiting.rows() >= EVERY_ROWS || Math.abs(nowMs - broughtUpAtMs) >= EVERY_MS),
    versionOfOthers,
    bringUp,
    deleteOld: (beforeMs, limit) => {
      bringUp();
      return deleted(sqlite.prepare(DELETE_OLD).run(beforeMs, limit));
    },
    deleteOf: ({ accountId, after, upTo }) => {
      bringUp();
      return deleted(sqlite.prepare(DELETE_OF).run(after, upTo, accountId));
    },
    broughtUp: (nowMs) => {
      waiting.forget();
      span = NOTHING_WAITS;
      broughtUpAtMs = nowMs;
    },
    wait: (calls, { lastId, versionOfOthers: version }) => {
      const after = lastId - calls.length;
      const isNext = after === span.upTo && version === span.version;
      if (span === NOTHING_WAITS) span = { after, upTo: lastId, version };
      else span = { after: isNext ? span.after : Number.NaN, upTo: lastId, version };
      waiting.add(calls, after + 1);
    },
  };
}

/** What rows that are not brought up come to, in memory. */
function createWaiting(sqlite: Pick<Sqlite, "prepare">) {
  const lastCalls = createLastCalls(sqlite);
  let totals = createDayTotals();
  let rows = 0;
  return {
    /** How many they are. */
    rows: () => rows,
    add: (calls: readonly CallRow[], firstId: number): void => {
      totals.add(calls);
      rows += calls.length;
      lastCalls.wait(calls, firstId);
    },
    write: (): void => {
      addToDaySums(sqlite, totals.rows());
      lastCalls.add();
    },
    forget: (): void => {
      totals = createDayTotals();
      rows = 0;
      lastCalls.forget();
    },
  };
}

/** Adds to the sums what stands in no row of the history, or is not read from there. */
export function addToDaySums(sqlite: Pick<Sqlite, "prepare">, days: readonly CallDayRow[]): void {
  const add = sqlite.prepare(ADD);
  for (const day of days) {
    add.run(day.account_id, day.day, day.endpoint, day.key_id, day.status, day.calls, day.items, day.credits);
  }
}
