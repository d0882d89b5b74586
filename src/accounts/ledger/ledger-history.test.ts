import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { balanceOf, callOf, createCaller, historyOf, startLedger } from "../../../test/ledger-setting.ts";
import { DAY_MS } from "../../base/durations.ts";

forEachDatabase((_dialect, database) => {
  describe("record()", () => {
    test("writes rows without credits, on disk after flush()", async () => {
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
      const { account, caller } = await createCaller(setting);
      const odd = { elapsedMs: Number.NaN, items: 1e12, requestId: "x".repeat(9999), clientAddress: "\0" };
      setting.ledger.record(callOf(caller, odd));
      await setting.ledger.flush();
      expect((await historyOf(setting, account.id)).rows).toHaveLength(1);
    });

    test("writes more rows than one group has", async () => {
      const setting = await startLedger(database);
      const { account, caller } = await createCaller(setting);
      for (let i = 0; i < 700; i++) setting.ledger.record(callOf(caller));
      await setting.ledger.flush();
      expect(await historyOf(setting, account.id)).toMatchObject({ dayCalls: 700 });
    });
  });

  test("pruneHistory() deletes rows older than keep_days and leaves the roll-up", async () => {
    const setting = await startLedger(database, { store_targets: false, keep_days: 2 });
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
    const setting = await startLedger(database);
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
