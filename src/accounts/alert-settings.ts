import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";

/** What an account is mailed about. */
export type AlertSettings = {
  /** A mail when fewer credits than this percentage of the cycle's are left; 0: none. */
  readonly creditsPercent: number;
  readonly signIn: boolean;
  /** Owners alone. */
  readonly sources: boolean;
};

/** What holds for an account that changed nothing. */
export const DEFAULT_ALERTS: AlertSettings = { creditsPercent: 20, signIn: true, sources: true };

export async function readAlertSettings(db: Kysely<Schema>, accountId: string): Promise<AlertSettings> {
  const row = await db
    .selectFrom("alert_settings")
    .selectAll()
    .where("account_id", "=", accountId)
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
  accountId: string,
  { creditsPercent, signIn, sources }: AlertSettings,
): Promise<void> {
  const columns = {
    credits_percent: creditsPercent,
    sign_in: signIn ? 1 : 0,
    sources: sources ? 1 : 0,
  };
  await db
    .insertInto("alert_settings")
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(columns))
    .execute();
}
