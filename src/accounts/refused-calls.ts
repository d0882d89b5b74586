import { type CallDayRow, type CallRow, dayOf } from "./call-rows.ts";

/**
 * Calls of one account, endpoint, key, status and minute that have no rows of their own: 429s, of which one caller makes
 * thousands a second. Source: design 13.2.
 */
export type RefusedCalls = {
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly status: number;
  /** Start of the minute, milliseconds since 1970. */
  readonly minute: number;
  calls: number;
  items: number;
};

const MINUTE_MS = 60_000;

/** Counts that wait to be written. */
export type RefusedCounts = {
  /** False: it was dropped, since there are `max` others and none like it. */
  readonly add: (call: CallRow) => boolean;
  /** Takes out at most so many, the oldest first. */
  readonly take: (limit: number) => readonly RefusedCalls[];
  /** Puts back what was taken. */
  readonly putBack: (taken: readonly RefusedCalls[]) => void;
  /** How many different ones wait. */
  readonly size: () => number;
  /** How many calls they are; all of them are forgotten. */
  readonly drop: () => number;
};

/** Counts nothing yet; holds at most `max` different counts, each of any number of calls. */
export function createRefusedCounts(max: number): RefusedCounts {
  const counts = new Map<string, RefusedCalls>();
  const merge = (one: RefusedCalls): void => {
    const key = `${one.accountId} ${one.minute} ${one.status} ${one.keyId} ${one.endpoint}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...one });
    else {
      known.calls += one.calls;
      known.items += one.items;
    }
  };
  return {
    add: ({ account_id, key_id, endpoint, status, at, items }) => {
      const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
      const known = counts.get(`${account_id} ${minute} ${status} ${key_id} ${endpoint}`);
      if (known === undefined && counts.size >= max) return false;
      merge({ accountId: account_id, keyId: key_id, endpoint, status, minute, calls: 1, items });
      return true;
    },
    take: (limit) => {
      const taken = [...counts].slice(0, limit);
      for (const [key] of taken) counts.delete(key);
      return taken.map(([, one]) => one);
    },
    putBack: (taken) => {
      for (const one of taken) merge(one);
    },
    size: () => counts.size,
    drop: () => {
      const calls = [...counts.values()].reduce((sum, one) => sum + one.calls, 0);
      counts.clear();
      return calls;
    },
  };
}

/** What the daily roll-up has of them, one row for each. */
export const daysOfRefused = (refused: readonly RefusedCalls[]): readonly CallDayRow[] =>
  refused.map(({ accountId, keyId, endpoint, status, minute, calls, items }) => ({
    ...{ account_id: accountId, day: dayOf(minute), endpoint, key_id: keyId, status },
    ...{ calls, items, credits: 0 },
  }));

/** One row of `refused_calls`: all keys of an account together. */
export type RefusedMinute = Omit<RefusedCalls, "keyId" | "items">;

/** The rows that they add to, each once, sorted alike by all writers. */
export function minutesOfRefused(refused: readonly RefusedCalls[]): readonly RefusedMinute[] {
  const minutes = new Map<string, { -readonly [K in keyof RefusedMinute]: RefusedMinute[K] }>();
  for (const { accountId, endpoint, status, minute, calls } of refused) {
    const key = `${accountId} ${String(minute).padStart(16, "0")} ${endpoint} ${status}`;
    const known = minutes.get(key);
    if (known === undefined) minutes.set(key, { accountId, endpoint, status, minute, calls });
    else known.calls += calls;
  }
  return [...minutes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** So many times a second's starts of the plan an account's calls of one minute that cost nothing have rows of their own. */
const ROWS_OF_STARTS = 30;

/** Which calls that cost nothing still have a row of their own. */
export type RowAllowance = { readonly take: (accountId: string, startsPerSecond: number, atMs: number) => boolean };

/**
 * An account that repeats what costs it nothing, at the pace that the limits allow, would fill a disk with rows that say the
 * same: in each minute the first have rows, the others are counted. Source: security P25.
 */
export function createRowAllowance(): RowAllowance {
  let minute = Number.NaN;
  let taken = new Map<string, number>();
  return {
    take: (accountId, startsPerSecond, atMs) => {
      const now = Math.floor(atMs / MINUTE_MS);
      if (now !== minute) {
        minute = now;
        taken = new Map();
      }
      const count = taken.get(accountId) ?? 0;
      if (count >= ROWS_OF_STARTS * startsPerSecond) return false;
      taken.set(accountId, count + 1);
      return true;
    },
  };
}
