import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { forEachDatabase, type TestDatabase } from "../../../test/databases.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { isDatabaseUnavailable } from "../../db/unavailable.ts";
import { createAccounts } from "../account-store.ts";
import type { CallRecord } from "../accounts.ts";
import { createLedger } from "./ledger.ts";

const usage = { store_targets: false, keep_days: 90 };

async function start(database: TestDatabase) {
  const db = await database.open();
  const told: unknown[] = [];
  const log = { error: (...line: unknown[]) => told.push(line) };
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const { id: accountId, email } = await accounts.createAccount({ email: "ann@example.com" });
  const { key } = await accounts.createKey({ email });
  const call: CallRecord = {
    requestId: "request",
    accountId,
    keyId: key.id,
    keyPrefix: key.prefix,
    endpoint: "/api/check-ip",
    targetKind: "ip",
    target: null,
    items: 1,
    status: 200,
    elapsedMs: 1,
    clientAddress: "192.0.2.1",
  };
  const ledger = createLedger({ db, clock: systemClock, log, usage });
  const balance = async () => (await accounts.findAccount(email))?.credits;
  const rows = async () =>
    (await db.kysely.selectFrom("calls").select("status").execute()).map(({ status }) => status);
  return { db, ledger, call, balance, rows, told };
}

forEachDatabase((dialect, database) => {
  test("after close() charges are refused as unavailable, and flush() does not hang", async () => {
    const { db, ledger, call, told } = await start(database);
    await db.close();
    await expect(ledger.settle(call, 1)).rejects.toSatisfy(isDatabaseUnavailable);
    ledger.record(call);
    await ledger.flush();
    expect(told).toHaveLength(1);
  });

  if (dialect === "sqlite") testSqlite(database);
  else testPostgres(database);
});

