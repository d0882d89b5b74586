import { type Kysely, sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Answers that an account paid for on the pages, kept for a while, and the links that share them. */
export const results: DatabaseMigration = {
  name: "0016-results",
  up: async (db, { dialect }) => {
    await createResults(db, dialect);
    await createShares(db);
  },
};

async function createResults(db: Kysely<unknown>, dialect: "sqlite" | "postgres"): Promise<void> {
  await db.schema
    .createTable("results")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("product", "text", (column) => column.notNull())
    .addColumn("target", "text", (column) => column.notNull())
    .addColumn("question", "text", (column) => column.notNull())
    .addColumn("verdict", "text")
    .addColumn("score", "integer")
    .addColumn("detections", "integer")
    .addColumn("engines", "integer")
    .addColumn("run_id", "text")
    .addColumn("bytes", "integer", (column) => column.notNull())
    .addColumn("packed", dialect === "sqlite" ? "blob" : "bytea", (column) => column.notNull())
    .execute();
  // The size stands in the index: what an account holds is summed without reading its answers.
  await sql`create index results_account_id_at on results (account_id, at, bytes)`.execute(db);
  await sql`create index results_account_id_request_id on results (account_id, request_id)`.execute(db);
  await sql`create index results_at on results (at)`.execute(db);
}

async function createShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("result_shares")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("result_id", "text", (column) => column.notNull().references("results.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  for (const column of ["account_id", "result_id", "expires_at"]) {
    await db.schema.createIndex(`result_shares_${column}`).on("result_shares").column(column).execute();
  }
}
