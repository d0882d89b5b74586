import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";

const LOOK_EVERY_MS = 60_000;
/** An age shows no less. */
const TOLERATED_MS = 10_000;

/** How far this machine's clock is from that of the database, as a person reads it; null: they agree. */
export function clocksApart({ own, database }: Clocks): string | null {
  const aheadMs = own.now().getTime() - database.now().getTime();
  if (Math.abs(aheadMs) < TOLERATED_MS) return null;
  return `the clock of this machine is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} PostgreSQL's`;
}

/** What goes by which of them. */
export const BY_WHICH_CLOCK =
  "ages of lists and of answers go by the machine's, and keys, sessions and credits by PostgreSQL's";

export type Clocks = { readonly own: Pick<Clock, "now">; readonly database: Clock };

/** Tells the log, once, that both clocks differ, and when they agree again. Until `signal`. */
export async function watchClock(
  { log, ...clocks }: Clocks & { readonly log: Pick<Log, "info" | "warn"> },
  signal: AbortSignal,
): Promise<void> {
  let isTold = false;
  while (!signal.aborted) {
    const apart = clocksApart(clocks);
    if (apart !== null && !isTold) log.warn(`Set the clocks, by NTP: ${apart}; ${BY_WHICH_CLOCK}`);
    if (apart === null && isTold) log.info("The clock of this machine agrees with PostgreSQL's again");
    isTold = apart !== null;
    await clocks.database.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}
