import type { DatabaseMigration } from "./migration.ts";

/** Codes that open once in place of an authenticator's. */
export const recoveryCodes: DatabaseMigration = {
  name: "0013-recovery-codes",
  up: async (db) => {
    await db.schema
      .createTable("recovery_codes")
      .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
      .addColumn("code_hash", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("recovery_codes_pkey", ["account_id", "code_hash"])
      .execute();
  },
};
