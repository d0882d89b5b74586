import type { DatabaseMigration } from "./migration.ts";

/** Access tokens: credentials for exports, decisions and the gate. */
export const accessTokens: DatabaseMigration = {
  name: "0015-access-tokens",
  up: async (db) => {
    await db.schema
      .createTable("access_tokens")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("prefix", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("networks", "text")
      .addColumn("expires_at", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("last_used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await db.schema
      .createIndex("access_tokens_account_id")
      .on("access_tokens")
      .column("account_id")
      .execute();
    await db.schema.createIndex("access_tokens_prefix").on("access_tokens").column("prefix").execute();
  },
};
