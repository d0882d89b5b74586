import { sql } from "kysely";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../../test/databases.ts";
import { balanceOf, callOf, createCaller, historyOf, startLedger } from "../../../test/ledger-setting.ts";
import { systemRandom } from "../../base/clock.ts";
import { createAccounts } from "../account-store.ts";
import { CYCLE_MS } from "../refill.ts";

forEachDatabase((dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const other = createAccounts({
      db: await database.open(setting.clock),
      clock: setting.clock,
      random: systemRandom,
    });
    const made = await createCaller(setting, 3);
    const find = async () => (await setting.ledger.findCaller(made.text))?.credits ?? null;
    return { ...setting, ...made, setting, other, find };
  };

  test("what another connection writes is seen by the very next call", async () => {
    const { other, find, email, key } = await start();
    expect(await find()).toBe(3);
    await other.setCredits({ email, credits: 40 });
    expect(await find()).toBe(40);
    await other.setDisabled({ email, isDisabled: true });
    expect(await find()).toBeNull();
    await other.setDisabled({ email, isDisabled: false });
    expect(await find()).toBe(40);
    await other.revokeKey(key.id);
    expect(await find()).toBeNull();
  });

  test("what the pages of this process write is seen by the very next call", async () => {
    const { accounts, find, email, key } = await start();
    expect(await find()).toBe(3);
    await accounts.setCredits({ email, credits: 50 });
    expect(await find()).toBe(50);
    await accounts.revokeKey(key.id);
    expect(await find()).toBeNull();
  });

  test("charges are taken off for every key of the account, to the last credit", async () => {
    const { setting, accounts, ledger, caller, find, email } = await start();
    const second = await accounts.createKey({ email });
    const balances = async () => [await find(), (await ledger.findCaller(second.text))?.credits];
    expect(await balances()).toEqual([3, 3]);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => ledger.settle(callOf(caller), 1)));
    expect(outcomes.map(({ state }) => state)).toEqual(["charged", "charged", "charged", "insufficient"]);
    expect(await balances()).toEqual([0, 0]);
    expect(await balanceOf(setting, email)).toBe(0);
    expect((await historyOf(setting, caller.accountId)).credits).toBe(3);
  });

  test("a charge on a balance that another connection changed meanwhile takes the cost and no more", async () => {
    const { setting, other, ledger, caller, find, email } = await start();
    expect(await find()).toBe(3);
    await other.setCredits({ email, credits: 20 });
    expect(await ledger.settle(callOf(caller), 2)).toEqual({ state: "charged", creditsRemaining: 18 });
    await other.setCredits({ email, credits: 1 });
    expect(await ledger.settle(callOf(caller), 2)).toMatchObject({ state: "insufficient", credits: 1 });
    expect(await balanceOf(setting, email)).toBe(1);
  });

  if (dialect === "sqlite")
    test("rows that have got other numbers meanwhile are charged all the same", async () => {
      const { setting, ledger, caller, accounts, find, email } = await start();
      const other = await createCaller(setting, 5);
      expect(await find()).toBe(3);
      expect((await ledger.findCaller(other.text))?.credits).toBe(5);
      const db = await database.open(setting.clock);
      await sql`update accounts set rowid = 1000 - rowid`.execute(db.kysely);
      await sql`update accounts set rowid = rowid - 997`.execute(db.kysely);
      await sql`update api_keys set rowid = rowid + 7`.execute(db.kysely);
      expect(await ledger.settle(callOf(caller), 1)).toEqual({ state: "charged", creditsRemaining: 2 });
      expect(await balanceOf(setting, email)).toBe(2);
      expect(await balanceOf(setting, other.email)).toBe(5);
      expect(await accounts.revokeKey(other.key.id)).toBeTruthy();
      expect(await ledger.settle(callOf(other.caller), 1)).toEqual({ state: "revoked" });
    });

  test("a refill that has become due is given to a caller who is known, and charged on", async () => {
    const { ledger, clock, caller, find } = await start();
    expect(await find()).toBe(3);
    clock.advance(CYCLE_MS);
    const full = await find();
    expect(full).toBeGreaterThan(3);
    expect(await ledger.settle(callOf(caller), 1)).toEqual({
      state: "charged",
      creditsRemaining: Number(full) - 1,
    });
    expect(await find()).toBe(Number(full) - 1);
  });
});
