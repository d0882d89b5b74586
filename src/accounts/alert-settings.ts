import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";

/** What a person is mailed about. */
export type AlertSettings = {
  /** A mail when fewer credits than this percentage of the cycle's are left; 0: none. */
  readonly creditsPercent: number;
  readonly signIn: boolean;
  /** Owners of the installation alone. */
  readonly sources: boolean;
};

/** What holds for a person who changed nothing. */
export const DEFAULT_ALERTS: AlertSettings = { creditsPercent: 20, signIn: true, sources: true };

export async function readAlertSettings(db: Kysely<Schema>, personId: string): Promise<AlertSettings> {
  const row = await db
    .selectFrom("alert_settings")
    .selectAll()
    .where("person_id", "=", personId)
    .executeTakeFirst();
  if (row === undefined) return DEFAULT_ALERTS;
  return {
    creditsPercent: row.credits_percent,
    signIn: row.sign_in === 1,
    sources: row.sources === 1,
  };
}

export async function writeAlertSettings(
  db: Kysely<Schema>,
  personId: string,
  { creditsPercent, signIn, sources }: AlertSettings,
): Promise<void> {
  const columns = {
    credits_percent: creditsPercent,
    sign_in: signIn ? 1 : 0,
    sources: sources ? 1 : 0,
  };
  await db
    .insertInto("alert_settings")
    .values({ person_id: personId, ...columns })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet(columns))
    .execute();
}
