import type { Sqlite } from "../../db/sqlite.ts";
import type { CallRow } from "./call-rows.ts";

/*
 * The last calls of each account in SQLite. An index of calls by account would cost each call more than a tenth of what it
 * costs: a page of its own for each account of a group. So `last_calls` has one row for each account, the numbers of its newest
 * rows up to the mark of the daily sums, and is brought up with those (decision 0015).
 */

/** So many calls of an account are found at once. */
const LAST_CALLS_KEPT = 10;

// What is kept already follows what is new: numbers may be given again after a pruning, so their size says nothing.
const MERGE = `
  on conflict (account_id) do update set ids = (
    select json_group_array(value order by age, place) from (
      select value, age, place from (
        select value, 0 as age, key as place from json_each(excluded.ids)
        union all select value, 1, key from json_each(last_calls.ids)
      ) order by age, place limit ${LAST_CALLS_KEPT}
    )
  )`;

const ADD = `insert into last_calls (account_id, ids) values (?, ?) ${MERGE}`;

/** Adds those of every row behind the mark. A page of the dashboard is no call: its rows have no key. */
export const LAST_CALLS_FROM_HISTORY = `
  insert into last_calls (account_id, ids)
  select account_id, json_group_array(id order by id desc) from (
    select account_id, id, row_number() over (partition by account_id order by id desc) as place
    from calls
    where id > (select cast(value as integer) from meta where key = 'calls_in_day_sums') and key_id <> ''
  ) where place <= ${LAST_CALLS_KEPT} group by account_id
  ${MERGE}`;

/** The newest calls of some rows of the history, by account. */
export type LastCalls = {
  /** To be told of rows in the order of their numbers, of which the first has `firstId`. */
  readonly wait: (calls: readonly CallRow[], firstId: number) => void;
  /** Writes what waits. */
  readonly add: () => void;
  readonly forget: () => void;
};

/** Those of one file; written while the connection is held, in a transaction. */
export function createLastCalls(sqlite: Pick<Sqlite, "prepare">): LastCalls {
  /** Oldest first, and more than are kept: trimmed when they are written. */
  let waiting = new Map<string, number[]>();
  return {
    wait: (calls, firstId) => {
      for (const [i, { account_id, key_id }] of calls.entries()) {
        if (key_id === "") continue;
        const ids = waiting.get(account_id);
        if (ids === undefined) waiting.set(account_id, [firstId + i]);
        else ids.push(firstId + i);
      }
    },
    add: () => {
      const add = sqlite.prepare(ADD);
      for (const [accountId, ids] of waiting) {
        add.run(accountId, JSON.stringify(ids.slice(-LAST_CALLS_KEPT).reverse()));
      }
    },
    forget: () => {
      waiting = new Map();
    },
  };
}
