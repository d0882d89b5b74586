import { changeAccount, planChange } from "../accounts/account-change.ts";
import type { Account } from "../accounts/accounts.ts";
import { FREE_PLAN } from "../accounts/plans.ts";
import { DAY_MS } from "../base/durations.ts";
import { Refusal } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import type { ApplyDeps } from "./apply.ts";
import { customerOf } from "./customers.ts";
import { FREE_TERMS } from "./entitlement.ts";
import type { Provider } from "./provider.ts";
import { takeEvent } from "./take-event.ts";

export type GraceDeps = ApplyDeps & {
  /** Null: there is no key. */
  readonly provider: Provider | null;
  readonly log: Pick<Log, "info" | "warn" | "error">;
};

type Late = { readonly id: string; readonly endsAtMs: number };

/**
 * Ends the plans whose payment is late for longer than the grace. The provider is asked once more, for another subscription
 * or a payment that no event told of; what it does not answer changes nothing about the end. An account that cannot be changed
 * is logged, and does not keep the others from their end. Source: design 14.
 */
export async function endGraces(deps: GraceDeps): Promise<void> {
  const rows = await deps.db.kysely
    .selectFrom("accounts")
    .select(["id", "grace_ends_at"])
    .where("grace_ends_at", "<=", deps.clock.now().getTime())
    .execute();
  for (const { id, grace_ends_at: endsAtMs } of rows) {
    try {
      await askAgain({ id, endsAtMs: endsAtMs ?? 0 }, deps);
      await endGrace(id, deps);
    } catch (error) {
      deps.log.error({ err: error, account_id: id }, "Cannot end the grace of a late payment");
    }
  }
}

async function askAgain({ id, endsAtMs }: Late, { provider, ...deps }: GraceDeps): Promise<void> {
  if (provider === null) return;
  const { customerId, subscriptionId } = await customerOf(deps.db.kysely, id);
  const event = {
    id: `grace-${id}-${endsAtMs}`,
    type: "grace.over",
    accountId: id,
    customerId,
    subscriptionId,
  };
  try {
    await takeEvent(event, { ...deps, provider });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    deps.log.warn(
      { account_id: id },
      "Cannot ask the provider about a late payment; the plan ends all the same",
    );
  }
}

async function endGrace(accountId: string, deps: GraceDeps): Promise<void> {
  const by = {
    actor: "stripe",
    reason: "past_due for longer than the grace",
    action: "account.subscription" as const,
  };
  // Paid in this very moment, perhaps: it is judged again under the lock.
  const isOver = ({ graceEndsAt }: Account) =>
    graceEndsAt !== null && graceEndsAt.getTime() <= deps.clock.now().getTime();
  const decide = (old: Account) => (isOver(old) ? planChange(old, FREE_TERMS) : null);
  const account = await deps.db.kysely
    .transaction()
    .execute((trx) => changeAccount(trx, { accountId, by, decide }, deps));
  if (account.plan === FREE_PLAN)
    deps.log.info({ account_id: accountId }, "A late payment's grace is over: the plan is Free");
}

const KEEP_EVENTS_MS = 90 * DAY_MS;

/** Deletes what is remembered of events that the provider sends no more. */
export async function forgetEvents({ db, clock }: Pick<ApplyDeps, "db" | "clock">): Promise<void> {
  await db.kysely
    .deleteFrom("billing_events")
    .where("at", "<", clock.now().getTime() - KEEP_EVENTS_MS)
    .execute();
}
