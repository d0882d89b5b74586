import type { Sqlite } from "../db/sqlite.ts";
import { type CallDayRow, type CallRow, createDayTotals } from "./call-rows.ts";
import { createLastCalls } from "./last-calls.ts";
import { integerOf } from "./rows.ts";

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
  from calls where id > ? and true
  group by account_id, day, endpoint, key_id, status
  on conflict (account_id, day, endpoint, key_id, status) do update set
    calls = calls + excluded.calls, items = items + excluded.items, credits = credits + excluded.credits`;

const DELETE_OLD = "delete from calls where id in (select id from calls where at < ? order by at limit ?)";

const DELETE_OLD_REFUSED = `
  delete from refused_calls where (account_id, minute, endpoint, status) in
    (select account_id, minute, endpoint, status from refused_calls where minute < ? order by minute limit ?)`;

const NOTHING_WAITS = { after: 0, upTo: 0, version: 0 };

/** How long a row may stand behind the mark while calls come in, and how many rows: whoever reads the roll-up reads them all. */
const EVERY_MS = 1000;
const EVERY_ROWS = 2000;

/** Brings the sums up to the history. Whoever calls holds the connection; all but the last two belong into a transaction. */
export type DaySums = {
  /** Whether rows have stood behind the mark for long enough. */
  readonly isDue: (nowMs: number) => boolean;
  /** What is the same as long as nobody else writes to the file. */
  readonly versionOfOthers: () => number;
  /** Adds every row behind the mark and moves it. */
  readonly bringUp: () => void;
  /** `bringUp`, and then deletes the oldest rows of the history and of the refused calls from before an instant; how many. */
  readonly deleteOld: (beforeMs: number, limit: number) => number;
  /** To be told when what was brought up is committed. */
  readonly broughtUp: (nowMs: number) => void;
  /** To be told of rows that were committed and not brought up. */
  readonly wait: (calls: readonly CallRow[], written: { lastId: number; versionOfOthers: number }) => void;
};

/**
 * The sums of one file. What this process wrote is summed up in memory, which counts only where nobody else wrote
 * to the file meanwhile; otherwise, and after a crash, the history itself is read.
 */
export function createDaySums(sqlite: Pick<Sqlite, "prepare">): DaySums {
  let waiting = createDayTotals();
  /** The waiting rows are those with numbers above `after` and up to `upTo`, and nobody else wrote since the first; NaN: somebody did. */
  let span = NOTHING_WAITS;
  let rows = 0;
  const lastCalls = createLastCalls(sqlite);
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
      addToDaySums(sqlite, waiting.rows());
      lastCalls.add();
    } else {
      sqlite.prepare(ADD_FROM_HISTORY).run(mark);
      lastCalls.addFromHistory(mark);
    }
    sqlite.prepare(SET_MARK).run();
  };
  return {
    isDue: (nowMs) =>
      span !== NOTHING_WAITS && (rows >= EVERY_ROWS || Math.abs(nowMs - broughtUpAtMs) >= EVERY_MS),
    versionOfOthers,
    bringUp,
    deleteOld: (beforeMs, limit) => {
      bringUp();
      const { changes } = sqlite.prepare(DELETE_OLD).run(beforeMs, limit);
      // Without its newest row the history would give the numbers of those rows again.
      sqlite.prepare(SET_MARK).run();
      const refused = sqlite.prepare(DELETE_OLD_REFUSED).run(beforeMs, limit);
      return Number(changes) + Number(refused.changes);
    },
    broughtUp: (nowMs) => {
      waiting = createDayTotals();
      span = NOTHING_WAITS;
      rows = 0;
      lastCalls.forget();
      broughtUpAtMs = nowMs;
    },
    wait: (calls, { lastId, versionOfOthers: version }) => {
      const after = lastId - calls.length;
      const isNext = after === span.upTo && version === span.version;
      if (span === NOTHING_WAITS) span = { after, upTo: lastId, version };
      else span = { after: isNext ? span.after : Number.NaN, upTo: lastId, version };
      rows += calls.length;
      lastCalls.wait(calls, after + 1);
      waiting.add(calls);
    },
  };
}

/** Adds to the sums what stands in no row of the history. */
export function addToDaySums(sqlite: Pick<Sqlite, "prepare">, days: readonly CallDayRow[]): void {
  const add = sqlite.prepare(ADD);
  for (const day of days) {
    add.run(day.account_id, day.day, day.endpoint, day.key_id, day.status, day.calls, day.items, day.credits);
  }
}
