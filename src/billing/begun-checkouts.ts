import type { StoreDeps } from "../accounts/account-rows.ts";

type Deps = Pick<StoreDeps, "db" | "clock">;

/** The provider ends a checkout after a day. */
const DAY_MS = 86_400_000;
/** A row of `billing_events` of this type is a checkout that was begun: its id is the provider's. */
const BEGUN = "checkout.begun";

/** Checkouts of an account that may still be paid, or were paid while no event told of it: those of the last day, the oldest first. */
export async function begunCheckouts(accountId: string, { db, clock }: Deps): Promise<readonly string[]> {
  const rows = await db.kysely
    .selectFrom("billing_events")
    .select("id")
    .where("account_id", "=", accountId)
    .where("type", "=", BEGUN)
    .where("at", ">", clock.now().getTime() - DAY_MS)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Remembers one; the same twice is one. */
export async function rememberCheckout(id: string, accountId: string, { db, clock }: Deps): Promise<void> {
  await db.kysely
    .insertInto("billing_events")
    .values({ id, type: BEGUN, at: clock.now().getTime(), account_id: accountId })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
