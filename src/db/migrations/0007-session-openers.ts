import type { DatabaseMigration } from "./migration.ts";

/** Which session a key pays for, and which key opened the session that an audit row tells of. */
export const sessionOpeners: DatabaseMigration = {
  name: "0007-session-openers",
  up: async (db) => {
    // No reference: the key stays in the history when its session is gone.
    await db.schema.alterTable("api_keys").addColumn("session_id", "text").execute();
    await db.schema.createIndex("api_keys_session_id").on("api_keys").column("session_id").execute();
    await db.schema.alterTable("audit").addColumn("key_id", "text").execute();
  },
};
