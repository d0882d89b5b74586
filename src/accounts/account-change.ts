import type { Transaction, Updateable } from "kysely";
import type { Schema } from "../db/schema.ts";
import { type AccountRef, lockAccountRow, refuseEndedSession, type StoreDeps } from "./account-rows.ts";
import type { Account } from "./accounts.ts";
import { type AuditEntry, writeAudit } from "./audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import { type PlanName, planOf } from "./plans.ts";
import { CYCLE_MS, grantPerCycle } from "./refill.ts";
import { accountFromRow } from "./rows.ts";

/** Columns to be set. */
export type AccountUpdate = Updateable<Schema["accounts"]>;

/** A plan, and on what terms an account holds it. */
export type PlanTerms = {
  readonly plan: PlanName;
  /** Credits of a cycle during a trial; null: the plan's. */
  readonly trialGrant: number | null;
  /** When the plan ends unless a late payment is made; null: no payment is late. */
  readonly graceEndsAt: Date | null;
};

/**
 * What a change of plan or of its terms does, within the running cycle: a lower plan leaves at most its grant, and a grant
 * adds what it is above everything that this cycle has granted already. So no order of changes gives more in one cycle
 * than the highest of the grants. Null when nothing changes. Source: design 13.2.
 */
export function planChange(old: Account, wanted: PlanTerms): AccountUpdate | null {
  if (hasTerms(old, wanted)) return null;
  const grant = grantPerCycle(wanted);
  const isLower = planOf(wanted.plan).creditsPerMonth < planOf(old.plan).creditsPerMonth;
  const kept = isLower ? Math.min(old.credits, grant) : old.credits;
  return {
    ...termColumns(wanted),
    ...refilledColumns(old),
    credits: kept + Math.max(0, grant - old.creditsGranted),
    credits_granted: Math.max(old.creditsGranted, grant),
  };
}

/** A cycle that begins now, with its whole grant. Source: design 13.2, a newly paid period of a higher plan. */
export function newCycle(wanted: PlanTerms, now: Date): AccountUpdate {
  const grant = grantPerCycle(wanted);
  return {
    ...termColumns(wanted),
    credits: grant,
    credits_granted: grant,
    credits_reset_at: now.getTime() + CYCLE_MS,
  };
}

/** Writes a refill that was due: each change of a balance or of the next refill's terms sets these too. */
export const refilledColumns = ({ credits, creditsGranted, cycleEndsAt }: Account): AccountUpdate => ({
  credits,
  credits_granted: creditsGranted,
  credits_reset_at: cycleEndsAt.getTime(),
});

const hasTerms = (old: PlanTerms, { plan, trialGrant, graceEndsAt }: PlanTerms): boolean =>
  old.plan === plan && old.trialGrant === trialGrant && old.graceEndsAt?.getTime() === graceEndsAt?.getTime();

const termColumns = ({ plan, trialGrant, graceEndsAt }: PlanTerms): AccountUpdate => ({
  plan,
  trial_grant: trialGrant,
  grace_ends_at: graceEndsAt?.getTime() ?? null,
});

/** Who changes an account, and why. */
export type ChangeBy = {
  readonly actor: string | undefined;
  readonly reason: string | undefined;
  /** The session that asks: the change is refused when it has ended. */
  readonly sessionId?: string | undefined;
  readonly action: AuditAction;
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
    credits_granted: changed.creditsGranted,
    is_owner: changed.isOwner,
    is_disabled: changed.disabledAt !== null,
    billing_status: changed.billingStatus,
    ...(reason === undefined ? {} : { reason }),
  };
  return { actor, action, accountId: changed.id, detail };
}
