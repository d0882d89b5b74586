import { type RawBuilder, sql } from "kysely";
import type { Clock } from "../base/clock.ts";
import type { NamedStatement, Postgres } from "./postgres.ts";

const NOW_MS = "extract(epoch from clock_timestamp()) * 1000";

/** PostgreSQL's clock in milliseconds: what machines claim of one another goes by it, as their own clocks differ. */
export const SERVER_NOW_MS: RawBuilder<number> = sql<number>`(${sql.raw(NOW_MS)})::bigint`;

const READ: NamedStatement = { name: "server_clock", text: `select (${NOW_MS})::float8 as now_ms` };

/** A clock that is set, and one that drifts, is followed within so long. */
const LOOK_EVERY_MS = 5000;

/**
 * PostgreSQL's clock in this process: one time for all that use the database, whatever the clocks of their machines say. Read
 * every few seconds; in between, and while the server is away, it goes on as the machine's clock that is never set.
 */
export type ServerClock = { readonly clock: Clock; readonly close: () => void };

/** Rejects when the server cannot be asked now. */
export async function openServerClock(
  postgres: Pick<Postgres, "read">,
  own: Clock,
  everyMs: number = LOOK_EVERY_MS,
): Promise<ServerClock> {
  const look = async (): Promise<Bounds> => {
    const startMs = own.monotonicMs();
    const [row] = await postgres.read(READ, []);
    return boundsOf(row?.["now_ms"], startMs, own.monotonicMs());
  };
  // The first look waits for a connection too; the second one is narrow.
  let offsetMs = (await look()).leastMs;
  const follow = ({ leastMs, mostMs }: Bounds): void => {
    offsetMs = Math.min(Math.max(offsetMs, leastMs), mostMs);
  };
  follow(await look());
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look().then(follow, () => undefined);
    isLooking = false;
  }, everyMs).unref();
  return {
    clock: { ...own, now: () => new Date(Math.floor(own.monotonicMs() + offsetMs)) },
    close: () => clearInterval(timer),
  };
}

/** Between which the server's time lies, less this process's clock that is never set. */
type Bounds = { readonly leastMs: number; readonly mostMs: number };

/** The server read its clock after it was asked and before it answered. */
function boundsOf(nowMs: unknown, askedMs: number, answeredMs: number): Bounds {
  if (typeof nowMs !== "number") throw new TypeError(`Expected PostgreSQL's time, got ${typeof nowMs}`);
  return { leastMs: nowMs - answeredMs, mostMs: nowMs - askedMs };
}
