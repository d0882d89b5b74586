import { MINUTE_MS } from "../../base/durations.ts";
import { type CallDayRow, type CallRow, dayOf } from "./call-rows.ts";

/** What the limits refuse a call with: a caller without patience makes thousands of these a second. */
export const REFUSED_STATUS = 429;

/** Calls of one account, key, endpoint and minute that the limits refused and that have no rows of their own. Source: design 13.2. */
export type RefusedCalls = {
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  /** Start of the minute, milliseconds since 1970. */
  readonly minute: number;
  calls: number;
  items: number;
};

/** Counts that wait to be written. */
export type RefusedCounts = {
  /** False: it was dropped, since there are `max` others and none like it. */
  readonly add: (call: CallRow) => boolean;
  /** Takes out at most so many, the oldest first. */
  readonly take: (limit: number) => readonly RefusedCalls[];
  /** Adds what was taken and could not be written. */
  readonly putBack: (taken: readonly RefusedCalls[]) => void;
  /** How many different ones wait. */
  readonly size: () => number;
};

/** Counts nothing yet; holds about `max` different counts, each of any number of calls. */
export function createRefusedCounts(max: number): RefusedCounts {
  const counts = new Map<string, RefusedCalls>();
  const nameOf = ({ accountId, keyId, endpoint, minute }: RefusedCalls): string =>
    `${accountId} ${minute} ${keyId} ${endpoint}`;
  const merge = (one: RefusedCalls): void => {
    const name = nameOf(one);
    const known = counts.get(name);
    if (known === undefined) counts.set(name, { ...one });
    else {
      known.calls += one.calls;
      known.items += one.items;
    }
  };
  return {
    add: ({ account_id: accountId, key_id: keyId, endpoint, at, items }) => {
      const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
      const one = { accountId, keyId, endpoint, minute, calls: 1, items };
      if (counts.size >= max && !counts.has(nameOf(one))) return false;
      merge(one);
      return true;
    },
    take: (limit) => {
      const taken = [...counts].slice(0, limit);
      for (const [name] of taken) counts.delete(name);
      return taken.map(([, one]) => one);
    },
    putBack: (taken) => {
      for (const one of taken) merge(one);
    },
    size: () => counts.size,
  };
}

/** How many calls they are. */
export const callsOf = (refused: readonly RefusedCalls[]): number =>
  refused.reduce((sum, { calls }) => sum + calls, 0);

/** What the daily roll-up has of them, one row for each. */
export const daysOfRefused = (refused: readonly RefusedCalls[]): readonly CallDayRow[] =>
  refused.map(({ accountId, keyId, endpoint, minute, calls, items }) => ({
    ...{ account_id: accountId, day: dayOf(minute), endpoint, key_id: keyId, status: REFUSED_STATUS },
    ...{ calls, items, credits: 0 },
  }));

/** One row of `refused_calls`: all keys of an account together. */
export type RefusedMinute = {
  readonly accountId: string;
  readonly endpoint: string;
  readonly minute: number;
  readonly calls: number;
};

/** The rows that they add to, each once, sorted alike by all writers. */
export function minutesOfRefused(refused: readonly RefusedCalls[]): readonly RefusedMinute[] {
  const minutes = new Map<string, RefusedMinute>();
  for (const { accountId, endpoint, minute, calls } of refused) {
    const name = `${accountId} ${String(minute).padStart(16, "0")} ${endpoint}`;
    minutes.set(name, { accountId, endpoint, minute, calls: calls + (minutes.get(name)?.calls ?? 0) });
  }
  return [...minutes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
