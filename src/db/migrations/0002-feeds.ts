import type { Kysely } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/**
 * Retrieved lists, for processes with data folders of their own. One machine with SQLite has its data folder for that.
 */
export const feeds: DatabaseMigration = {
  name: "0002-feeds",
  up: async (db, { dialect }) => {
    if (dialect === "sqlite") return;
    await createFeedStates(db);
    await createFeedContents(db);
  },
};

async function createFeedStates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("feed_states")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("version", "bigint", (column) => column.notNull())
    .addColumn("state", "text")
    .addColumn("claimed_by", "text")
    .addColumn("claimed_until", "bigint", (column) => column.notNull())
    .execute();
}

async function createFeedContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("feed_contents")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("packed", "bytea", (column) => column.notNull())
    .execute();
}
