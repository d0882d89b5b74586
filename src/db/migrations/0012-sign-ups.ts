import { sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Sign-ups that wait for their mailed link, and whose address is proved. */
export const signUps: DatabaseMigration = {
  name: "0012-sign-ups",
  up: async (db) => {
    await db.schema
      .createTable("sign_ups")
      .addColumn("token_hash", "text", (column) => column.primaryKey())
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("sign_ups_email").on("sign_ups").column("email").execute();
    await db.schema.createIndex("sign_ups_expires_at").on("sign_ups").column("expires_at").execute();
    await db.schema.alterTable("accounts").addColumn("email_proved_at", "bigint").execute();
    await sql`update accounts set email_proved_at = created_at where is_signed_up = 0`.execute(db);
    // The first proof begins a cycle with the plan's whole grant.
    await sql`update accounts set credits = 0, credits_granted = 0 where email_proved_at is null`.execute(db);
    await sql`delete from sessions where key_id is not null and account_id in
      (select id from accounts where email_proved_at is null)`.execute(db);
  },
};
