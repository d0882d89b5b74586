import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createMovableClock,
  forEachDatabase,
  type MovableClock,
  type TestDatabase,
} from "../../test/databases.ts";
import { systemRandom } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { type Accounts, createAccounts } from "./account-store.ts";
import type { Caller, CallRecord } from "./accounts.ts";
import { createLedger, type LedgerWithUpkeep } from "./ledger.ts";
import { CYCLE_MS } from "./refill.ts";

const DAY_MS = 86_400_000;
const silent = { error: () => undefined };

type Setting = {
  readonly db: Database;
  readonly clock: MovableClock;
  readonly accounts: Accounts;
  readonly ledger: LedgerWithUpkeep;
};

async function start(
  database: TestDatabase,
  usage = { store_targets: false, keep_days: 90 },
): Promise<Setting> {
  const clock = createMovableClock();
  const db = await database.open(clock);
  const accounts = createAccounts({ db, clock, random: systemRandom });
  return { db, clock, accounts, ledger: createLedger({ db, clock, log: silent, usage }) };
}

let made = 0;

async function createCaller({ accounts, ledger }: Setting, credits = 100, plan = "Free") {
  made += 1;
  const email = `caller${made}@example.com`;
  const account = await accounts.createAccount({ email, plan });
  await accounts.setCredits({ email, credits });
  const { text, key } = await accounts.createKey({ email });
  const caller = await ledger.findCaller(text);
  if (caller === null) throw new Error("The new key is not known");
  return { email, account, text, key, caller };
}

const callOf = (caller: Caller, part: Partial<CallRecord> = {}): CallRecord => ({
  requestId: "request",
  accountId: caller.accountId,
  keyId: caller.keyId,
  keyPrefix: caller.keyPrefix,
  endpoint: "/api/check-ip",
  targetKind: "ip",
  target: "192.0.2.1",
  items: 1,
  status: 200,
  elapsedMs: 12.4,
  clientAddress: "198.51.100.7",
  ...part,
});

async function historyOf({ db }: Setting, accountId: string) {
  const rows = await db.kysely.selectFrom("calls").selectAll().where("account_id", "=", accountId).execute();
  const days = await db.kysely
    .selectFrom("call_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    rows,
    days,
    credits: sum(rows.map((row) => row.credits)),
    dayCredits: sum(days.map((day) => day.credits)),
    dayCalls: sum(days.map((day) => day.calls)),
  };
}

const balanceOf = async ({ accounts }: Setting, email: string) =>
  (await accounts.findAccount(email))?.credits;

