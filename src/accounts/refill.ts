import { DAY_MS } from "../base/durations.ts";
import { PLANS, type PlanName, planOf } from "./plans.ts";

/** A credit cycle: 30 days of 86,400 s, never a calendar month. Source: interface 8.2. */
export const CYCLE_MS = 30 * DAY_MS;

/** A balance and the end of its cycle (ms since 1970). */
export type Balance = { readonly credits: number; readonly creditsResetAtMs: number };

/** What decides whether an account is refilled, and with how many credits. */
export type RefillTerms = {
  readonly plan: PlanName;
  /** Credits of a cycle during a trial; null: the plan's. */
  readonly trialGrant: number | null;
  /** True while a payment is late or the address is not proved: nothing is refilled until then. */
  readonly isOnHold: boolean;
};

/** The credits that a cycle grants. Source: design 13.2, and 14 for trials. */
export const grantPerCycle = ({ plan, trialGrant }: Pick<RefillTerms, "plan" | "trialGrant">): number =>
  trialGrant ?? planOf(plan).creditsPerMonth;

/**
 * The balance after a due refill: when the cycle's end has come, the grant of a cycle (also when more was left), and the
 * end moves in whole cycles past now. A clock that jumps back finds nothing due. Source: design 13.2.
 */
export function refill(balance: Balance, terms: RefillTerms, nowMs: number): Balance {
  if (terms.isOnHold || nowMs < balance.creditsResetAtMs) return balance;
  const cycles = Math.floor((nowMs - balance.creditsResetAtMs) / CYCLE_MS) + 1;
  return {
    credits: grantPerCycle(terms),
    creditsResetAtMs: balance.creditsResetAtMs + cycles * CYCLE_MS,
  };
}

/** When a balance refills next; null while a refill that is due waits for a late payment. The balance is that of `refill`. */
export const nextRefillAt = ({ creditsResetAtMs }: Balance, nowMs: number): Date | null =>
  creditsResetAtMs > nowMs ? new Date(creditsResetAtMs) : null;

// The names are constants of ours: nothing from outside gets into these texts.
const PLAN_GRANT = `case plan ${PLANS.map(({ name, creditsPerMonth }) => `when '${name}' then ${creditsPerMonth}`).join(" ")} end`;
const GRANT = `coalesce(trial_grant, ${PLAN_GRANT})`;

/** `refill` as SQL over a row of `accounts`, the same in both databases. `now` is the placeholder of now in ms. */
export function refillSql(now: string): {
  readonly credits: string;
  readonly granted: string;
  readonly resetAt: string;
} {
  const isDue = `${now} >= credits_reset_at and grace_ends_at is null`;
  const nextReset = `credits_reset_at + ((${now} - credits_reset_at) / ${CYCLE_MS} + 1) * ${CYCLE_MS}`;
  return {
    credits: `(case when ${isDue} then ${GRANT} else credits end)`,
    granted: `(case when ${isDue} then ${GRANT} else credits_granted end)`,
    resetAt: `(case when ${isDue} then ${nextReset} else credits_reset_at end)`,
  };
}
