import type { DatabaseMigration } from "./migration.ts";

/** Engines that owners switched on or off, before whatever the configuration says. */
export const engineSwitches: DatabaseMigration = {
  name: "0014-engine-switches",
  up: async (db) => {
    await db.schema
      .createTable("engine_switches")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("is_on", "integer", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("actor", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .execute();
  },
};
