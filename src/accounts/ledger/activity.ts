import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import type { Ledger } from "../accounts.ts";
import type { DayTotals } from "../shapes.ts";
import { dayOf } from "./call-rows.ts";
import type { LastCall } from "./recent-calls.ts";
import type { UsageReader } from "./usage.ts";

/** What an account has done lately. Days in UTC. */
export type Activity = {
  readonly today: DayTotals;
  readonly yesterday: DayTotals;
  /** The last ten, newest first. */
  readonly lastCalls: readonly LastCall[];
  /** Whether a key of it ever asked for a lookup. */
  readonly hasLookedUp: boolean;
};

export type ActivityDeps = {
  readonly usage: UsageReader;
  readonly ledger: Pick<Ledger, "flush">;
  readonly clock: Clock;
};

type Kept = { readonly reading: Promise<Activity>; readonly beganMs: number; isRead: boolean };

const LAST_CALLS = 10;
const KEPT_MS = 1000;
const MAX_KEPT = 10_000;

/**
 * Reads an account's activity, at most once a second for each account: requests in between get what was read. However
 * many there are, other accounts do not notice. Source: security P7.
 */
export function createActivity(deps: ActivityDeps): (accountId: string) => Promise<Activity> {
  const kept = new Map<string, Kept>();
  return (accountId) => {
    const beganMs = deps.clock.monotonicMs();
    const known = kept.get(accountId);
    if (known !== undefined && (!known.isRead || beganMs - known.beganMs < KEPT_MS)) return known.reading;
    if (kept.size >= MAX_KEPT) kept.clear();
    const one = { reading: read(accountId, deps), beganMs, isRead: false };
    kept.set(accountId, one);
    one.reading.then(
      () => {
        one.isRead = true;
      },
      () => {
        if (kept.get(accountId) === one) kept.delete(accountId);
      },
    );
    return one.reading;
  };
}

async function read(accountId: string, { usage, ledger, clock }: ActivityDeps): Promise<Activity> {
  // Calls that were refused a moment ago are to be seen.
  await ledger.flush();
  const nowMs = clock.now().getTime();
  const [today, yesterday] = [dayOf(nowMs), dayOf(nowMs - DAY_MS)];
  return {
    today: await usage.totals(accountId, { from: today, to: today }),
    yesterday: await usage.totals(accountId, { from: yesterday, to: yesterday }),
    lastCalls: await usage.lastCalls(accountId, { limit: LAST_CALLS }),
    hasLookedUp: await usage.hasLookedUp(accountId),
  };
}
