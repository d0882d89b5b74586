import type { Kysely } from "kysely";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { PauseReason, Run, RunState } from "./run.ts";
import { runFrom } from "./run-rows.ts";

/** How long a process that died keeps a run. */
export const LEASE_MS = 15_000;

/**
 * Who works on which run. A lease ends by itself after its process. Clocks of machines may differ: a process that takes a run over too
 * early is harmless, because a line is settled only by the process that has the lease at that moment.
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

/** Leases of one process; `self` is a text that no other process has. */
export function createLeases(
  self: string,
  { db: { kysely }, clock }: { db: Database; clock: Clock },
): Leases {
  const own = (id: string) =>
    kysely.updateTable("bulk_runs").where("id", "=", id).where("lease_owner", "=", self);
  const nowMs = (): number => clock.now().getTime();
  return {
    self,
    take: async () => {
      const id = await freeRun(kysely, nowMs());
      if (id === null) return null;
      const row = await kysely
        .updateTable("bulk_runs")
        .set({ lease_owner: self, lease_until: nowMs() + LEASE_MS })
        .where("id", "=", id)
        .where("state", "=", "running")
        .where("lease_until", "<", nowMs())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : runFrom(row);
    },
    renew: async (id) => {
      const row = await own(id)
        .set({ lease_until: nowMs() + LEASE_MS })
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

// Read before it is taken: every process looks every few seconds, and most looks find nothing to write.
async function freeRun(kysely: Kysely<Schema>, nowMs: number): Promise<string | null> {
  const row = await kysely
    .selectFrom("bulk_runs")
    .select("id")
    .where("state", "=", "running")
    .where("lease_until", "<", nowMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bulk_runs as other")
            .select("other.id")
            .whereRef("other.account_id", "=", "bulk_runs.account_id")
            .where("other.state", "=", "running")
            .where("other.lease_until", ">=", nowMs),
        ),
      ),
    )
    .orderBy("changed_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
