import { lockAccountRow, type StoreDeps } from "../accounts/account-rows.ts";
import { DAY_MS } from "../base/durations.ts";

type Deps = Pick<StoreDeps, "db" | "clock">;

/** A row of `billing_events` of this type is a checkout that was begun: its id is the provider's. */
const BEGUN = "checkout.begun";

/** Checkouts begun for an account in a day: each later one asks the provider about all of them. */
export const MAX_A_DAY = 20;

export type BegunCheckout = { readonly id: string; readonly isOfLastDay: boolean };

/**
 * Checkouts of an account that may still be paid, or were paid while no event told of it, the oldest first: the newest twenty. No other
 * one begins after one that was paid, so that it is among them as long as events are remembered.
 */
export async function begunCheckouts(
  accountId: string,
  { db, clock }: Deps,
): Promise<readonly BegunCheckout[]> {
  const rows = await db.kysely
    .selectFrom("billing_events")
    .select(["id", "at"])
    .where("account_id", "=", accountId)
    .where("type", "=", BEGUN)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_A_DAY)
    .execute();
  const dayAgoMs = clock.now().getTime() - DAY_MS;
  return rows.reverse().map(({ id, at }) => ({ id, isOfLastDay: at > dayAgoMs }));
}

/** Remembers one; the same twice is one. Throws NOT_FOUND of an account that was deleted meanwhile, which has no checkouts. */
export async function rememberCheckout(id: string, accountId: string, { db, clock }: Deps): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await lockAccountRow(trx, { accountId }, { db });
    await trx
      .insertInto("billing_events")
      .values({ id, type: BEGUN, at: clock.now().getTime(), account_id: accountId })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  });
}
