import { type Clock, isoDay } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import type { Log } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";

/** How a source is right now: the status of its row. */
export type SourceNow = { readonly key: string; readonly status: string };

/** How a source fared on one day, UTC. */
type SourceDay = {
  /** `2026-11-21`. */
  readonly day: string;
  /** How often it was looked at. */
  readonly checks: number;
  /** How often it answered with data of its age. */
  readonly healthy: number;
  /** Its last status that was not `ok`; null: there was none. */
  readonly trouble: string | null;
};

/** By the source's key, oldest day first. */
export type SourceHistory = ReadonlyMap<string, readonly SourceDay[]>;

/** How many days are kept, today included. */
export const KEPT_DAYS = 90;
/** Sources are looked at once in each of these. */
const SLOT_MS = 900_000;
/** What pages show may be this old. */
const READ_EVERY_MS = 60_000;

type Parts = { readonly db: Database; readonly clock: Clock; readonly log: Log };

/** The days of all sources in the database. */
export type SourceDays = {
  /**
   * Counts one look at each source. Of several processes the first one in a quarter of an hour counts, the others
   * change nothing.
   */
  readonly record: (sources: readonly SourceNow[]) => Promise<void>;
  readonly prune: () => Promise<void>;
  /** As it was read within the last minute. */
  readonly history: () => Promise<SourceHistory>;
};

/** Opens the history of sources; nothing is written before `record`. */
export function createSourceDays({ db: { kysely }, clock }: Omit<Parts, "log">): SourceDays {
  let read: { readonly atMs: number; readonly history: Promise<SourceHistory> } | null = null;
  return {
    record: async (sources) => {
      if (sources.length === 0) return;
      const now = clock.now();
      const slot = Math.floor(now.getTime() / SLOT_MS);
      await kysely
        .insertInto("source_days")
        .values(
          sources.map(({ key, status }) => ({ source: key, day: isoDay(now), ...countOf(status), slot })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(["source", "day"])
            .doUpdateSet((eb) => ({
              checks: eb("source_days.checks", "+", 1),
              healthy: eb("source_days.healthy", "+", eb.ref("excluded.healthy")),
              trouble: eb.fn.coalesce("excluded.trouble", "source_days.trouble"),
              slot: eb.ref("excluded.slot"),
            }))
            .whereRef("source_days.slot", "<", "excluded.slot"),
        )
        .execute();
    },
    prune: async () => {
      const oldest = isoDay(new Date(clock.now().getTime() - (KEPT_DAYS - 1) * DAY_MS));
      await kysely.deleteFrom("source_days").where("day", "<", oldest).execute();
    },
    history: () => {
      const atMs = clock.monotonicMs();
      if (read === null || atMs - read.atMs > READ_EVERY_MS) {
        const history = readHistory(kysely);
        read = { atMs, history };
        history.catch(() => {
          read = null;
        });
      }
      return read.history;
    },
  };
}

const countOf = (status: string) => ({
  checks: 1,
  healthy: status === "ok" ? 1 : 0,
  trouble: status === "ok" ? null : status,
});

async function readHistory(kysely: Database["kysely"]): Promise<SourceHistory> {
  const rows = await kysely
    .selectFrom("source_days")
    .select(["source", "day", "checks", "healthy", "trouble"])
    .orderBy("day")
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ source }) => source)].map(([source, days]) => [
      source,
      days.map(({ day, checks, healthy, trouble }) => ({ day, checks, healthy, trouble })),
    ]),
  );
}

type Watched = {
  readonly days: SourceDays;
  /** Empty while the data is being prepared: no status says anything then. */
  readonly sources: () => readonly SourceNow[];
} & Omit<Parts, "db">;

/** Looks at all sources every quarter of an hour until the signal; what cannot be written is missing. */
export async function watchSources(
  { days, sources, clock, log }: Watched,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await days.record(sources());
      await days.prune();
    } catch (error) {
      log.warn({ err: error }, "Cannot write how the sources fare; trying again later");
    }
    await clock.sleep(sources().length === 0 ? SOON_MS : SLOT_MS, signal).catch(() => undefined);
  }
}

/** While the data is being prepared. */
const SOON_MS = 10_000;
