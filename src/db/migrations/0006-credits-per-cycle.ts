import { type Kysely, sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/**
 * What each account's cycle has granted, the grant of trials, the end of a late payment's grace, and the invoices that paid
 * for whole periods.
 */
export const creditsPerCycle: DatabaseMigration = {
  name: "0006-credits-per-cycle",
  up: async (db) => {
    await addColumns(db);
    await fillColumns(db);
    await db.schema
      .createTable("billing_invoices")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account_id", "text", (column) => column.notNull())
      .addColumn("subscription_id", "text", (column) => column.notNull())
      .addColumn("period_start", "bigint", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("billing_invoices_account_id")
      .on("billing_invoices")
      .column("account_id")
      .execute();
    // Late payments are sought by their grace from now on.
    await db.schema.dropIndex("accounts_billing_status").execute();
    await db.schema.createIndex("accounts_grace_ends_at").on("accounts").column("grace_ends_at").execute();
  },
};

async function addColumns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("accounts")
    .addColumn("credits_granted", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("accounts").addColumn("trial_grant", "bigint").execute();
  await db.schema.alterTable("accounts").addColumn("grace_ends_at", "bigint").execute();
  await db.schema.alterTable("billing_customers").addColumn("period_start", "bigint").execute();
  await db.schema.alterTable("billing_customers").addColumn("plan_before", "text").execute();
}

/** Of cycles under way only the grant of the plan is known; the stored end of a late term is that of the unpaid month. */
async function fillColumns(db: Kysely<unknown>): Promise<void> {
  await sql`update accounts set credits_granted = case plan
    when 'Free' then 100 when 'Starter' then 80000 when 'Pro' then 300000 when 'Enterprise' then 1500000 else 0 end`.execute(
    db,
  );
  await sql`update accounts set trial_grant = 100 where billing_status = 'trialing' and plan <> 'Free'`.execute(
    db,
  );
  // A month before that end the unpaid term began, and seven days later its grace is over.
  await sql`update accounts set grace_ends_at = coalesce(current_period_end, 0) - 24 * 86400000
    where billing_status = 'past_due' and plan <> 'Free'`.execute(db);
}