forEachDatabase((_dialect, database) => {
  describe("findCaller()", () => {
    test("knows the account and the key behind a key's text", async () => {
      const setting = await start(database);
      const { account, key, caller } = await createCaller(setting, 7);
      expect(caller).toEqual({
        accountId: account.id,
        keyId: key.id,
        keyPrefix: key.prefix,
        plan: "Free",
        credits: 7,
        creditsResetAt: new Date("2026-01-31T00:00:00Z"),
      });
    });

    test("is null for a malformed, an unknown and a revoked key, and for a disabled account", async () => {
      const setting = await start(database);
      const { accounts, ledger } = setting;
      const { email, text, key } = await createCaller(setting);
      const other = await accounts.createKey({ email });
      await accounts.revokeKey(key.id);
      expect(await ledger.findCaller(text)).toBeNull();
      expect(await ledger.findCaller("rpt_x")).toBeNull();
      expect(await ledger.findCaller(`${other.text.slice(0, -1)}!`)).toBeNull();
      expect(await ledger.findCaller(other.text)).not.toBeNull();
      await accounts.setDisabled({ email, isDisabled: true });
      expect(await ledger.findCaller(other.text)).toBeNull();
      await accounts.setDisabled({ email, isDisabled: false });
      expect(await ledger.findCaller(other.text)).not.toBeNull();
    });

    test("shows the balance after a due refill, in steps of exactly 30 days from the cycle's start", async () => {
      const setting = await start(database);
      const { text } = await createCaller(setting, 5);
      setting.clock.set(new Date("2026-01-30T23:59:59.999Z"));
      expect(await setting.ledger.findCaller(text)).toMatchObject({ credits: 5 });
      setting.clock.set(new Date("2026-01-31T00:00:00Z"));
      const first = { credits: 100, creditsResetAt: new Date("2026-03-02T00:00:00Z") };
      expect(await setting.ledger.findCaller(text)).toMatchObject(first);
      setting.clock.advance(10 * CYCLE_MS + 1);
      const later = { credits: 100, creditsResetAt: new Date(Date.UTC(2026, 0, 1) + 12 * CYCLE_MS) };
      expect(await setting.ledger.findCaller(text)).toMatchObject(later);
    });
  });

  describe("settle()", () => {
    test("takes the cost and writes the history row and its roll-up", async () => {
      const setting = await start(database);
      const { account, email, caller } = await createCaller(setting, 10);
      const call = callOf(caller, { items: 3 });
      expect(await setting.ledger.settle(call, 6)).toEqual({ state: "charged", creditsRemaining: 4 });
      expect(await balanceOf(setting, email)).toBe(4);
      const { rows, days } = await historyOf(setting, account.id);
      expect(rows).toEqual([
        {
          id: expect.anything(),
          at: setting.clock.now().getTime(),
          request_id: "request",
          account_id: account.id,
          key_id: caller.keyId,
          key_prefix: caller.keyPrefix,
          endpoint: "/api/check-ip",
          target_kind: "ip",
          target: null,
          items: 3,
          status: 200,
          credits: 6,
          elapsed_ms: 12,
          client_address: "198.51.100.7",
        },
      ]);
      expect(days).toEqual([
        {
          account_id: account.id,
          day: "2026-01-01",
          endpoint: "/api/check-ip",
          key_id: caller.keyId,
          status: 200,
          calls: 1,
          items: 3,
          credits: 6,
        },
      ]);
    });

    test("says insufficient below the cost, takes nothing and writes nothing", async () => {
      const setting = await start(database);
      const { account, email, caller } = await createCaller(setting, 1);
      expect(await setting.ledger.settle(callOf(caller), 2)).toEqual({
        state: "insufficient",
        credits: 1,
        creditsResetAt: new Date("2026-01-31T00:00:00Z"),
      });
      expect(await balanceOf(setting, email)).toBe(1);
      expect((await historyOf(setting, account.id)).rows).toEqual([]);
    });

    test("says revoked when the key was revoked after findCaller()", async () => {
      const setting = await start(database);
      const { account, email, caller, key } = await createCaller(setting, 5);
      await setting.accounts.revokeKey(key.prefix);
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
      expect(await balanceOf(setting, email)).toBe(5);
      expect((await historyOf(setting, account.id)).rows).toEqual([]);
    });

    test("says revoked when the account was disabled, for another account's key, and for an unknown account", async () => {
      const setting = await start(database);
      const { email, caller } = await createCaller(setting, 5);
      const other = await createCaller(setting, 5);
      const stranger = { ...caller, keyId: other.caller.keyId };
      expect(await setting.ledger.settle(callOf(stranger), 1)).toEqual({ state: "revoked" });
      const nobody = { ...caller, accountId: systemRandom.uuid() };
      expect(await setting.ledger.settle(callOf(nobody), 1)).toEqual({ state: "revoked" });
      await setting.accounts.setDisabled({ email, isDisabled: true });
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
    });

    test("refills in the same step when a refill is due, and no second time when the clock jumps back", async () => {
      const setting = await start(database);
      const { email, caller } = await createCaller(setting, 1);
      setting.clock.set(new Date("2026-01-31T00:00:00Z"));
      expect(await setting.ledger.settle(callOf(caller), 40)).toEqual({
        state: "charged",
        creditsRemaining: 60,
      });
      setting.clock.set(new Date("2026-01-15T00:00:00Z"));
      expect(await setting.ledger.settle(callOf(caller), 10)).toEqual({
        state: "charged",
        creditsRemaining: 50,
      });
      setting.clock.set(new Date("2026-02-01T00:00:00Z"));
      expect(await setting.ledger.settle(callOf(caller), 10)).toEqual({
        state: "charged",
        creditsRemaining: 40,
      });
      expect((await setting.accounts.findAccount(email))?.creditsResetAt).toEqual(
        new Date("2026-03-02T00:00:00Z"),
      );
    });

    test("keeps the cycle's phase to the millisecond over years", async () => {
      const setting = await start(database);
      const { email, caller } = await createCaller(setting, 1);
      for (const days of [31.7, 200.123, 1000.00001]) {
        setting.clock.advance(Math.round(days * DAY_MS));
        await setting.ledger.settle(callOf(caller), 1);
        const resetAt = (await setting.accounts.findAccount(email))?.creditsResetAt.getTime() ?? 0;
        expect((resetAt - Date.UTC(2026, 0, 1)) % CYCLE_MS).toBe(0);
        expect(resetAt).toBeGreaterThan(setting.clock.now().getTime());
        expect(resetAt - setting.clock.now().getTime()).toBeLessThanOrEqual(CYCLE_MS);
      }
    });

    test("lowers a balance above the grant to the grant at the refill", async () => {
      const setting = await start(database);
      const { caller } = await createCaller(setting, 5000);
      setting.clock.advance(CYCLE_MS);
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({
        state: "charged",
        creditsRemaining: 99,
      });
    });

    test("refuses a cost above the grant and names the balance after the refill", async () => {
      const setting = await start(database);
      const { caller } = await createCaller(setting, 3);
      setting.clock.advance(CYCLE_MS);
      expect(await setting.ledger.settle(callOf(caller), 200)).toEqual({
        state: "insufficient",
        credits: 100,
        creditsResetAt: new Date("2026-03-02T00:00:00Z"),
      });
    });

    test("judges every charge of a group on its own and in its order", async () => {
      const setting = await start(database);
      const { account, caller } = await createCaller(setting, 5);
      const outcomes = await Promise.all(
        [3, 4, 2, 1, 0].map((cost) => setting.ledger.settle(callOf(caller), cost)),
      );
      expect(outcomes).toMatchObject([
        { state: "charged", creditsRemaining: 2 },
        { state: "insufficient", credits: 2 },
        { state: "charged", creditsRemaining: 0 },
        { state: "insufficient", credits: 0 },
        { state: "charged", creditsRemaining: 0 },
      ]);
      expect((await historyOf(setting, account.id)).credits).toBe(5);
    });

    test("charges exactly 500 of 1000 parallel calls on a balance of 500", async () => {
      const setting = await start(database);
      const { account, email, caller } = await createCaller(setting, 500);
      const calls = Array.from({ length: 1000 }, () => setting.ledger.settle(callOf(caller), 1));
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter(({ state }) => state === "charged")).toHaveLength(500);
      expect(outcomes.filter(({ state }) => state === "insufficient")).toHaveLength(500);
      expect(await balanceOf(setting, email)).toBe(0);
      expect(await historyOf(setting, account.id)).toMatchObject({
        credits: 500,
        dayCredits: 500,
        dayCalls: 500,
      });
    });

    test("refuses a cost that is no whole number", async () => {
      const setting = await start(database);
      const { caller } = await createCaller(setting);
      for (const cost of [-1, 0.5, Number.NaN]) {
        await expect(setting.ledger.settle(callOf(caller), cost)).rejects.toThrow(RangeError);
      }
    });

    test("keeps the target only with usage.store_targets, and takes texts no database would", async () => {
      const setting = await start(database, { store_targets: true, keep_days: 90 });
      const { account, caller } = await createCaller(setting);
      await setting.ledger.settle(callOf(caller, { target: 'a\0b\ud800{"\\,}' }), 1);
      const { rows } = await historyOf(setting, account.id);
      expect(rows.map((row) => row.target)).toEqual(['a\ufffdb\ufffd{"\\,}']);
    });

    test("notes a key's last use at most once a minute", async () => {
      const setting = await start(database);
      const { email, caller } = await createCaller(setting);
      const startMs = setting.clock.now().getTime();
      const seen: (number | undefined)[] = [];
      for (const ms of [0, 59_999, 1]) {
        setting.clock.advance(ms);
        await setting.ledger.settle(callOf(caller), 1);
        const [key] = await setting.accounts.listKeys({ email });
        seen.push((key?.lastUsedAt?.getTime() ?? Number.NaN) - startMs);
      }
      expect(seen).toEqual([0, 0, 60_000]);
    });
  });

  describe("record()", () => {
    test("writes rows without credits, on disk after flush()", async () => {
      const setting = await start(database);
      const { account, email, caller } = await createCaller(setting, 9);
      for (const status of [402, 422, 422]) setting.ledger.record(callOf(caller, { status }));
      await setting.ledger.flush();
      const { rows, days, credits } = await historyOf(setting, account.id);
      expect(rows.map((row) => row.status).sort()).toEqual([402, 422, 422]);
      expect(days.map((day) => [day.status, day.calls]).sort()).toEqual([
        [402, 1],
        [422, 2],
      ]);
      expect(credits).toBe(0);
      expect(await balanceOf(setting, email)).toBe(9);
    });

    test("does not throw for numbers and texts out of range", async () => {
      const setting = await start(database);
      const { account, caller } = await createCaller(setting);
      const odd = { elapsedMs: Number.NaN, items: 1e12, requestId: "x".repeat(9999), clientAddress: "\0" };
      setting.ledger.record(callOf(caller, odd));
      await setting.ledger.flush();
      expect((await historyOf(setting, account.id)).rows).toHaveLength(1);
    });

    test("writes more rows than one group has", async () => {
      const setting = await start(database);
      const { account, caller } = await createCaller(setting);
      for (let i = 0; i < 700; i++) setting.ledger.record(callOf(caller));
      await setting.ledger.flush();
      expect(await historyOf(setting, account.id)).toMatchObject({ dayCalls: 700 });
    });
  });

  test("pruneHistory() deletes rows older than keep_days and leaves the roll-up", async () => {
    const setting = await start(database, { store_targets: false, keep_days: 2 });
    const { account, caller } = await createCaller(setting);
    await setting.ledger.settle(callOf(caller, { requestId: "old" }), 1);
    setting.clock.advance(2 * DAY_MS);
    await setting.ledger.settle(callOf(caller, { requestId: "kept" }), 1);
    expect(await setting.ledger.pruneHistory(setting.clock.now())).toBe(0);
    setting.clock.advance(1);
    expect(await setting.ledger.pruneHistory(setting.clock.now())).toBe(1);
    const { rows, dayCredits } = await historyOf(setting, account.id);
    expect(rows.map((row) => row.request_id)).toEqual(["kept"]);
    expect(dayCredits).toBe(2);
  });

  test("no interleaving takes a balance below zero, and the history's credits are what was taken", async () => {
    const setting = await start(database);
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ kind: fc.constant("settle" as const), cost: fc.integer({ min: 0, max: 60 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("credits" as const),
          credits: fc.integer({ min: 0, max: 150 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("days" as const), days: fc.integer({ min: -20, max: 40 }) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: "revoke" as const }) },
      { weight: 2, arbitrary: fc.constant({ kind: "wait" as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const { account, email, text, key, caller } = await createCaller(setting, 100);
        const running: Promise<unknown>[] = [];
        let charged = 0;
        for (const one of steps) {
          if (one.kind === "settle") {
            const { cost } = one;
            const outcome = setting.ledger.settle(callOf(caller), cost).then((settlement) => {
              if (settlement.state === "charged") {
                charged += cost;
                expect(settlement.creditsRemaining).toBeGreaterThanOrEqual(0);
              }
              if (settlement.state === "insufficient") expect(settlement.credits).toBeLessThan(cost);
            });
            running.push(outcome);
          } else if (one.kind === "credits")
            running.push(setting.accounts.setCredits({ email, credits: one.credits }));
          else if (one.kind === "days") setting.clock.advance(one.days * DAY_MS);
          else if (one.kind === "revoke") running.push(setting.accounts.revokeKey(key.id));
          else await running.at(-1);
        }
        await Promise.all(running);
        expect(await balanceOf(setting, email)).toBeGreaterThanOrEqual(0);
        const history = await historyOf(setting, account.id);
        expect(history.credits).toBe(charged);
        expect(history.dayCredits).toBe(charged);
        if (steps.some(({ kind }) => kind === "revoke")) {
          expect(await setting.ledger.findCaller(text)).toBeNull();
          expect(await setting.ledger.settle(callOf(caller), 0)).toEqual({ state: "revoked" });
        }
      }),
      { numRuns: 40 },
    );
  });
});
