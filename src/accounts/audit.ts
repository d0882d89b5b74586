import type { Kysely, Selectable } from "kysely";
import type { Clock, Random } from "../clock.ts";
import type { Schema } from "../db/schema.ts";

export type AuditEntry = {
  readonly actor: string;
  /** `account.create`, `key.revoke`, …: the thing, a dot, the verb. */
  readonly action: string;
  readonly accountId: string | null;
  /** Never a key or a password. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
};

export type AuditRow = AuditEntry & { readonly id: string; readonly at: Date };

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
    })
    .execute();
}

/** The newest rows of the audit log, newest first. */
export async function readAudit(
  db: Kysely<Schema>,
  { limit }: { limit: number },
): Promise<readonly AuditRow[]> {
  const rows = await db.selectFrom("audit").selectAll().orderBy("at", "desc").limit(limit).execute();
  return rows.map(auditFromRow);
}

/** An audit row as it was written. */
export const auditFromRow = (row: Selectable<Schema["audit"]>): AuditRow => ({
  id: row.id,
  at: new Date(row.at),
  actor: row.actor,
  action: row.action,
  accountId: row.account_id,
  detail: JSON.parse(row.detail),
});
