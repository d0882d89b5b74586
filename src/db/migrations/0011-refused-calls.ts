import { type Kysely, sql } from "kysely";
import type { DatabaseMigration } from "./migration.ts";

/**
 * Calls that the limits refuse are counted by the minute instead of kept one by one, and the last calls of an account are found
 * without reading those of others: in PostgreSQL by an index, in SQLite, where that would cost each call too much, by a
 * row for each account that is written now and then (decision 0015).
 */
export const refusedCalls: DatabaseMigration = {
  name: "0011-refused-calls",
  up: async (db, { dialect }) => {
    await createRefusedCalls(db, dialect);
    if (dialect === "sqlite") await createLastCalls(db);
    else {
      // Pages of the dashboard are no calls: their rows have no key.
      await sql`create index calls_account_id on calls (account_id, id desc) where key_id <> ''`.execute(db);
    }
    // An account may have many revoked keys: those alive, and the newest of either kind, are found without reading the others.
    await db.schema.dropIndex("api_keys_account_id").execute();
    for (const column of ["revoked_at", "created_at"]) {
      await db.schema
        .createIndex(`api_keys_account_id_${column}`)
        .on("api_keys")
        .columns(["account_id", column])
        .execute();
    }
  },
};

async function createRefusedCalls(db: Kysely<unknown>, dialect: "sqlite" | "postgres"): Promise<void> {
  const table = db.schema
    .createTable("refused_calls")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("endpoint", "text", (column) => column.notNull())
    .addColumn("calls", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("refused_calls_pk", ["account_id", "minute", "endpoint"]);
  await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.createIndex("refused_calls_minute").on("refused_calls").column("minute").execute();
}

/** Of the newest million calls: a history of many more would be sorted for minutes. */
async function createLastCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("last_calls")
    .addColumn("account_id", "text", (column) => column.primaryKey().notNull())
    .addColumn("ids", "text", (column) => column.notNull())
    .modifyEnd(sql`without rowid`)
    .execute();
  await sql`insert into last_calls (account_id, ids)
    select account_id, json_group_array(id order by id desc)
    from (
      select account_id, id, row_number() over (partition by account_id order by id desc) as place
      from calls, (select cast(value as integer) as mark from meta where key = 'calls_in_day_sums')
      where key_id <> '' and id <= mark and id > mark - 1000000
    ) where place <= 10 group by account_id`.execute(db);
}
