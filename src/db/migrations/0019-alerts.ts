import type { DatabaseMigration } from "./migration.ts";

/** What accounts are mailed about, what was mailed already, and the networks that they signed in from. */
export const alerts: DatabaseMigration = {
  name: "0019-alerts",
  up: async (db) => {
    await db.schema
      .createTable("alert_settings")
      .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
      .addColumn("credits_percent", "integer", (column) => column.notNull())
      .addColumn("sign_in", "integer", (column) => column.notNull())
      .addColumn("sources", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("alerts")
      .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("is_sent", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("alerts_pk", ["account_id", "kind", "subject"])
      .execute();
    await db.schema
      .createTable("account_networks")
      .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
      .addColumn("network", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("account_networks_pk", ["account_id", "network"])
      .execute();
    await db.schema.createIndex("account_networks_at").on("account_networks").column("at").execute();
  },
};
