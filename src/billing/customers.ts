import type { Kysely } from "kysely";
import { type PlanName, parsePlan } from "../accounts/plans.ts";
import type { Schema } from "../db/schema.ts";

/** What is known of an account at the provider. */
export type Customer = {
  readonly accountId: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  /** Counts what was applied. */
  readonly version: number;
  /** Start of the subscription's period that was seen last. */
  readonly periodStart: Date | null;
  /** The account's plan when that period was seen first, or a higher one that the period has given since. */
  readonly planBefore: PlanName | null;
};

type Db = Kysely<Schema>;

/** An account's; one without any of it when nothing is known yet. */
export async function customerOf(db: Db, accountId: string): Promise<Customer> {
  const row = await rows(db).where("account_id", "=", accountId).executeTakeFirst();
  return row === undefined ? { ...UNKNOWN, accountId } : fromRow(row);
}

const UNKNOWN = {
  customerId: null,
  subscriptionId: null,
  version: 0,
  periodStart: null,
  planBefore: null,
} as const;

/** The account behind a provider's customer; null when there is none. */
export async function findCustomer(db: Db, customerId: string): Promise<Customer | null> {
  const row = await rows(db).where("stripe_customer_id", "=", customerId).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

const rows = (db: Db) =>
  db
    .selectFrom("billing_customers")
    .select([
      "account_id",
      "stripe_customer_id",
      "stripe_subscription_id",
      "version",
      "period_start",
      "plan_before",
    ]);

const fromRow = (row: Schema["billing_customers"]): Customer => ({
  accountId: row.account_id,
  customerId: row.stripe_customer_id,
  subscriptionId: row.stripe_subscription_id,
  version: row.version,
  periodStart: row.period_start === null ? null : new Date(row.period_start),
  planBefore: row.plan_before === null ? null : parsePlan(row.plan_before).name,
});

/** Writes what was applied, one version on. The account's row is locked. */
export async function writeCustomer(db: Db, customer: Customer): Promise<void> {
  const columns = {
    stripe_customer_id: customer.customerId,
    stripe_subscription_id: customer.subscriptionId,
    version: customer.version + 1,
    period_start: customer.periodStart?.getTime() ?? null,
    plan_before: customer.planBefore,
  };
  await db
    .insertInto("billing_customers")
    .values({ account_id: customer.accountId, ...columns })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(columns))
    .execute();
}

/** Whether an account exists. */
export async function hasAccount(db: Db, accountId: string): Promise<boolean> {
  const row = await db.selectFrom("accounts").select("id").where("id", "=", accountId).executeTakeFirst();
  return row !== undefined;
}

/** Whether an account was here and was deleted: the audit log keeps that, without its name. */
export async function wasDeleted(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("audit")
    .select("id")
    .where("account_id", "=", accountId)
    .where("action", "=", "account.delete")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
