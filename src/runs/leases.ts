import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { SERVER_NOW_MS } from "../db/server-clock.ts";
import type { PauseReason, Run, RunState } from "./run.ts";
import { runFrom } from "./run-rows.ts";

/** How long a process that died keeps a run. */
export const LEASE_MS = 15_000;

/**
 * Who works on which run. A lease ends by itself after its process, by the clock of PostgreSQL: those of the processes' machines may
 * differ. One that ends later than any could was noted before that clock was set back, and counts no more. A process that takes a run
 * over too early is harmless, because a line is settled only by the process that has the lease at that moment.
 */
export type Leases = {
  /** Names this process in the database. */
  readonly self: string;
  /** A run that waits for a process, the longest first; null: none does. Of an account one at a time is worked on. */
  readonly take: () => Promise<Run | null>;
  /** The run with a longer lease; null: it is another's, or does not run any more. */
  readonly renew: (id: string) => Promise<Run | null>;
  /** Ends the work on a run. */
  readonly end: (id: string, state: RunState, reason?: PauseReason) => Promise<void>;
  /** Lets another process, or the next start, go on at once; runs that wait for longer come first. */
  readonly giveBack: (id: string) => Promise<void>;
};

/** Leases of one process; `self` is a text that no other process has. A test puts its own `time`. */
export function createLeases(self: string, { db, clock, time }: LeaseParts): Leases {
  const { kysely } = db;
  const nowSql = time ?? (() => (db.dialect === "postgres" ? SERVER_NOW_MS : timeOf(clock)));
  const end = () => sql<number>`${nowSql()} + ${LEASE_MS}`;
  const own = (id: string) =>
    kysely.updateTable("bulk_runs").where("id", "=", id).where("lease_owner", "=", self);
  const nowMs = (): number => clock.now().getTime();
  return {
    self,
    take: async () => {
      const id = await freeRun(kysely, nowSql());
      if (id === null) return null;
      const row = await kysely
        .updateTable("bulk_runs")
        .set({ lease_owner: self, lease_until: end() })
        .where("id", "=", id)
        .where("state", "=", "running")
        .where(sql<boolean>`not ${isHeld("lease_until", nowSql())}`)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : runFrom(row);
    },
    renew: async (id) => {
      const row = await own(id)
        .set({ lease_until: end() })
        .where("state", "=", "running")
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : runFrom(row);
    },
    end: async (id, state, reason) => {
      await own(id)
        .set({ state, reason: reason ?? null, changed_at: nowMs(), lease_owner: null, lease_until: 0 })
        .where("state", "=", "running")
        .execute();
    },
    giveBack: async (id) => {
      await own(id).set({ lease_owner: null, lease_until: 0, changed_at: nowMs() }).execute();
    },
  };
}

type LeaseParts = {
  readonly db: Database;
  readonly clock: Pick<Clock, "now">;
  readonly time?: () => RawBuilder<number>;
};

/** A clock's time as SQL. */
export const timeOf = (clock: Pick<Clock, "now">): RawBuilder<number> =>
  sql<number>`cast(${clock.now().getTime()} as bigint)`;

const isHeld = (column: string, now: RawBuilder<number>): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} between ${now} and ${now} + ${2 * LEASE_MS})`;

// Read before it is taken: every process looks every few seconds, and most looks find nothing to write.
async function freeRun(kysely: Kysely<Schema>, now: RawBuilder<number>): Promise<string | null> {
  const row = await kysely
    .selectFrom("bulk_runs")
    .select("id")
    .where("state", "=", "running")
    .where(sql<boolean>`not ${isHeld("bulk_runs.lease_until", now)}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bulk_runs as other")
            .select("other.id")
            .whereRef("other.account_id", "=", "bulk_runs.account_id")
            .where("other.state", "=", "running")
            .where(isHeld("other.lease_until", now)),
        ),
      ),
    )
    .orderBy("changed_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
