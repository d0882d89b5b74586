import type { Kysely } from "kysely";
import type { Schema } from "../db/schema.ts";

const STEP = 500;

/** Bulk runs with their lines, oldest first, as pieces of a JSON list. */
export async function* runsOf(db: Kysely<Schema>, accountId: string): AsyncGenerator<string> {
  const runs = await db
    .selectFrom("bulk_runs")
    .select(["id", "name", "columns", "state", "reason", "client_address", "created_at", "changed_at"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  let separator = "\n";
  for (const { columns, created_at: created, changed_at: changed, ...run } of runs) {
    const times = {
      created_at: new Date(created).toISOString(),
      changed_at: new Date(changed).toISOString(),
    };
    yield `${separator}${JSON.stringify({ ...run, ...times }).slice(0, -1)},"columns":${columns},"lines":[`;
    yield* linesOf(db, run.id);
    yield "]}";
    separator = ",\n";
  }
}

async function* linesOf(db: Kysely<Schema>, runId: string): AsyncGenerator<string> {
  let separator = "\n";
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("bulk_run_items")
      .selectAll()
      .where("run_id", "=", runId)
      .where("line", ">", after)
      .orderBy("line")
      .limit(STEP)
      .execute();
    for (const { run_id: _, account_id: __, cells, ...item } of rows) {
      yield `${separator}${JSON.stringify(item).slice(0, -1)},"cells":${cells}}`;
      separator = ",\n";
      after = item.line;
    }
    if (rows.length < STEP) return;
  }
}
