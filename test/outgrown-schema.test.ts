import { sql } from "kysely";
import { expect, test } from "vitest";
import { openPage, PASSWORD, personPage } from "./dashboard.ts";
import { endBeforeDatabase, forEachDatabase } from "./databases.ts";
import { startTestService } from "./service.ts";

/* What a process of the old version answers once a newer one has changed the schema under it (operations.md, Upgrade). */

const CHANGES = [
  ["a table has another name", "alter table credentials rename to credentials_2"],
  ["a column has another name", "alter table people rename column email to address"],
  [
    "a column must have a value",
    "alter table sessions add column via text; update sessions set via = 'x'; alter table sessions alter column via set not null",
  ],
] as const;

// A file is brought up to date while no process runs.
forEachDatabase(
  (_dialect, database) => {
    test.each(CHANGES)(
      "%s since a newer version: 503 there, calls go on, and the log says why",
      async (_, change) => {
        const service = await startTestService({ databaseUrl: database.url() });
        const account = await service.openAccount();
        await personPage(service, account.id);
        for (const statement of change.split("; ")) await sql.raw(statement).execute(service.db.kysely);
        const signIn = async () => {
          const entry = await openPage(service);
          return entry.call("POST", "/sign-in", { email: account.email, password: PASSWORD });
        };
        // A fault of the program's own stays one.
        expect((await signIn()).status).toBe(500);
        await sql`insert into schema_steps (name, timestamp) values ('9999-newer', '')`.execute(
          service.db.kysely,
        );
        const answer = await signIn();
        expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([503, true]);
        expect(service.logged()).toContain(
          "A newer version of Repute has changed the database: replace this process",
        );
        const call = { path: "/api/check-ip", key: account.key, body: { ip: "192.0.2.1" } };
        expect((await service.call(call)).status).toBe(200);
        await service.close();
      },
    );

    test("a database without the tables took its place: 503 until it is back, one line of the log, no restart", async () => {
      const service = await startTestService({ databaseUrl: database.url() });
      const account = await service.openAccount();
      const call = () => service.call({ path: "/api/check-ip", key: account.key, body: { ip: "192.0.2.1" } });
      const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(
        service.db.kysely,
      );
      const [name = "", away = ""] = [rows[0]?.name, `${rows[0]?.name}_away`];
      const { credits } = (await service.accounts.findAccount(account.email)) ?? {};
      await sql`alter schema ${sql.id(name)} rename to ${sql.id(away)}`.execute(service.db.kysely);
      for (let i = 0; i < 3; i++) {
        const answer = await call();
        expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([503, true]);
      }
      await sql`alter schema ${sql.id(away)} rename to ${sql.id(name)}`.execute(service.db.kysely);
      expect((await call()).status).toBe(200);
      expect(await service.balanceOf(account)).toBe(Number(credits) - 1);
      const atWarn = service.logged().match(/"level":"(warn|error)"[^\n]*lacks tables of this version/g);
      expect([atWarn?.length, service.logged().includes("Call failed")]).toEqual([1, false]);
      await service.close();
    });

    test("a database that accepts no connections for a while: 503 until it does, and no line for each call", async () => {
      // Connections are refused to a whole database: one of this test's own.
      const { kysely } = await database.open();
      const own = `repute_closed_${process.pid}`;
      await sql`create database ${sql.id(own)}`.execute(kysely);
      const accept = (may: boolean) =>
        sql`alter database ${sql.id(own)} allow_connections ${sql.raw(String(may))}`.execute(kysely);
      // The test's database is closed before what a test asks for at its end.
      endBeforeDatabase(async () => {
        await sql`drop database if exists ${sql.id(own)} with (force)`.execute(kysely).catch(() => undefined);
      });
      const databaseUrl = Object.assign(new URL(database.url()), { pathname: `/${own}`, search: "" }).href;
      const service = await startTestService({ databaseUrl });
      const account = await service.openAccount();
      const call = () => service.call({ path: "/api/check-ip", key: account.key, body: { ip: "192.0.2.1" } });
      await accept(false);
      const ended = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${own}`;
      await ended.execute(kysely);
      for (let i = 0; i < 3; i++) {
        const answer = await call();
        expect([answer.status, Number(answer.headers["retry-after"]) > 0]).toEqual([503, true]);
      }
      await accept(true);
      expect((await call()).status).toBe(200);
      expect(service.logged()).not.toContain("Call failed");
      await service.close();
    });
  },
  { hasSqlite: false },
);
