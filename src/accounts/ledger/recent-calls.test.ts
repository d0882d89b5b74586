import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { callOf, createCaller, type Setting, startLedger } from "../../../test/ledger-setting.ts";
import { DAY_MS } from "../../base/durations.ts";
import { createActivity } from "./activity.ts";
import { readLastCalls } from "./recent-calls.ts";
import { createUsage } from "./usage.ts";

forEachDatabase((dialect, database) => {
  const start = () => startLedger(database, { store_targets: true, keep_days: 2 });
  const targetsOf = async ({ db }: Setting, accountId: string) =>
    (await readLastCalls(db, accountId, { limit: 10 })).map((call) =>
      call.kind === "call" ? call.target : `${call.calls} refused`,
    );

  describe("the last calls", () => {
    test("of a quiet account are found behind those of a busy one, newest first", async () => {
      const setting = await start();
      const { ledger, clock } = setting;
      const [quiet, busy] = [await createCaller(setting), await createCaller(setting, 10_000)];
      for (const target of ["a", "b"]) await ledger.settle(callOf(quiet.caller, { target }), 1);
      for (let i = 0; i < 30; i++) {
        for (let j = 0; j < 1000; j++) ledger.record(callOf(busy.caller, { status: 422, target: `${i}` }));
        await ledger.flush();
        clock.advance(400);
      }
      await ledger.settle(callOf(quiet.caller, { target: "c" }), 1);
      expect(await targetsOf(setting, quiet.account.id)).toEqual(["c", "b", "a"]);
      expect(await targetsOf(setting, busy.account.id)).toEqual(Array(10).fill("29"));
    });

    test("are those by a key, with the minutes in which calls were refused between them", async () => {
      const setting = await start();
      const { ledger, clock } = setting;
      const { caller, account } = await createCaller(setting);
      await ledger.settle(callOf(caller, { target: "a" }), 1);
      clock.advance(60_000);
      for (let i = 0; i < 12; i++) ledger.record(callOf(caller, { status: 429 }));
      ledger.record(callOf({ ...caller, keyId: "", keyPrefix: "session" }, { target: "page" }));
      clock.advance(60_000);
      await ledger.settle(callOf(caller, { target: "b" }), 1);
      await ledger.flush();
      expect(await targetsOf(setting, account.id)).toEqual(["b", "12 refused", "a"]);
    });

    test("are none of another's that were given the numbers of deleted ones", async () => {
      const setting = await start();
      const { ledger, clock } = setting;
      const [gone, next] = [await createCaller(setting), await createCaller(setting)];
      for (let i = 0; i < 4; i++) await ledger.settle(callOf(gone.caller, { target: `old ${i}` }), 1);
      clock.advance(3 * DAY_MS);
      expect(await ledger.pruneHistory(clock.now())).toBe(4);
      for (let i = 0; i < 3; i++) await ledger.settle(callOf(next.caller, { target: `new ${i}` }), 1);
      await ledger.settle(callOf(gone.caller, { target: "again" }), 1);
      for (const wait of [0, 1001]) {
        clock.advance(wait);
        await ledger.settle(callOf(next.caller, { target: "last" }), 1);
        expect(await targetsOf(setting, gone.account.id)).toEqual(["again"]);
      }
      expect(await targetsOf(setting, next.account.id)).toEqual(["last", "last", "new 2", "new 1", "new 0"]);
    });

    test("of an account that an earlier version kept are found at once", async () => {
      const setting = await start();
      const { ledger, db } = setting;
      const { caller, account } = await createCaller(setting);
      for (let i = 0; i < 3; i++) await ledger.settle(callOf(caller, { target: `${i}` }), 1);
      await ledger.pruneHistory(setting.clock.now());
      if (dialect === "sqlite") {
        expect(await db.kysely.selectFrom("last_calls").selectAll().execute()).toEqual([
          { account_id: account.id, ids: "[3,2,1]" },
        ]);
        const file = new DatabaseSync(database.url());
        for (const name of [
          "last_calls",
          "refused_calls",
          "sign_ups",
          "recovery_codes",
          "access_tokens",
          "engine_switches",
          "bulk_run_items",
          "bulk_runs",
          "result_shares",
          "results",
          "source_days",
          "person_networks",
          "alerts",
          "alert_settings",
          "invitations",
          "credentials",
          "reset_tokens",
        ])
          file.exec(`drop table ${name}`);
        file.exec(`
          drop index sessions_person_id; alter table sessions drop column person_id; drop table people;
          alter table api_keys drop column person_id;
          create table credentials (account_id text primary key, password_hash text, totp_secret text,
            is_totp_confirmed integer not null default 0, totp_last_step bigint);
          create table reset_tokens (token_hash text primary key, account_id text not null, created_at bigint not null,
            expires_at bigint not null, ends_totp integer not null)`);
        file.exec(`drop index api_keys_account_id_revoked_at; drop index api_keys_account_id_created_at;
          create index api_keys_account_id on api_keys (account_id);
          alter table accounts drop column email_proved_at;
          delete from schema_steps where name >= '0011'`);
        file.close();
        await database.open();
      }
      expect(await targetsOf(setting, account.id)).toEqual(["2", "1", "0"]);
    });
  });

  test("an account's activity is read at most once a second, and by many at once together", async () => {
    const setting = await start();
    const { ledger, clock, db } = setting;
    const { caller, account } = await createCaller(setting);
    const usage = createUsage(db);
    let [reads, ms] = [0, 0];
    const activityOf = createActivity({
      usage: {
        ...usage,
        lastCalls: (...wish) => {
          reads++;
          return usage.lastCalls(...wish);
        },
      },
      ledger,
      clock: { ...clock, monotonicMs: () => ms },
    });
    const callsOf = async () => (await activityOf(account.id)).today.calls;
    expect(await Promise.all(Array.from({ length: 50 }, callsOf))).toEqual(Array(50).fill(0));
    ledger.record(callOf(caller, { status: 429 }));
    await ledger.settle(callOf(caller), 1);
    ms = 999;
    expect([await callsOf(), reads]).toEqual([0, 1]);
    ms = 1000;
    expect([await callsOf(), reads]).toEqual([2, 2]);
    expect(await activityOf(account.id)).toMatchObject({
      today: { calls: 2, credits: 1, refused: 1, failed: 0 },
      yesterday: { calls: 0 },
      hasLookedUp: true,
    });
    await activityOf("another");
    expect(reads).toBe(3);
  });

  if (dialect !== "sqlite") return;

  test("no read of an account's activity goes through the history of others", async () => {
    const setting = await start();
    const { caller, account } = await createCaller(setting);
    await setting.ledger.settle(callOf(caller), 1);
    const file = new DatabaseSync(database.url());
    const statements: string[] = [];
    const { kysely } = setting.db;
    const executor = kysely.getExecutor();
    const traced = kysely.withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(executor.compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const usage = createUsage({ kysely: traced, dialect });
    const activityOf = createActivity({ usage, ledger: setting.ledger, clock: setting.clock });
    expect((await activityOf(account.id)).lastCalls).toHaveLength(1);
    expect(statements.length).toBeGreaterThan(4);
    for (const statement of statements) {
      const plan = file.prepare(`explain query plan ${statement}`).all();
      const lines = plan.map(({ detail }) => String(detail));
      expect(lines.filter((line) => /^SCAN (?!kept|newest|\(|call_days|CONSTANT)/.test(line))).toEqual([]);
    }
    file.close();
  });
});