function testSqlite(database: TestDatabase): void {
  describe("a database that cannot be written", () => {
    test.each([
      ["read-only", "PRAGMA query_only = 1", "PRAGMA query_only = 0"],
      ["full", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000"],
    ])(
      "%s: charges nothing, keeps the rows of uncharged calls, and goes on by itself",
      async (_, spoil, repair) => {
        const { db, ledger, call, balance, rows, told } = await start(database);
        await sql.raw(spoil).execute(db.kysely);
        // A page is full soon; what was written before stays charged.
        let charged = 0;
        let failure: unknown = null;
        while (failure === null) {
          const group = Array.from({ length: 50 }, () =>
            ledger.settle({ ...call, requestId: "x".repeat(200) }, 0),
          );
          const outcomes = await Promise.allSettled(group);
          const failed = outcomes.filter((outcome) => outcome.status === "rejected");
          expect([0, 50]).toContain(failed.length);
          if (failed[0] === undefined) charged += 50;
          else failure = failed[0].reason;
        }
        expect(failure).toSatisfy(isDatabaseUnavailable);
        for (let i = 0; i < 300; i++) ledger.record({ ...call, status: 422, requestId: "x".repeat(200) });
        await expect(ledger.flush()).rejects.toSatisfy(isDatabaseUnavailable);
        expect(told).toHaveLength(1);
        expect(await balance()).toBe(100);
        await sql.raw(repair).execute(db.kysely);
        expect(await ledger.settle(call, 1)).toEqual({ state: "charged", creditsRemaining: 99 });
        await ledger.flush();
        const statuses = await rows();
        expect(statuses.filter((status) => status === 422)).toHaveLength(300);
        expect(statuses.filter((status) => status === 200)).toHaveLength(charged + 1);
      },
    );
  });

  test("rows of uncharged calls are written later without another call", async () => {
    const { db, ledger, call, rows } = await start(database);
    await sql.raw("PRAGMA query_only = 1").execute(db.kysely);
    ledger.record(call);
    await expect(ledger.flush()).rejects.toSatisfy(isDatabaseUnavailable);
    await sql.raw("PRAGMA query_only = 0").execute(db.kysely);
    while ((await rows()).length === 0) await systemClock.sleep(20);
  });

  test("a charge waits for a transaction that is open on the same connection", async () => {
    const { db, ledger, call } = await start(database);
    const order: string[] = [];
    const open = db.kysely.transaction().execute(async (trx) => {
      await trx.insertInto("meta").values({ key: "a", value: "1" }).execute();
      await systemClock.sleep(20);
      order.push("transaction");
    });
    await systemClock.sleep(1);
    const settled = ledger.settle(call, 1).then(() => order.push("charge"));
    await Promise.all([open, settled]);
    expect(order).toEqual(["transaction", "charge"]);
  });
}

function testPostgres(database: TestDatabase): void {
  test("connections that the server ends cost only what ran on them; the next charge goes through", async () => {
    const { db, ledger, call, balance, rows } = await start(database);
    const other = await database.open();
    const names = await sql<{ schema: string }>`select current_schema() as schema`.execute(db.kysely);
    expect(names.rows[0]?.schema).toMatch(/^test_/);
    const pids = await Promise.all(
      Array.from({ length: 5 }, () =>
        sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.kysely),
      ),
    );
    const running = Promise.allSettled(Array.from({ length: 20 }, () => ledger.settle(call, 1)));
    const ended = pids.map(({ rows: found }) => found[0]?.pid ?? 0);
    for (const pid of ended) await sql`select pg_terminate_backend(${pid})`.execute(other.kysely);
    const alive = sql`select pid from pg_stat_activity where pid in (${sql.join(ended)})`;
    while ((await alive.execute(other.kysely)).rows.length > 0) await systemClock.sleep(5);
    const outcomes = await running;
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toSatisfy(isDatabaseUnavailable);
    }
    // A connection that is gone is only found out when it is used, or when the news of its end arrive.
    await expect.poll(() => db.isReachable()).toBe(true);
    expect(await ledger.settle(call, 1)).toMatchObject({ state: "charged" });
    expect(await balance()).toBe(100 - (await rows()).length);
  });

  test("a group that the database does not charge in full is not written at all", async () => {
    const { db, ledger, call, balance, rows } = await start(database);
    await sql`create function refuse() returns trigger language plpgsql as 'begin return null; end'`.execute(
      db.kysely,
    );
    await sql`create trigger refuse before update on accounts for each row execute function refuse()`.execute(
      db.kysely,
    );
    await expect(ledger.settle(call, 1)).rejects.toThrow("the database refused some, and let through 0");
    expect(await rows()).toEqual([]);
    await sql`drop trigger refuse on accounts`.execute(db.kysely);
    expect(await ledger.settle(call, 1)).toEqual({ state: "charged", creditsRemaining: 99 });
    expect(await balance()).toBe(99);
  });

  test("a key revoked while the group waits for its account is judged revoked", async () => {
    const { db, ledger, call, balance, rows } = await start(database);
    let settled: Promise<unknown> = Promise.resolve();
    await db.kysely.transaction().execute(async (trx) => {
      await trx.selectFrom("accounts").select("id").where("id", "=", call.accountId).forUpdate().execute();
      settled = ledger.settle(call, 1);
      const waiting = sql`select pid from pg_locks where not granted and
        transactionid = (select transactionid from pg_locks where pid = pg_backend_pid() and granted
          and locktype = 'transactionid' limit 1)`;
      while ((await waiting.execute(trx)).rows.length === 0) await systemClock.sleep(2);
      await trx.updateTable("api_keys").set({ revoked_at: 1 }).where("id", "=", call.keyId).execute();
    });
    expect(await settled).toEqual({ state: "revoked" });
    expect(await balance()).toBe(100);
    expect(await rows()).toEqual([]);
  });

  test("a connection that dies inside a group takes nothing, and its rows of uncharged calls are written later", async () => {
    const { db, ledger, call, balance, rows } = await start(database);
    const other = await database.open();
    let settled: Promise<unknown> = Promise.resolve();
    await other.kysely.transaction().execute(async (trx) => {
      // The group waits for this lock, and its backend is ended while it waits.
      await trx.selectFrom("accounts").select("id").where("id", "=", call.accountId).forUpdate().execute();
      settled = ledger.settle(call, 1).catch((error: unknown) => error);
      ledger.record({ ...call, status: 422 });
      const waiting = sql<{ pid: number }>`select pid from pg_locks where not granted and
        transactionid = (select transactionid from pg_locks where pid = pg_backend_pid() and granted
          and locktype = 'transactionid' limit 1)`;
      let pid: number | undefined;
      while (pid === undefined) pid = (await waiting.execute(trx)).rows[0]?.pid;
      await sql`select pg_terminate_backend(${pid})`.execute(trx);
    });
    expect(await settled).toSatisfy(isDatabaseUnavailable);
    expect(await balance()).toBe(100);
    await ledger.flush();
    expect(await rows()).toEqual([422]);
    expect(await ledger.settle(call, 1)).toEqual({ state: "charged", creditsRemaining: 99 });
    expect(await db.isReachable()).toBe(true);
  });
}
