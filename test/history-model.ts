import { DAY_MS, MINUTE_MS } from "../src/base/durations.ts";

/** What the history of calls must say, as simply as it can be said: every call kept by itself. */

export const MODEL_ENDPOINTS = ["/api/check-ip", "/api/whois-lookup"] as const;

type Made = {
  readonly accountId: string;
  readonly endpoint: string;
  readonly at: number;
  readonly status: number;
};

const REFUSED = 429;

export function createHistoryModel(keepDays: number) {
  let kept: Made[] = [];
  const all: Made[] = [];
  const of = (accountId: string, calls: readonly Made[]) =>
    calls.filter((call) => call.accountId === accountId);
  const minutes = (accountId: string) => {
    const counts = new Map<string, { minute: number; endpoint: string; calls: number }>();
    for (const { at, endpoint, status } of of(accountId, kept)) {
      if (status !== REFUSED) continue;
      const minute = at - (at % MINUTE_MS);
      const name = `${minute} ${endpoint}`;
      counts.set(name, { minute, endpoint, calls: 1 + (counts.get(name)?.calls ?? 0) });
    }
    return [...counts.values()].sort((a, b) => a.minute - b.minute || (a.endpoint < b.endpoint ? -1 : 1));
  };
  const rows = (accountId: string) => of(accountId, kept).filter(({ status }) => status !== REFUSED);
  return {
    add: (call: Made, count: number): void => {
      const calls = Array.from({ length: count }, () => call);
      kept.push(...calls);
      all.push(...calls);
    },
    prune: (nowMs: number): void => {
      const before = nowMs - keepDays * DAY_MS;
      kept = kept.filter(({ at, status }) => (status === REFUSED ? at - (at % MINUTE_MS) : at) >= before);
    },
    rows: (accountId: string) => rows(accountId).length,
    /** Rows of refused calls, oldest first. */
    minutes,
    /** `day,endpoint,status,calls` of the roll-up, which is never pruned. */
    days: (accountId: string): readonly string[] => {
      const counts = new Map<string, number>();
      for (const { at, endpoint, status } of of(accountId, all)) {
        const name = [new Date(at).toISOString().slice(0, 10), endpoint, status].join();
        counts.set(name, 1 + (counts.get(name) ?? 0));
      }
      return [...counts].map(([name, calls]) => `${name},${calls}`).sort();
    },
    /** `at,endpoint,status` of the last calls and `minute,endpoint,calls` of the last minutes, newest first. */
    last: (accountId: string, limit: number): readonly string[] => {
      const calls = rows(accountId).map(({ at, endpoint, status }) => ({ at, text: [at, endpoint, status] }));
      const refused = minutes(accountId).map((one) => ({
        at: one.minute + MINUTE_MS - 1,
        text: [one.minute, one.endpoint, one.calls],
      }));
      return [...calls.reverse().slice(0, limit), ...refused.reverse().slice(0, limit)]
        .sort((a, b) => b.at - a.at)
        .slice(0, limit)
        .map(({ text }) => text.join());
    },
  };
}
