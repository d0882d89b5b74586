import { hash } from "node:crypto";
import type { ExpressionBuilder, ExpressionWrapper, Kysely, Selectable, SqlBool } from "kysely";
import type { Clock, Random } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Schema } from "../db/schema.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { Person } from "./people.ts";

export type AuditEntry = {
  readonly actor: string;
  readonly action: AuditAction;
  readonly accountId: string | null;
  /** The API key that opened the session which did it; null or left out: none did. */
  readonly keyId?: string | null;
  /** Never a key or a password. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
};

/** A row that another version wrote may tell of another action. */
export type AuditRow = Omit<AuditEntry, "action"> & {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
};

/** Writes who did what; in the transaction of the change it tells of. */
export async function writeAudit(
  trx: Kysely<Schema>,
  entry: AuditEntry,
  { clock, random }: { clock: Clock; random: Random },
): Promise<void> {
  await trx
    .insertInto("audit")
    .values({
      id: random.uuid(),
      at: clock.now().getTime(),
      actor: entry.actor,
      action: entry.action,
      account_id: entry.accountId,
      detail: JSON.stringify(entry.detail),
      key_id: entry.keyId ?? null,
    })
    .execute();
}

/**
 * The same for what may happen any number of times: one row for each hour, account, action and `same`, with the number in
 * `detail.times` and the newest of the rest. The account's row is locked.
 */
export async function countAudit(
  trx: Kysely<Schema>,
  { same, times = 1, ...entry }: AuditEntry & { readonly same: string; readonly times?: number },
  { clock }: { clock: Clock },
): Promise<void> {
  const at = clock.now().getTime();
  const about = JSON.stringify([entry.action, entry.accountId, same, Math.floor(at / HOUR_MS)]);
  const id = hash("sha256", about, "hex").slice(0, 32);
  const known = await trx.selectFrom("audit").selectAll().where("id", "=", id).executeTakeFirst();
  const before = known === undefined ? 0 : Number(auditFromRow(known).detail["times"]);
  const columns = {
    at,
    actor: entry.actor,
    detail: JSON.stringify({ ...entry.detail, times: before + times }),
    key_id: entry.keyId ?? null,
  };
  await trx
    .insertInto("audit")
    .values({ id, action: entry.action, account_id: entry.accountId, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

/**
 * The rows that say what a person did since they belong to their account: an e-mail address may have been a person's of
 * another account before, whose log that is.
 */
export const doneBy =
  ({ email, createdAt }: Pick<Person, "email" | "createdAt">) =>
  (eb: ExpressionBuilder<Schema, "audit">): ExpressionWrapper<Schema, "audit", SqlBool> =>
    eb.and([eb("actor", "=", email), eb("at", ">=", createdAt.getTime())]);

/** The newest rows of the audit log, newest first. */
export async function readAudit(
  db: Kysely<Schema>,
  { limit }: { limit: number },
): Promise<readonly AuditRow[]> {
  const rows = await db.selectFrom("audit").selectAll().orderBy("at", "desc").limit(limit).execute();
  return rows.map(auditFromRow);
}

/** What the sessions did that an API key of an account opened, newest first. */
export async function readAuditOfKey(
  db: Kysely<Schema>,
  { accountId, keyId, limit }: { accountId: string; keyId: string; limit: number },
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom("audit")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("key_id", "=", keyId)
    .orderBy("at", "desc")
    .limit(limit)
    .execute();
  return rows.map(auditFromRow);
}

/** An audit row as it was written. */
export const auditFromRow = (row: Selectable<Schema["audit"]>): AuditRow => ({
  id: row.id,
  at: new Date(row.at),
  actor: row.actor,
  action: row.action,
  accountId: row.account_id,
  keyId: row.key_id,
  detail: JSON.parse(row.detail),
});
