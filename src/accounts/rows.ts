import type { Selectable } from "kysely";
import type { Schema } from "../db/schema.ts";
import type { Account, ApiKey, Caller } from "./accounts.ts";
import { parsePlan } from "./plans.ts";
import { refill } from "./refill.ts";

export type AccountRow = Selectable<Schema["accounts"]>;
export type ApiKeyRow = Selectable<Schema["api_keys"]>;

/** An account as it stands at `now`: the balance is that after a due refill. */
export function accountFromRow(row: AccountRow, now: Date): Account {
  const plan = parsePlan(row.plan).name;
  const balance = refill(
    { credits: row.credits, creditsResetAtMs: row.credits_reset_at },
    plan,
    now.getTime(),
  );
  return {
    id: row.id,
    email: row.email,
    plan,
    credits: balance.credits,
    creditsResetAt: new Date(balance.creditsResetAtMs),
    disabledAt: dateFrom(row.disabled_at),
    isOwner: row.is_owner === 1,
    isSignedUp: row.is_signed_up === 1,
    createdAt: new Date(row.created_at),
    billingStatus: row.billing_status,
    currentPeriodEnd: dateFrom(row.current_period_end),
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
  };
}

/** A key without its hash. */
export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    createdAt: new Date(row.created_at),
    lastUsedAt: dateFrom(row.last_used_at),
    revokedAt: dateFrom(row.revoked_at),
  };
}

/** The caller of a row that joins key and account, with the balance after a due refill. */
export function callerFrom(row: Readonly<Record<string, unknown>>, nowMs: number): Caller {
  const plan = parsePlan(textOf(row, "plan")).name;
  const stored = { credits: integerOf(row, "credits"), creditsResetAtMs: integerOf(row, "credits_reset_at") };
  const { credits, creditsResetAtMs } = refill(stored, plan, nowMs);
  return {
    accountId: textOf(row, "account_id"),
    keyId: textOf(row, "key_id"),
    keyPrefix: textOf(row, "prefix"),
    plan,
    credits,
    creditsResetAt: new Date(creditsResetAtMs),
  };
}

const dateFrom = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** A column of a row that did not come through Kysely, as text. Throws when the column is of another type. */
export function textOf(row: Readonly<Record<string, unknown>>, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`Expected text in column "${column}", got ${typeof value}`);
}

/** The same for an integer. */
export function integerOf(row: Readonly<Record<string, unknown>>, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`Expected an integer in column "${column}", got ${typeof value}`);
}
