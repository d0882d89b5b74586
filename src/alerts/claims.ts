import type { AlertsTable } from "../db/alert-tables.ts";
import type { Database } from "../db/database.ts";

/** A mail that is to be sent once, whatever process sees its cause. */
export type AlertRef = Pick<AlertsTable, "person_id" | "kind" | "subject">;

/** After that a mail whose process was killed while it was sent is sent by another one. */
const CLAIM_MS = 15 * 60_000;

/** Whether this process is the one to send it. */
export async function claimAlert({ kysely }: Database, ref: AlertRef, nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await kysely
    .insertInto("alerts")
    .values({ ...ref, at: nowMs, is_sent: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["person_id", "kind", "subject"])
        .doUpdateSet({ at: nowMs })
        .where("alerts.is_sent", "=", 0)
        .where("alerts.at", "<=", nowMs - CLAIM_MS),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function markSent({ kysely }: Database, ref: AlertRef): Promise<void> {
  await kysely
    .updateTable("alerts")
    .set({ is_sent: 1 })
    .where("person_id", "=", ref.person_id)
    .where("kind", "=", ref.kind)
    .where("subject", "=", ref.subject)
    .execute();
}

/** Notes that a source that was told of still fails. A mail that is being sent keeps its claim's time. */
export async function noteSource({ kysely }: Database, source: string, nowMs: number): Promise<void> {
  await kysely
    .updateTable("alerts")
    .set({ at: nowMs })
    .where("kind", "=", "source")
    .where("subject", "=", source)
    .where("is_sent", "=", 1)
    .execute();
}

/** Forgets that a source was told of, unless it was noted after `sinceMs`. */
export async function forgetSource({ kysely }: Database, source: string, sinceMs: number): Promise<void> {
  await kysely
    .deleteFrom("alerts")
    .where("kind", "=", "source")
    .where("subject", "=", source)
    .where("at", "<=", sinceMs)
    .execute();
}
