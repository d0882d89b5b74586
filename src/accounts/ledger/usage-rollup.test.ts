import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { callOf, createCaller, historyOf, type Setting, startLedger } from "../../../test/ledger-setting.ts";
import { DAY_MS } from "../../base/durations.ts";
import { createUsage } from "./usage.ts";

const usage = { store_targets: false, keep_days: 2 };

/** What the sums say that stand, without the rows behind the mark. */
const standing = (url: string) => {
  const file = new DatabaseSync(url, { readOnly: true });
  try {
    return Number(
      file.prepare("select coalesce(sum(calls), 0) as calls from call_day_sums").get()?.["calls"],
    );
  } finally {
    file.close();
  }
};

forEachDatabase((dialect, database) => {
  const charge = async ({ ledger }: Setting, caller: Parameters<typeof callOf>[0], count: number) => {
    for (let i = 0; i < count; i++) await ledger.settle(callOf(caller), 1);
  };

  test("however calls, prunings, restarts and two processes mix, the roll-up has every call once", async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ ledger: fc.nat(1), calls: fc.integer({ min: 1, max: 5 }) }) },
      { weight: 2, arbitrary: fc.record({ ms: fc.constantFrom(10, 999, 1001, DAY_MS, 3 * DAY_MS, -5000) }) },
      { weight: 1, arbitrary: fc.record({ prune: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ restart: fc.nat(1) }) },
    );
    const first = await startLedger(database, usage);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { account, caller } = await createCaller(first, 1000);
        const settings = [first, await startLedger(database, usage)];
        let made = 0;
        for (const one of steps) {
          if ("calls" in one) {
            const setting = settings[one.ledger] ?? first;
            setting.clock.advance(first.clock.now().getTime() - setting.clock.now().getTime());
            await charge(setting, caller, one.calls);
            made += one.calls;
          } else if ("ms" in one) first.clock.advance(one.ms);
          else if ("prune" in one)
            await (settings[one.prune] ?? first).ledger.pruneHistory(first.clock.now());
          else settings[one.restart] = await startLedger(database, usage);
          expect(await historyOf(first, account.id)).toMatchObject({ dayCalls: made, dayCredits: made });
        }
        for (const setting of settings) if (setting !== first) await setting.db.close();
      }),
      { numRuns: 25 },
    );
  });

  if (dialect !== "sqlite") return;

  describe("the sums", () => {
    test("take many calls in one write, and not each by itself", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting, 1000);
      await charge(setting, caller, 1);
      await charge(setting, caller, 20);
      expect(standing(database.url())).toBe(1);
      setting.clock.advance(1001);
      await charge(setting, caller, 1);
      expect(standing(database.url())).toBe(21);
      expect(await historyOf(setting, account.id)).toMatchObject({ dayCalls: 22, dayCredits: 22 });
    });

    test("go on from the history after a crash", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting, 1000);
      await charge(setting, caller, 5);
      const next = await startLedger(database, usage);
      await charge(next, caller, 2);
      next.clock.advance(1001);
      await charge(next, caller, 1);
      expect(standing(database.url())).toBe(7);
      expect(await historyOf(next, account.id)).toMatchObject({ dayCalls: 8, dayCredits: 8 });
    });

    test("keep what stood behind the mark when its rows are deleted, and the numbers that are given again", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting, 1000);
      await charge(setting, caller, 3);
      setting.clock.advance(3 * DAY_MS);
      expect(await setting.ledger.pruneHistory(setting.clock.now())).toBe(3);
      expect(await historyOf(setting, account.id)).toMatchObject({ rows: [], dayCalls: 3 });
      await charge(setting, caller, 2);
      expect(await historyOf(setting, account.id)).toMatchObject({ dayCalls: 5, dayCredits: 5 });
    });

    test("go by the history where another process gave the same numbers to other rows", async () => {
      const setting = await startLedger(database, { ...usage, keep_days: 30 });
      const [x, y] = [await createCaller(setting, 100), await createCaller(setting, 100)];
      await charge(setting, x.caller, 1);
      const other = await startLedger(database, usage);
      other.clock.advance(3 * DAY_MS);
      expect(await other.ledger.pruneHistory(other.clock.now())).toBe(1);
      await charge(other, y.caller, 1);
      setting.clock.advance(1001);
      await charge(setting, x.caller, 2);
      const callsOf = async ({ id }: { readonly id: string }) => (await historyOf(setting, id)).dayCalls;
      expect([await callsOf(x.account), await callsOf(y.account)]).toEqual([3, 1]);
    });

    test("part days at midnight UTC, as the sums in memory do", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting, 1000);
      const midnight = Math.ceil(setting.clock.now().getTime() / DAY_MS) * DAY_MS;
      setting.clock.advance(midnight - 1 - setting.clock.now().getTime());
      await charge(setting, caller, 1);
      setting.clock.advance(1);
      await charge(setting, caller, 1);
      const daysOf = async () =>
        (await historyOf(setting, account.id)).days.map(({ day, calls }) => [day, calls]);
      const expected = [midnight - 1, midnight].map((at) => [new Date(at).toISOString().slice(0, 10), 1]);
      expect(await daysOf()).toEqual(expected);
      await setting.ledger.pruneHistory(setting.clock.now());
      expect(standing(database.url())).toBe(2);
      expect(await daysOf()).toEqual(expected);
    });

    test("are read by the account's index, with the few rows behind the mark", async () => {
      const setting = await startLedger(database, usage);
      const { account, caller } = await createCaller(setting, 1000);
      await charge(setting, caller, 4);
      const today = setting.clock.now().toISOString().slice(0, 10);
      const totals = await createUsage(setting.db).totals(account.id, { from: today, to: today });
      expect(totals).toEqual({ calls: 4, credits: 4, refused: 0, failed: 0 });
      const file = new DatabaseSync(database.url(), { readOnly: true });
      const plan = file
        .prepare("explain query plan select * from call_days where account_id = ? and day >= ?")
        .all("a", "2026-01-01")
        .map(({ detail }) => String(detail))
        .join("\n");
      file.close();
      expect(plan).toContain("call_day_sums USING PRIMARY KEY (account_id=? AND day>?)");
      expect(plan).toContain("calls USING INTEGER PRIMARY KEY (rowid>?)");
    });
  });
});
