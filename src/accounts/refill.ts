import type { PlanName } from "./accounts.ts";
import { PLANS, planOf } from "./plans.ts";

/** A credit cycle: 30 days of 86,400 s, never a calendar month. Source: interface 8.2. */
export const CYCLE_MS = 30 * 86_400 * 1000;

/** A balance and the end of its cycle (ms since 1970). */
export type Balance = { readonly credits: number; readonly creditsResetAtMs: number };

/**
 * The balance after a due refill: when the cycle's end has come, the plan's grant (also when more was left), and the
 * end moves in whole cycles past now. A clock that jumps back finds nothing due. Source: design 13.2.
 */
export function refill(balance: Balance, plan: PlanName, nowMs: number): Balance {
  if (nowMs < balance.creditsResetAtMs) return balance;
  const cycles = Math.floor((nowMs - balance.creditsResetAtMs) / CYCLE_MS) + 1;
  return {
    credits: planOf(plan).creditsPerMonth,
    creditsResetAtMs: balance.creditsResetAtMs + cycles * CYCLE_MS,
  };
}

// The names are constants of ours: nothing from outside gets into these texts.
const GRANT = `case plan ${PLANS.map(({ name, creditsPerMonth }) => `when '${name}' then ${creditsPerMonth}`).join(" ")} end`;

/** `refill` as SQL over a row of `accounts`, the same in both databases. `now` is the placeholder of now in ms. */
export const refillSql = (now: string): { readonly credits: string; readonly resetAt: string } => ({
  credits: `(case when ${now} >= credits_reset_at then ${GRANT} else credits end)`,
  resetAt:
    `(case when ${now} >= credits_reset_at then credits_reset_at + ` +
    `((${now} - credits_reset_at) / ${CYCLE_MS} + 1) * ${CYCLE_MS} else credits_reset_at end)`,
});
