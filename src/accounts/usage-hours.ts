import { sql } from "kysely";
import type { Clock } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import { nextTurn } from "../base/next-turn.ts";
import type { Database } from "../db/database.ts";
import { REFUSED_STATUS } from "./ledger/refused-calls.ts";

/** Calls of one hour, endpoint, key and status. */
type HourRow = {
  /** 0 to 23, UTC. */
  readonly hour: number;
  readonly endpoint: string;
  readonly keyId: string;
  readonly status: number;
  readonly calls: number;
  readonly items: number;
  readonly credits: number;
};

/** How long answered calls took. */
export type Latency = { readonly calls: number; readonly p50Ms: number; readonly p95Ms: number };

/** One UTC day of an account, hour by hour, as far as its history is kept. */
export type UsageHours = {
  /** At most 20,000: hour by hour, and behind them all the refused calls that are only counted. */
  readonly rows: readonly HourRow[];
  /** Calls that are in no row, as there would be more. */
  readonly leftOut: number;
  readonly latency: readonly ({ readonly endpoint: string } & Latency)[];
  /** Hours in which a call was answered. */
  readonly latencyByHour: readonly ({ readonly hour: number } & Latency)[];
};

export type UsageHoursDeps = { readonly db: Pick<Database, "kysely">; readonly clock: Clock };

const HOURS = 24;
const KEPT_MS = 5000;
const MAX_KEPT = 100;
const LEAST_REFUSED = 400;
/** Readings that wait for the one under way. */
const MAX_WAITING = 20;
/** Of them, of one account, with the one under way. */
const MAX_OF_ONE = 4;
const RETRY_AFTER_S = 5;

export type UsageHoursBounds = {
  /** Rows of a day. */
  readonly maxRows?: number;
};
const MAX_ROWS = 20_000;

type Kept = { readonly reading: Promise<UsageHours>; readonly beganMs: number; isDone: boolean };

const isOld = ({ beganMs, isDone }: Kept, nowMs: number): boolean => isDone && nowMs - beganMs >= KEPT_MS;

/**
 * Reads a day of an account from its history, which has no index of accounts in SQLite: an hour at a time, between which
 * charges go on, one day at a time, and each at most once in five seconds. Where twenty wait, or four of one account, more are
 * refused with SERVICE_UNAVAILABLE. Source: security P7, decision 0014.
 */
export function createUsageHours(
  deps: UsageHoursDeps,
  { maxRows = MAX_ROWS }: UsageHoursBounds = {},
): (accountId: string, day: string) => Promise<UsageHours> {
  const kept = new Map<string, Kept>();
  /** Account of each reading that waits or is under way. */
  const begun: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return (accountId, day) => {
    const nowMs = deps.clock.monotonicMs();
    const name = `${accountId} ${day}`;
    for (const [other, one] of kept) if (isOld(one, nowMs)) kept.delete(other);
    const known = kept.get(name);
    if (known !== undefined) return known.reading;
    if (begun.length > MAX_WAITING) throw tooMany(`${MAX_WAITING} readings of usage by hour wait already`);
    if (begun.filter((other) => other === accountId).length >= MAX_OF_ONE)
      throw tooMany(`${MAX_OF_ONE} readings of this account's usage by hour wait already`);
    if (kept.size >= MAX_KEPT) kept.clear();
    begun.push(accountId);
    const reading = last
      .then(() => read(accountId, day, deps, maxRows))
      .finally(() => {
        begun.splice(begun.indexOf(accountId), 1);
        made.isDone = true;
      });
    const made: Kept = { reading, beganMs: nowMs, isDone: false };
    last = reading.catch(() => kept.delete(name));
    kept.set(name, made);
    return reading;
  };
}

const tooMany = (why: string): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: `${why}; try again in ${RETRY_AFTER_S} seconds`,
    retryAfterS: RETRY_AFTER_S,
  });

/** How many answered calls took how long. */
type Times = Map<number, number>;

