import type { Settlement } from "../accounts.ts";
import { type Balance, nextRefillAt, type RefillTerms, refill } from "../refill.ts";
import type { CallRow } from "./call-rows.ts";

/** An account as the database has it, its row locked. */
export type LockedAccount = Balance & RefillTerms & { readonly isDisabled: boolean };
export type LockedKey = {
  readonly accountId: string;
  /** Revoked, or past its expiry. */
  readonly isDead: boolean;
};

export type ChargeOutcomes = {
  /** One for each charge, in their order. */
  readonly outcomes: readonly Settlement[];
  /** Credits to take from each account that pays. */
  readonly totals: ReadonlyMap<string, number>;
};

/**
 * Judges charges one after the other, each against what those before it left: revoked unless key and account are
 * alive, insufficient unless the balance after a due refill has the cost. One that does not fit stops none after it.
 */
export function judgeCharges(
  charges: readonly CallRow[],
  accounts: ReadonlyMap<string, LockedAccount>,
  keys: ReadonlyMap<string, LockedKey>,
  nowMs: number,
): ChargeOutcomes {
  const balances = new Map<string, Balance>();
  const totals = new Map<string, number>();
  const outcomes = charges.map((charge): Settlement => {
    const accountId = charge.account_id;
    const account = accounts.get(accountId);
    const key = keys.get(charge.key_id);
    if (account === undefined || account.isDisabled) return { state: "revoked" };
    if (key === undefined || key.isDead || key.accountId !== accountId) return { state: "revoked" };
    const balance = balances.get(accountId) ?? refill(account, account, nowMs);
    const { credits } = balance;
    if (credits < charge.credits) {
      return { state: "insufficient", credits, creditsResetAt: nextRefillAt(balance, nowMs) };
    }
    const creditsRemaining = credits - charge.credits;
    balances.set(accountId, { ...balance, credits: creditsRemaining });
    totals.set(accountId, (totals.get(accountId) ?? 0) + charge.credits);
    return { state: "charged", creditsRemaining };
  });
  return { outcomes, totals };
}

/** The calls of a group that get a history row: the charged ones. */
export const chargedCalls = (
  charges: readonly CallRow[],
  outcomes: readonly Settlement[],
): readonly CallRow[] => charges.filter((_, i) => outcomes[i]?.state === "charged");
