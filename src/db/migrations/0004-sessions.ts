import { sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Which key opened a session, so that it ends with the key; and which accounts strangers opened for themselves. */
export const sessions: DatabaseMigration = {
  name: "0004-sessions",
  up: async (db) => {
    await db.schema
      .alterTable("sessions")
      .addColumn("key_id", "text", (column) => column.references("api_keys.id"))
      .execute();
    // It is unknown what opened the existing ones: their owners sign in again.
    await sql`delete from sessions`.execute(db);
    await db.schema
      .alterTable("accounts")
      .addColumn("is_signed_up", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update accounts set is_signed_up = 1 where id in
      (select account_id from audit where action = 'account.create' and actor = 'sign-up')`.execute(db);
  },
};
