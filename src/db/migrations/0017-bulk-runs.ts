import type { Kysely } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/** Bulk runs: many lookups that the service works through by itself, line by line. */
export const bulkRuns: DatabaseMigration = {
  name: "0017-bulk-runs",
  up: async (db) => {
    await createRuns(db);
    await createItems(db);
  },
};

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("bulk_runs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("columns", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("session_id", "text")
    .addColumn("client_address", "text", (column) => column.notNull())
    .addColumn("bytes", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addColumn("resumed_at", "bigint")
    .addColumn("left_at_resume", "integer")
    .addColumn("lease_owner", "text")
    .addColumn("lease_until", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("bulk_runs_account_id")
    .on("bulk_runs")
    .columns(["account_id", "created_at"])
    .execute();
  await db.schema.createIndex("bulk_runs_state").on("bulk_runs").columns(["state", "lease_until"]).execute();
}

async function createItems(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("bulk_run_items")
    .addColumn("run_id", "text", (column) => column.notNull().references("bulk_runs.id").onDelete("cascade"))
    .addColumn("line", "integer", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("cells", "text", (column) => column.notNull())
    .addColumn("product", "text")
    .addColumn("target", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("same_as", "integer")
    .addColumn("note", "text")
    .addColumn("credits", "integer", (column) => column.notNull())
    .addColumn("verdict", "text")
    .addColumn("score", "integer")
    .addColumn("detections", "integer")
    .addColumn("engines", "integer")
    .addColumn("result_id", "text")
    .addPrimaryKeyConstraint("bulk_run_items_pk", ["run_id", "line"])
    .execute();
  await db.schema
    .createIndex("bulk_run_items_state")
    .on("bulk_run_items")
    .columns(["run_id", "state", "product", "line"])
    .execute();
  // Holds all that progress is counted from: no line is read for it.
  await db.schema
    .createIndex("bulk_run_items_progress")
    .on("bulk_run_items")
    .columns(["run_id", "state", "product", "verdict", "credits"])
    .execute();
  await db.schema
    .createIndex("bulk_run_items_account_id")
    .on("bulk_run_items")
    .column("account_id")
    .execute();
}
