import type { Kysely } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Who signs in and how, where they are signed in, failed attempts, one-time links, and what the payment provider said. */
export const dashboard: DatabaseMigration = {
  name: "0003-dashboard",
  up: async (db) => {
    await createCredentials(db);
    await createSessions(db);
    await createAttempts(db);
    await createResetTokens(db);
    await createBilling(db);
    await db.schema.createIndex("accounts_billing_status").on("accounts").column("billing_status").execute();
    await db.schema.createIndex("audit_account_id_at").on("audit").columns(["account_id", "at"]).execute();
  },
};

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credentials")
    .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
    .addColumn("password_hash", "text")
    .addColumn("totp_secret", "text")
    .addColumn("is_totp_confirmed", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("totp_last_step", "bigint")
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_seen_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("client_address", "text", (column) => column.notNull())
    .addColumn("user_agent", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sessions_account_id").on("sessions").column("account_id").execute();
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sign_in_attempts")
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("sign_in_attempts_pk", ["id", "subject"])
    .execute();
  await db.schema
    .createIndex("sign_in_attempts_subject_at")
    .on("sign_in_attempts")
    .columns(["subject", "at"])
    .execute();
}

async function createResetTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("reset_tokens")
    .addColumn("token_hash", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("ends_totp", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("reset_tokens_account_id").on("reset_tokens").column("account_id").execute();
}

async function createBilling(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("billing_customers")
    .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
    .addColumn("stripe_customer_id", "text", (column) => column.unique())
    .addColumn("stripe_subscription_id", "text")
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("billing_events")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("account_id", "text")
    .execute();
}
