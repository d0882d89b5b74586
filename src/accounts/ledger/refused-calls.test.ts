import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { createHistoryModel, MODEL_ENDPOINTS } from "../../../test/history-model.ts";
import {
  balanceOf,
  callOf,
  createCaller,
  historyOf,
  type Setting,
  startLedger,
} from "../../../test/ledger-setting.ts";
import { until } from "../../../test/service.ts";
import { DAY_MS, MINUTE_MS } from "../../base/durations.ts";
import { createUsage } from "./usage.ts";

const usage = { store_targets: false, keep_days: 2 };

const refusedOf = ({ db }: Pick<Setting, "db">, accountId: string) =>
  db.kysely
    .selectFrom("refused_calls")
    .select(["minute", "endpoint", "calls"])
    .where("account_id", "=", accountId)
    .orderBy("minute")
    .orderBy("endpoint")
    .execute();

type Made = Awaited<ReturnType<typeof createCaller>>;

const refuse = ({ ledger }: Setting, caller: Parameters<typeof callOf>[0], count: number, part = {}) => {
  for (let i = 0; i < count; i++) ledger.record(callOf(caller, { status: 429, items: 0, ...part }));
};

forEachDatabase((_dialect, database) => {
  test("5,000 refused calls are one row of each minute and endpoint, and 5,000 in the roll-up", async () => {
    const setting = await startLedger(database, usage);
    const { account, caller, email } = await createCaller(setting);
    const nowMs = setting.clock.now().getTime();
    refuse(setting, caller, 3000);
    setting.clock.advance(MINUTE_MS - 1);
    refuse(setting, caller, 999, { endpoint: "/api/whois-lookup" });
    setting.clock.advance(1);
    refuse(setting, caller, 1001);
    await setting.ledger.flush();
    expect(await refusedOf(setting, account.id)).toEqual([
      { minute: nowMs, endpoint: "/api/check-ip", calls: 3000 },
      { minute: nowMs, endpoint: "/api/whois-lookup", calls: 999 },
      { minute: nowMs + MINUTE_MS, endpoint: "/api/check-ip", calls: 1001 },
    ]);
    const { rows, days } = await historyOf(setting, account.id);
    expect(rows).toEqual([]);
    expect(days.map(({ endpoint, status, calls, credits }) => [endpoint, status, calls, credits])).toEqual(
      expect.arrayContaining([
        ["/api/check-ip", 429, 4001, 0],
        ["/api/whois-lookup", 429, 999, 0],
      ]),
    );
    expect(await balanceOf(setting, email)).toBe(100);
  });

  test("are written within a second, though nothing asks for it and nothing else is", async () => {
    const setting = await startLedger(database, usage);
    const { account, caller } = await createCaller(setting);
    refuse(setting, caller, 7);
    await until(async () => (await refusedOf(setting, account.id)).length > 0);
    expect(await refusedOf(setting, account.id)).toMatchObject([{ calls: 7 }]);
  });

  test("several processes add to the same row, and a key's last use is known", async () => {
    const first = await startLedger(database, usage);
    const { account, caller, email } = await createCaller(first);
    const settings = [first, await startLedger(database, usage), await startLedger(database, usage)];
    for (let round = 0; round < 5; round++) {
      for (const setting of settings) refuse(setting, caller, 40);
      const charges = settings.map(({ ledger }) => ledger.settle(callOf(caller), 1));
      await Promise.all([...charges, ...settings.map(({ ledger }) => ledger.flush())]);
    }
    expect(await refusedOf(first, account.id)).toMatchObject([{ calls: 600 }]);
    expect(await historyOf(first, account.id)).toMatchObject({ dayCalls: 615, dayCredits: 15 });
    expect(await first.accounts.listKeys({ email })).toMatchObject([{ lastUsedAt: first.clock.now() }]);
  });

  test("of an account that is gone none are written, and its rows go with its history", async () => {
    const setting = await startLedger(database, usage);
    const { account, caller, email } = await createCaller(setting);
    for (let minute = 0; minute < 2005; minute++) {
      refuse(setting, caller, 1);
      setting.clock.advance(MINUTE_MS);
    }
    await setting.ledger.flush();
    refuse(setting, caller, 5);
    const { kysely } = setting.db;
    await kysely.deleteFrom("api_keys").where("account_id", "=", account.id).execute();
    await kysely.deleteFrom("people").where("account_id", "=", account.id).execute();
    await kysely.deleteFrom("accounts").where("email", "=", email).execute();
    await kysely.insertInto("account_deletions").values({ account_id: account.id, at: 0 }).execute();
    expect(await setting.ledger.forgetDeleted()).toBe(2005);
    expect(await refusedOf(setting, account.id)).toEqual([]);
    expect((await historyOf(setting, account.id)).dayCalls).toBe(2005);
  });

  describe("however calls, refusals, prunings, restarts and two processes mix,", () => {
    const call = { endpoint: fc.constantFrom(...MODEL_ENDPOINTS), ledger: fc.nat(1), account: fc.nat(1) };
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ ...call, count: fc.integer({ min: 1, max: 400 }), status: fc.constant(429) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ ...call, count: fc.integer({ min: 1, max: 6 }), status: fc.constant(200) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ ...call, count: fc.integer({ min: 1, max: 3 }), status: fc.constant(422) }),
      },
      {
        weight: 3,
        // Fewer days than a cycle has: no balance is refilled.
        arbitrary: fc.record({ ms: fc.constantFrom(10, 999, 1001, MINUTE_MS, DAY_MS) }),
      },
      { weight: 1, arbitrary: fc.record({ prune: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ restart: fc.nat(1) }) },
    );
    type Model = ReturnType<typeof createHistoryModel>;

    const expectAs = async (model: Model, setting: Setting, { account, email }: Made) => {
      const { rows, days, credits, dayCredits } = await historyOf(setting, account.id);
      expect(rows).toHaveLength(model.rows(account.id));
      expect(credits).toBeLessThanOrEqual(dayCredits);
      expect(await refusedOf(setting, account.id)).toEqual(model.minutes(account.id));
      const lines = days.map(({ day, endpoint, status, calls }) => [day, endpoint, status, calls].join());
      expect(lines.sort()).toEqual(model.days(account.id));
      expect(await balanceOf(setting, email)).toBe(1000 - dayCredits);
      const last = await createUsage(setting.db).lastCalls(account.id, { limit: 10 });
      const shown = last.map((one) =>
        [one.at.getTime(), one.endpoint, one.kind === "call" ? one.status : one.calls].join(),
      );
      expect(shown).toEqual(model.last(account.id, 10));
    };

    test("all that is read is what a model says", async () => {
      const first = await startLedger(database, usage);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const callers = [await createCaller(first, 1000), await createCaller(first, 1000)];
          const settings = [first, await startLedger(database, usage)];
          const model = createHistoryModel(usage.keep_days);
          for (const one of steps) {
            for (const { clock } of settings) clock.set(first.clock.now());
            if ("ms" in one) first.clock.advance(one.ms);
            else if ("prune" in one) {
              await (settings[one.prune] ?? first).ledger.pruneHistory(first.clock.now());
              model.prune(first.clock.now().getTime());
            } else if ("restart" in one) settings[one.restart] = await startLedger(database, usage);
            else {
              const { ledger, clock } = settings[one.ledger] ?? first;
              const { caller } = callers[one.account] ?? callers[0] ?? (await createCaller(first));
              const { endpoint, status, count } = one;
              for (let i = 0; i < count; i++) {
                if (status === 200) await ledger.settle(callOf(caller, { endpoint }), 2);
                else ledger.record(callOf(caller, { endpoint, status }));
              }
              // What was refused since is lost with its process.
              await ledger.flush();
              model.add({ accountId: caller.accountId, endpoint, at: clock.now().getTime(), status }, count);
            }
            for (const made of callers) await expectAs(model, first, made);
          }
          for (const setting of settings) if (setting !== first) await setting.db.close();
        }),
        { numRuns: 25 },
      );
    });
  });

  describe("pruneHistory()", () => {
    test("deletes counts of minutes older than keep_days, however many, and leaves the roll-up", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting);
      for (let minute = 0; minute < 2101; minute++) {
        refuse(setting, caller, 2);
        setting.clock.advance(MINUTE_MS);
      }
      await setting.ledger.flush();
      expect(await setting.ledger.pruneHistory(setting.clock.now())).toBe(0);
      setting.clock.advance(2 * DAY_MS - MINUTE_MS + 1);
      expect(await setting.ledger.pruneHistory(setting.clock.now())).toBe(2101);
      expect(await refusedOf(setting, account.id)).toEqual([]);
      expect((await historyOf(setting, account.id)).dayCalls).toBe(4202);
    });
  });
});
