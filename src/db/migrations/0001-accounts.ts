import { type Kysely, sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Accounts, keys, call history with its daily roll-up, audit log, and a table for the service's own notes. */
export const accounts: DatabaseMigration = {
  name: "0001-accounts",
  up: async (db, { dialect }) => {
    await createAccounts(db);
    await createApiKeys(db);
    await createCalls(db, dialect);
    await createCallDays(db, dialect);
    await createAudit(db);
    await db.schema
      .createTable("meta")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
  },
};

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("accounts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("plan", "text", (column) => column.notNull())
    .addColumn("credits", "bigint", (column) => column.notNull().check(sql`credits >= 0`))
    .addColumn("credits_reset_at", "bigint", (column) => column.notNull())
    .addColumn("is_owner", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("disabled_at", "bigint")
    .addColumn("billing_status", "text")
    .addColumn("current_period_end", "bigint")
    .addColumn("cancel_at_period_end", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_keys")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema.createIndex("api_keys_account_id").on("api_keys").column("account_id").execute();
  await db.schema.createIndex("api_keys_prefix").on("api_keys").column("prefix").execute();
}

async function createCalls(db: Kysely<unknown>, dialect: "sqlite" | "postgres"): Promise<void> {
  await db.schema
    .createTable("calls")
    .addColumn("id", dialect === "sqlite" ? "integer" : "bigint", (column) =>
      dialect === "sqlite" ? column.primaryKey() : column.primaryKey().generatedAlwaysAsIdentity(),
    )
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("key_prefix", "text", (column) => column.notNull())
    .addColumn("endpoint", "text", (column) => column.notNull())
    .addColumn("target_kind", "text", (column) => column.notNull())
    .addColumn("target", "text")
    .addColumn("items", "integer", (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("credits", "bigint", (column) => column.notNull())
    .addColumn("elapsed_ms", "integer", (column) => column.notNull())
    .addColumn("client_address", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("calls_at").on("calls").column("at").execute();
}

async function createCallDays(db: Kysely<unknown>, dialect: "sqlite" | "postgres"): Promise<void> {
  const table = db.schema
    .createTable("call_days")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("endpoint", "text", (column) => column.notNull())
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("calls", "bigint", (column) => column.notNull())
    .addColumn("items", "bigint", (column) => column.notNull())
    .addColumn("credits", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("call_days_pk", ["account_id", "day", "endpoint", "key_id", "status"]);
  // The rows are the index: an account's month is one range.
  await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("account_id", "text")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("audit_at").on("audit").column("at").execute();
}
