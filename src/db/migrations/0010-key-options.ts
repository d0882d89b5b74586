import type { DatabaseMigration } from "./migration.ts";

/** What a key is limited to and which key replaced it; accounts that were deleted and whose history is still being deleted. */
export const keyOptions: DatabaseMigration = {
  name: "0010-key-options",
  up: async (db) => {
    await db.schema.alterTable("api_keys").addColumn("expires_at", "bigint").execute();
    await db.schema.alterTable("api_keys").addColumn("networks", "text").execute();
    await db.schema.alterTable("api_keys").addColumn("products", "text").execute();
    await db.schema.alterTable("api_keys").addColumn("replaced_by", "text").execute();
    await db.schema.createIndex("api_keys_expires_at").on("api_keys").column("expires_at").execute();
    await db.schema
      .createTable("account_deletions")
      .addColumn("account_id", "text", (column) => column.primaryKey())
      .addColumn("at", "bigint", (column) => column.notNull())
      .execute();
  },
};
