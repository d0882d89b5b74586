import type { Kysely } from "kysely";
import { z } from "zod";
import type { Wire } from "../base/wire.ts";
import type { Schema } from "../db/schema.ts";

/** What a person is mailed about; the columns of `alert_settings` have the same names. */
export const AlertSettings = z.object({
  credits_percent: z
    .int()
    .describe("A mail when fewer credits than this percentage of the cycle's are left; 0: none"),
  sign_in: z.boolean().describe("A mail about a sign-in from a new network"),
  sources: z.boolean().describe("For owners: a mail about a source that was not well for a day"),
});
export type AlertSettings = Wire<typeof AlertSettings>;

/** What holds for a person who changed nothing. */
export const DEFAULT_ALERTS: AlertSettings = { credits_percent: 20, sign_in: true, sources: true };

export async function readAlertSettings(db: Kysely<Schema>, personId: string): Promise<AlertSettings> {
  const row = await db
    .selectFrom("alert_settings")
    .select(["credits_percent", "sign_in", "sources"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row === undefined
    ? DEFAULT_ALERTS
    : { ...row, sign_in: row.sign_in === 1, sources: row.sources === 1 };
}

export async function writeAlertSettings(
  db: Kysely<Schema>,
  personId: string,
  settings: AlertSettings,
): Promise<void> {
  const columns = { ...settings, sign_in: settings.sign_in ? 1 : 0, sources: settings.sources ? 1 : 0 };
  await db
    .insertInto("alert_settings")
    .values({ person_id: personId, ...columns })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet(columns))
    .execute();
}