async function read(
  accountId: string,
  day: string,
  { db }: UsageHoursDeps,
  maxRows: number,
): Promise<UsageHours> {
  const fromMs = Date.parse(day);
  const sums = createSums(maxRows);
  const byEndpoint = new Map<string, Times>();
  const byHour = new Map<number, Times>();
  for (let hour = 0; hour < HOURS; hour++) {
    for (const row of await readHour(db, accountId, fromMs + hour * HOUR_MS)) {
      const one = { hour, endpoint: row.endpoint, keyId: row.key_id, status: row.status };
      const calls = Number(row.calls);
      sums.add({ ...one, calls, items: Number(row.items), credits: Number(row.credits) });
      if (row.status >= LEAST_REFUSED) continue;
      for (const times of [timesOf(byEndpoint, row.endpoint), timesOf(byHour, hour)]) {
        times.set(row.elapsed_ms, (times.get(row.elapsed_ms) ?? 0) + calls);
      }
    }
    await nextTurn();
  }
  for (const row of await readRefused(db, accountId, fromMs)) sums.add(row);
  return {
    rows: sums.rows().toSorted((a, b) => a.hour - b.hour),
    leftOut: sums.leftOut(),
    latency: [...byEndpoint].map(([endpoint, times]) => ({ endpoint, ...latencyOf(times) })),
    latencyByHour: [...byHour].map(([hour, times]) => ({ hour, ...latencyOf(times) })),
  };
}

const readHour = ({ kysely }: Pick<Database, "kysely">, accountId: string, fromMs: number) =>
  kysely
    .selectFrom("calls")
    .select(["endpoint", "key_id", "status", "elapsed_ms"])
    .select([
      sql<number>`count(*)`.as("calls"),
      sql<number>`sum(items)`.as("items"),
      sql<number>`sum(credits)`.as("credits"),
    ])
    .where("account_id", "=", accountId)
    .where("at", ">=", fromMs)
    .where("at", "<", fromMs + HOUR_MS)
    .groupBy(["endpoint", "key_id", "status", "elapsed_ms"])
    .execute();

/** Calls that the limits refused stand apart, by the minute. */
async function readRefused(
  { kysely }: Pick<Database, "kysely">,
  accountId: string,
  fromMs: number,
): Promise<readonly HourRow[]> {
  const rows = await kysely
    .selectFrom("refused_calls")
    .select(["endpoint", "minute", "calls"])
    .where("account_id", "=", accountId)
    .where("minute", ">=", fromMs)
    .where("minute", "<", fromMs + HOURS * HOUR_MS)
    .execute();
  return rows.map(({ endpoint, minute, calls }) => ({
    hour: Math.floor((Number(minute) - fromMs) / HOUR_MS),
    ...{ endpoint, keyId: "", status: REFUSED_STATUS, calls: Number(calls), items: 0, credits: 0 },
  }));
}

/** Adds calls up; what would make more rows than `max` is only counted. */
function createSums(max: number) {
  const sums = new Map<string, HourRow>();
  let leftOut = 0;
  return {
    add: (row: HourRow): void => {
      const name = JSON.stringify([row.hour, row.endpoint, row.keyId, row.status]);
      const known = sums.get(name);
      if (known === undefined && sums.size >= max) {
        leftOut += row.calls;
        return;
      }
      const { calls, items, credits } = known ?? { calls: 0, items: 0, credits: 0 };
      sums.set(name, {
        ...row,
        calls: calls + row.calls,
        items: items + row.items,
        credits: credits + row.credits,
      });
    },
    rows: (): readonly HourRow[] => [...sums.values()],
    leftOut: () => leftOut,
  };
}

function timesOf<K>(all: Map<K, Times>, key: K): Times {
  const times = all.get(key) ?? new Map<number, number>();
  all.set(key, times);
  return times;
}

function latencyOf(times: Times): Latency {
  const sorted = [...times].toSorted(([a], [b]) => a - b);
  const calls = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { calls, p50Ms: percentileOf(sorted, calls * 0.5), p95Ms: percentileOf(sorted, calls * 0.95) };
}

/** The least time within which so many calls were answered (nearest rank). */
function percentileOf(sorted: readonly (readonly [ms: number, count: number])[], rank: number): number {
  let below = 0;
  for (const [ms, count] of sorted) {
    below += count;
    if (below >= rank) return ms;
  }
  return 0;
}
