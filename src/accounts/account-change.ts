import type { Transaction, Updateable } from "kysely";
import type { Schema } from "../db/schema.ts";
import { type AccountRef, lockAccountRow, refuseEndedSession, type StoreDeps } from "./account-rows.ts";
import type { Account } from "./accounts.ts";
import { type AuditEntry, writeAudit } from "./audit.ts";
import { type Plan, planOf } from "./plans.ts";
import { CYCLE_MS } from "./refill.ts";
import { accountFromRow } from "./rows.ts";

/** Columns to be set. */
export type AccountUpdate = Updateable<Schema["accounts"]>;

/** What a change of plan does to plan and balance; null when it is no change. Source: design 13.2. */
export function planChange(
  old: Account,
  wanted: Plan,
  { clock }: Pick<StoreDeps, "clock">,
): AccountUpdate | null {
  if (old.plan === wanted.name) return null;
  if (wanted.creditsPerMonth > planOf(old.plan).creditsPerMonth) {
    return {
      plan: wanted.name,
      credits: wanted.creditsPerMonth,
      credits_reset_at: clock.now().getTime() + CYCLE_MS,
    };
  }
  return {
    plan: wanted.name,
    credits: Math.min(old.credits, wanted.creditsPerMonth),
    credits_reset_at: old.creditsResetAt.getTime(),
  };
}

/** Who changes an account, and why. */
export type ChangeBy = {
  readonly actor: string | undefined;
  readonly reason: string | undefined;
  /** The session that asks: the change is refused when it has ended. */
  readonly sessionId?: string | undefined;
  readonly action: string;
};

export type AccountChange = {
  readonly by: ChangeBy;
  readonly decide: (
    old: Account,
    trx: Transaction<Schema>,
  ) => AccountUpdate | null | Promise<AccountUpdate | null>;
};

/**
 * One change of an account in a transaction. `decide` sees it after a due refill, its row locked; null changes nothing
 * and leaves no audit row. Throws NOT_FOUND.
 */
export async function changeAccount(
  trx: Transaction<Schema>,
  { by, decide, ...ref }: AccountRef & AccountChange,
  deps: StoreDeps,
): Promise<Account> {
  const old = accountFromRow(await lockAccountRow(trx, ref, deps), deps.clock.now());
  await refuseEndedSession(trx, by.sessionId ?? null, deps);
  const update = await decide(old, trx);
  if (update === null) return old;
  const row = await trx
    .updateTable("accounts")
    .set(update)
    .where("id", "=", old.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const changed = accountFromRow(row, deps.clock.now());
  await writeAudit(trx, auditOf(old, changed, by), deps);
  return changed;
}

function auditOf(old: Account, changed: Account, { actor = "cli", reason, action }: ChangeBy): AuditEntry {
  const detail = {
    email: changed.email,
    plan_before: old.plan,
    plan: changed.plan,
    credits_before: old.credits,
    credits: changed.credits,
    is_owner: changed.isOwner,
    is_disabled: changed.disabledAt !== null,
    billing_status: changed.billingStatus,
    ...(reason === undefined ? {} : { reason }),
  };
  return { actor, action, accountId: changed.id, detail };
}
