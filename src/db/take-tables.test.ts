import { Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { endBeforeDatabase, forEachDatabase } from "../../test/databases.ts";
import { migrate } from "./migrate.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";
import { openPostgres } from "./postgres.ts";
import { OwnSchemaPostgresDialect } from "./postgres-dialect.ts";
import type { Schema } from "./schema.ts";
import { takeTables } from "./take-tables.ts";

const PEOPLE = ALL_MIGRATIONS.findIndex(({ name }) => name === "0020-people");
const OLDER = ALL_MIGRATIONS.slice(0, PEOPLE);

// A file is brought up to date by one that has it alone: BEGIN IMMEDIATE.
forEachDatabase(
  (_dialect, database) => {
    /** The schema before there were people, with an account and its password. */
    async function openOlder(): Promise<Kysely<Schema>> {
      const postgres = await openPostgres(database.url());
      const kysely = new Kysely<Schema>({ dialect: new OwnSchemaPostgresDialect({ pool: postgres.pool }) });
      endBeforeDatabase(postgres.close);
      await migrate(kysely, { dialect: "postgres", migrations: OLDER });
      await sql`insert into accounts (id, email, plan, credits, credits_granted, credits_reset_at, is_owner, created_at)
        values ('a', 'a@example.org', 'Free', 1, 1, 1, 1, 1)`.execute(kysely);
      await sql`insert into credentials (account_id, password_hash) values ('a', 'old')`.execute(kysely);
      return kysely;
    }

    /** What a process of the old version does in one transaction; the second statement comes when others wait for the first. */
    async function writeBoth(kysely: Kysely<Schema>, first: string, second: string): Promise<void> {
      await kysely.transaction().execute(async (trx) => {
        await sql.raw(first).execute(trx);
        begun.resolve();
        await untilOthersWait(trx);
        await sql.raw(second).execute(trx);
      });
    }
    let begun = Promise.withResolvers<void>();

    async function untilOthersWait(trx: Kysely<Schema>): Promise<void> {
      const waiting = async () => {
        const { rows } = await sql<{ count: number }>`select count(distinct pid) as count from pg_locks
          where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
        return Number(rows[0]?.count);
      };
      await expect.poll(waiting, { timeout: 15_000, interval: 5 }).toBe(1);
    }

    const ADD_CREDIT = "update accounts set credits = credits + 1";
    const SET_PASSWORD = "update credentials set password_hash = 'new'";
    const NAME_KEY =
      "insert into api_keys (id, account_id, name, hash, prefix, created_at) values ('k', 'a', 'k', 'h', 'p', 1)";

    test.each([
      ["a password, then credits", SET_PASSWORD, ADD_CREDIT],
      ["credits, then a password", ADD_CREDIT, SET_PASSWORD],
      ["a key, then a password", NAME_KEY, SET_PASSWORD],
      ["a password, then a key", SET_PASSWORD, NAME_KEY],
    ])("a process that writes %s meanwhile loses nothing, and no one fails", async (_, first, second) => {
      const kysely = await openOlder();
      begun = Promise.withResolvers();
      const writing = writeBoth(kysely, first, second);
      await begun.promise;
      const [steps] = await Promise.all([migrate(kysely, { dialect: "postgres" }), writing]);
      expect(steps).toEqual(ALL_MIGRATIONS.slice(PEOPLE).map(({ name }) => name));
      const { rows } = await sql`select (select credits from accounts) as credits,
        (select password_hash from credentials) as password, (select count(*) from api_keys) as keys`.execute(
        kysely,
      );
      const written = [first, second];
      expect(rows).toEqual([
        {
          credits: written.includes(ADD_CREDIT) ? 2 : 1,
          password: written.includes(SET_PASSWORD) ? "new" : "old",
          keys: written.includes(NAME_KEY) ? 1 : 0,
        },
      ]);
    });

    test("a dump that goes on: others write between the tries, and it is given up with the reason", async () => {
      const kysely = await openOlder();
      await kysely.transaction().execute(async (dump) => {
        await sql`select * from credentials`.execute(dump);
        const taking = kysely.transaction().execute(async (trx) => takeTables(trx, 1000));
        taking.catch(() => undefined);
        await untilOthersWait(dump);
        await sql.raw(ADD_CREDIT).execute(kysely);
        await expect(taking).rejects.toThrow("do not let go of its tables");
      });
      await migrate(kysely, { dialect: "postgres" });
      expect(await kysely.selectFrom("accounts").select("credits").execute()).toEqual([{ credits: 2 }]);
    });

    test("tables of others in the same schema, which it may not take, are left alone", async () => {
      const kysely = await openOlder();
      const role = `repute_owner_${process.pid}`;
      const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(kysely);
      await sql
        .raw(`create table ours (n int); create role ${role};
        grant create, usage on schema "${rows[0]?.schema}" to ${role}; alter table ours owner to ${role}`)
        .execute(kysely);
      try {
        await kysely.transaction().execute(async (trx) => {
          await sql.raw(`set local role ${role}`).execute(trx);
          await takeTables(trx, 1000);
          const taken = await sql`select relation::regclass::text as name from pg_locks
            where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and locktype = 'relation'`.execute(
            trx,
          );
          expect(taken.rows).toEqual([{ name: "ours" }]);
        });
      } finally {
        await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(kysely);
      }
    });
  },
  { bare: true, hasSqlite: false },
);
