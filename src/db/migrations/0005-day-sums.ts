import { sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/**
 * In SQLite the roll-up is a view: sums up to a row of the history, and each row behind it (`day-sums.ts`). PostgreSQL
 * goes on with its table, whose sums are written with the rows by one statement.
 */
export const daySums: DatabaseMigration = {
  name: "0005-day-sums",
  up: async (db, { dialect }) => {
    if (dialect !== "sqlite") return;
    await db.schema.alterTable("call_days").renameTo("call_day_sums").execute();
    await sql`insert into meta (key, value)
      select 'calls_in_day_sums', cast(coalesce(max(id), 0) as text) from calls`.execute(db);
    await sql`create view call_days as
      select account_id, day, endpoint, key_id, status, calls, items, credits from call_day_sums
      union all
      select account_id, coalesce(date(at / 1000, 'unixepoch'), '9999-12-31') as day, endpoint, key_id, status,
        1 as calls, items, credits
      from calls where id > (select cast(value as integer) from meta where key = 'calls_in_day_sums')`.execute(
      db,
    );
  },
};
