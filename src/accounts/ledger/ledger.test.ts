import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { balanceOf, callOf, createCaller, historyOf, startLedger } from "../../../test/ledger-setting.ts";
import { systemRandom } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { CYCLE_MS } from "../refill.ts";

forEachDatabase((_dialect, database) => {
  describe("findCaller()", () => {
    test("knows the account and the key behind a key's text", async () => {
      const setting = await startLedger(database);
      const { account, key, caller } = await createCaller(setting, 7);
      expect(caller).toEqual({
        accountId: account.id,
        keyId: key.id,
        keyPrefix: key.prefix,
        plan: "Free",
        credits: 7,
        creditsResetAt: new Date("2026-01-31T00:00:00Z"),
        restriction: null,
      });
    });

    test("is null for a malformed, an unknown and a revoked key, and for a disabled account", async () => {
      const setting = await startLedger(database);
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

    test("asked for many keys at once it gives each its own caller, and null for unknown ones", async () => {
      const setting = await startLedger(database);
      const { accounts, ledger } = setting;
      const callers = await Promise.all([1, 2, 3].map((credits) => createCaller(setting, credits)));
      const revoked = await accounts.createKey({ email: callers[0]?.email ?? "" });
      await accounts.revokeKey(revoked.key.id);
      const texts = [...callers.map(({ text }) => text), revoked.text];
      const asked = Array.from({ length: 600 }, (_, i) => texts[i % texts.length] ?? "");
      const found = await Promise.all(asked.map(ledger.findCaller));
      expect(found.map((caller) => caller?.credits ?? null)).toEqual(
        asked.map((_, i) => [1, 2, 3, null][i % 4]),
      );
    });

    test("shows the balance after a due refill, in steps of exactly 30 days from the cycle's start", async () => {
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
      const { account, email, caller, key } = await createCaller(setting, 5);
      await setting.accounts.revokeKey(key.prefix);
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
      expect(await balanceOf(setting, email)).toBe(5);
      expect((await historyOf(setting, account.id)).rows).toEqual([]);
    });

    test("says revoked when the account was disabled, for another account's key, and for an unknown account", async () => {
      const setting = await startLedger(database);
      const { email, caller } = await createCaller(setting, 5);
      const other = await createCaller(setting, 5);
      const stranger = { ...caller, keyId: other.caller.keyId };
      expect(await setting.ledger.settle(callOf(stranger), 1)).toEqual({ state: "revoked" });
      const unknown = { ...caller, accountId: systemRandom.uuid() };
      expect(await setting.ledger.settle(callOf(unknown), 1)).toEqual({ state: "revoked" });
      await setting.accounts.setDisabled({ email, isDisabled: true });
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
    });

    test("refills in the same step when a refill is due, and no second time when the clock jumps back", async () => {
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
      const { email, caller } = await createCaller(setting, 1);
      for (const days of [31.7, 200.123, 1000.00001]) {
        setting.clock.advance(Math.round(days * DAY_MS));
        await setting.ledger.settle(callOf(caller), 1);
        const resetAt = (await setting.accounts.findAccount(email))?.cycleEndsAt.getTime() ?? 0;
        expect((resetAt - Date.UTC(2026, 0, 1)) % CYCLE_MS).toBe(0);
        expect(resetAt).toBeGreaterThan(setting.clock.now().getTime());
        expect(resetAt - setting.clock.now().getTime()).toBeLessThanOrEqual(CYCLE_MS);
      }
    });

    test("lowers a balance above the grant to the grant at the refill", async () => {
      const setting = await startLedger(database);
      const { caller } = await createCaller(setting, 5000);
      setting.clock.advance(CYCLE_MS);
      expect(await setting.ledger.settle(callOf(caller), 1)).toEqual({
        state: "charged",
        creditsRemaining: 99,
      });
    });

    test("refuses a cost above the grant and names the balance after the refill", async () => {
      const setting = await startLedger(database);
      const { caller } = await createCaller(setting, 3);
      setting.clock.advance(CYCLE_MS);
      expect(await setting.ledger.settle(callOf(caller), 200)).toEqual({
        state: "insufficient",
        credits: 100,
        creditsResetAt: new Date("2026-03-02T00:00:00Z"),
      });
    });

    test("judges every charge of a group on its own and in its order", async () => {
      const setting = await startLedger(database);
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
      const setting = await startLedger(database);
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

    test("refuses a cost that is not a whole number", async () => {
      const setting = await startLedger(database);
      const { caller } = await createCaller(setting);
      for (const cost of [-1, 0.5, Number.NaN]) {
        await expect(setting.ledger.settle(callOf(caller), cost)).rejects.toThrow(RangeError);
      }
    });

    test("keeps the target only with usage.store_targets, and takes texts no database would", async () => {
      const setting = await startLedger(database, { store_targets: true, keep_days: 90 });
      const { account, caller } = await createCaller(setting);
      await setting.ledger.settle(callOf(caller, { target: 'a\0b\ud800{"\\,}' }), 1);
      const { rows } = await historyOf(setting, account.id);
      expect(rows.map((row) => row.target)).toEqual(['a\ufffdb\ufffd{"\\,}']);
    });

    test("notes a key's last use at most once a minute", async () => {
      const setting = await startLedger(database);
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
});
