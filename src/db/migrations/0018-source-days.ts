import type { DatabaseMigration } from "./migration.ts";

/** How each source fared, by the day: how often it was looked at, and how often it was well. */
export const sourceDays: DatabaseMigration = {
  name: "0018-source-days",
  up: async (db) => {
    await db.schema
      .createTable("source_days")
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("checks", "integer", (column) => column.notNull())
      .addColumn("healthy", "integer", (column) => column.notNull())
      .addColumn("trouble", "text")
      .addColumn("slot", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("source_days_pk", ["source", "day"])
      .execute();
    await db.schema.createIndex("source_days_day").on("source_days").column("day").execute();
  },
};
