import type { Selectable } from "kysely";
import { dateOrNull } from "../base/clock.ts";
import type { Schema } from "../db/schema.ts";
import type { Account, ApiKey, Caller } from "./accounts.ts";
import { optionsFrom, restrictionFrom } from "./key-options.ts";
import { parsePlan } from "./plans.ts";
import { type Balance, grantPerCycle, nextRefillAt, type RefillTerms, refill } from "./refill.ts";

export type AccountRow = Selectable<Schema["accounts"]>;
export type ApiKeyRow = Selectable<Schema["api_keys"]>;

/** An account as it stands at `now`: the balance is that after a due refill. */
export function accountFromRow(row: AccountRow, now: Date): Account {
  const onPaper = refillTermsFrom(row);
  // Nothing is granted before the address is proved.
  const terms = { ...onPaper, isOnHold: onPaper.isOnHold || row.email_proved_at === null };
  const stored = { credits: row.credits, creditsResetAtMs: row.credits_reset_at };
  const balance = refill(stored, terms, now.getTime());
  return {
    id: row.id,
    email: row.email,
    plan: terms.plan,
    credits: balance.credits,
    creditsGranted: balance === stored ? row.credits_granted : grantPerCycle(terms),
    cycleEndsAt: new Date(balance.creditsResetAtMs),
    creditsResetAt: nextRefillAt(balance, now.getTime()),
    trialGrant: terms.trialGrant,
    graceEndsAt: dateOrNull(row.grace_ends_at),
    disabledAt: dateOrNull(row.disabled_at),
    isOwner: row.is_owner === 1,
    isSignedUp: row.is_signed_up === 1,
    emailProvedAt: dateOrNull(row.email_proved_at),
    createdAt: new Date(row.created_at),
    billingStatus: row.billing_status,
    currentPeriodEnd: dateOrNull(row.current_period_end),
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
  };
}

/** A key without its hash, as it stands at `now`. */
export function apiKeyFromRow(row: ApiKeyRow, now: Date): ApiKey {
  const state = keyState(row, now.getTime());
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    createdAt: new Date(row.created_at),
    lastUsedAt: dateOrNull(row.last_used_at),
    revokedAt: state === "revoked" ? dateOrNull(row.revoked_at) : null,
    sessionId: row.session_id,
    options: optionsFrom(row),
    replacedBy: row.replaced_by,
    personId: row.person_id,
    state,
  };
}

/** Whether a key works at an instant; the end of one that expired is written into `revoked_at` by the upkeep. */
export function keyState(
  { revoked_at: revokedAt, expires_at: expiresAt }: Pick<ApiKeyRow, "revoked_at" | "expires_at">,
  nowMs: number,
): ApiKey["state"] {
  const endedAt = revokedAt ?? nowMs;
  if (expiresAt !== null && endedAt >= expiresAt) return "expired";
  return revokedAt === null ? "active" : "revoked";
}

/** The caller of a row that joins key and account, with the balance after a due refill. */
export function callerFrom(row: Row, nowMs: number): Caller {
  const terms = refillTermsFrom(row);
  const balance = refill(balanceFrom(row), terms, nowMs);
  return {
    accountId: textOf(row, "account_id"),
    keyId: textOf(row, "key_id"),
    keyPrefix: textOf(row, "prefix"),
    plan: terms.plan,
    credits: balance.credits,
    creditsResetAt: nextRefillAt(balance, nowMs),
    restriction: restrictionFrom(textOrNullOf(row, "networks"), textOrNullOf(row, "products")),
  };
}

/** The stored balance of a row of `accounts`, before a due refill. */
export const balanceFrom = (row: Row): Balance => ({
  credits: integerOf(row, "credits"),
  creditsResetAtMs: integerOf(row, "credits_reset_at"),
});

/** What a row of `accounts` says about its refill. */
export const refillTermsFrom = (row: Row): RefillTerms => ({
  plan: parsePlan(textOf(row, "plan")).name,
  trialGrant: row["trial_grant"] === null ? null : integerOf(row, "trial_grant"),
  isOnHold: row["grace_ends_at"] !== null,
});

/** Orders keys and tokens, oldest first. */
export const byCreation = (
  a: Pick<ApiKeyRow, "created_at" | "id">,
  b: Pick<ApiKeyRow, "created_at" | "id">,
): number => Number(a.created_at) - Number(b.created_at) || (a.id < b.id ? -1 : 1);

type Row = Readonly<Record<string, unknown>>;

/** A column of a row that did not come through Kysely, as text. Throws when the column is of another type. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`Expected text in column "${column}", got ${typeof value}`);
}

/** The same for text that may be null. */
export const textOrNullOf = (row: Row, column: string): string | null =>
  row[column] === null ? null : textOf(row, column);

/** The same as `integerOf` for a column that may be null. */
export const integerOrNullOf = (row: Row, column: string): number | null =>
  row[column] === null ? null : integerOf(row, column);

/** The same for an integer. */
export function integerOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`Expected an integer in column "${column}", got ${typeof value}`);
}
