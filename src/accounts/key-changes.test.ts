import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { callOf, createCaller, historyOf, startLedger } from "../../test/ledger-setting.ts";
import { outcomeOf } from "../../test/sign-in-setting.ts";
import { DAY_MS } from "../base/durations.ts";
import { readIp } from "../targets/ip.ts";

forEachDatabase((_dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const { accounts, ledger, clock } = setting;
    const { email, account } = await createCaller(setting);
    const create = async (wish: object = {}) => {
      const { key, text } = await accounts.createKey({ email, name: "server", ...wish });
      return { key, text };
    };
    const isKnown = async (text: string) => (await ledger.findCaller(text)) !== null;
    const inMs = (ms: number) => new Date(clock.now().getTime() + ms);
    const stateOf = async (id: string) =>
      (await accounts.listKeys({ email })).find((key) => key.id === id)?.state;
    return { ...setting, email, account, create, isKnown, inMs, stateOf };
  };

  describe("an expiry", () => {
    test("ends a key at admission and at settlement, also one that is known already", async () => {
      const { clock, ledger, create, isKnown, inMs, db, account } = await start();
      const { text } = await create({ options: { expiresAt: inMs(60_000) } });
      const caller = await ledger.findCaller(text);
      if (caller === null) throw new Error("The key is not known");
      expect(await ledger.settle(callOf(caller), 1)).toMatchObject({ state: "charged" });
      clock.advance(59_999);
      expect(await isKnown(text)).toBe(true);
      clock.advance(1);
      expect(await ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
      expect(await isKnown(text)).toBe(false);
      expect(await historyOf({ db }, account.id)).toMatchObject({ credits: 1, dayCredits: 1 });
    });

    test("stays passed when the clock is set back, also for who reads the database anew", async () => {
      const { clock, ledger, accounts, create, isKnown, inMs, stateOf } = await start();
      const { key, text } = await create({ options: { expiresAt: inMs(60_000) } });
      const caller = await ledger.findCaller(text);
      if (caller === null) throw new Error("The key is not known");
      clock.advance(60_000);
      expect(await isKnown(text)).toBe(false);
      clock.advance(-DAY_MS);
      expect(await isKnown(text)).toBe(false);
      expect(await ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
      clock.advance(DAY_MS);
      expect(await accounts.endExpiredKeys()).toBe(1);
      expect(await accounts.endExpiredKeys()).toBe(0);
      clock.advance(-DAY_MS);
      const other = await startLedger(database);
      other.clock.set(clock.now());
      expect(await other.ledger.findCaller(text)).toBeNull();
      expect(await stateOf(key.id)).toBe("expired");
    });

    test("a clock set back kills no key that has not expired", async () => {
      const { clock, create, isKnown, inMs } = await start();
      const { text } = await create({ options: { expiresAt: inMs(60_000) } });
      expect(await isKnown(text)).toBe(true);
      clock.advance(-400 * DAY_MS);
      expect(await isKnown(text)).toBe(true);
      clock.advance(400 * DAY_MS);
      expect(await isKnown(text)).toBe(true);
    });

    test("put off by the account revives the key at once, within the plan's number", async () => {
      const { clock, accounts, create, isKnown, inMs, stateOf } = await start();
      const { key, text } = await create({ options: { expiresAt: inMs(60_000) } });
      clock.advance(120_000);
      expect(await isKnown(text)).toBe(false);
      await accounts.endExpiredKeys();
      expect(await outcomeOf(accounts.updateKey(key.id, { name: "other" }))).toBe("CONFLICT");
      await accounts.updateKey(key.id, { expiresAt: inMs(60_000) });
      expect([await isKnown(text), await stateOf(key.id)]).toEqual([true, "active"]);
      clock.advance(60_000);
      // An expired key has made room for another one.
      await create();
      expect(await outcomeOf(accounts.updateKey(key.id, { expiresAt: null }))).toBe("VALIDATION");
      expect(await isKnown(text)).toBe(false);
    });

    test("is not a revocation: the list says which of the two ended a key", async () => {
      const { clock, accounts, email, create, inMs } = await start();
      const { key } = await create({ options: { expiresAt: inMs(1000) } });
      clock.advance(1000);
      await accounts.endExpiredKeys();
      const listed = (await accounts.listKeys({ email })).find(({ id }) => id === key.id);
      expect(listed).toMatchObject({
        state: "expired",
        revokedAt: null,
        options: { expiresAt: key.options.expiresAt },
      });
      const actions = (await accounts.listAudit({ limit: 99 })).map(({ action }) => action);
      expect(actions.filter((action) => action === "key.expire")).toHaveLength(1);
    });
  });

  describe("updateKey()", () => {
    test("holds for the very next call, also when another process wrote it", async () => {
      const { ledger, accounts, create } = await start();
      const other = await startLedger(database);
      const { key, text } = await create();
      const allows = async (address: string, product: string) => {
        const caller = await ledger.findCaller(text);
        if (caller === null) return null;
        const { restriction } = caller;
        return (
          restriction === null ||
          (restriction.allowsAddress(readIp(address)) && restriction.allowsProduct(product))
        );
      };
      expect(await allows("192.0.2.1", "check-ip")).toBe(true);
      await accounts.updateKey(key.id, { networks: ["198.51.100.0/24"] });
      expect(await allows("192.0.2.1", "check-ip")).toBe(false);
      expect(await allows("198.51.100.9", "check-ip")).toBe(true);
      await other.accounts.updateKey(key.prefix, { networks: null, products: ["whois-lookup"] });
      expect(await allows("192.0.2.1", "check-ip")).toBe(false);
      expect(await allows("192.0.2.1", "whois-lookup")).toBe(true);
      await other.accounts.updateKey(key.id, { name: "  renamed " });
      expect(await allows("192.0.2.1", "check-ip")).toBe(false);
      await accounts.updateKey(key.id, { products: null });
      expect((await ledger.findCaller(text))?.restriction).toBeNull();
      expect(
        (await accounts.listAudit({ limit: 99 })).filter(({ action }) => action === "key.update"),
      ).toHaveLength(4);
    });

    test("takes the whole of a key for its name, as where one was found that leaked", async () => {
      const { accounts, account, create } = await start();
      const { key, text } = await create();
      expect(await accounts.updateKey(text, { name: "x" })).toMatchObject({ id: key.id, name: "x" });
      expect(await accounts.revokeKey(text, { accountId: account.id })).toMatchObject({
        key: { id: key.id },
      });
    });

    test("changes no revoked key, and none of another account", async () => {
      const { accounts, account, create } = await start();
      const { key } = await create();
      const stranger = await accounts.createAccount({ email: "stranger@example.com" });
      expect(await outcomeOf(accounts.updateKey(key.id, { name: "x" }, { accountId: stranger.id }))).toBe(
        "NOT_FOUND",
      );
      expect(await outcomeOf(accounts.rollKey(key.id, { overlapMs: 0 }, { accountId: stranger.id }))).toBe(
        "NOT_FOUND",
      );
      await accounts.revokeKey(key.id);
      expect(
        await outcomeOf(accounts.updateKey(key.id, { expiresAt: null }, { accountId: account.id })),
      ).toBe("CONFLICT");
      expect(await outcomeOf(accounts.rollKey(key.id, { overlapMs: 0 }))).toBe("CONFLICT");
    });
  });

  describe("rollKey()", () => {
    test("gives a new secret with the same limits; the old one works to the end of the overlap", async () => {
      const { accounts, clock, create, isKnown, inMs, stateOf } = await start();
      const options = { expiresAt: inMs(9 * DAY_MS), networks: ["192.0.2.0/24"], products: ["check-ip"] };
      const first = await create({ options });
      const { key, text, old } = await accounts.rollKey(first.key.id, { overlapMs: DAY_MS });
      expect(key).toMatchObject({ name: "server", options, state: "active", replacedBy: null });
      expect(old).toMatchObject({ replacedBy: key.id, options: { ...options, expiresAt: inMs(DAY_MS) } });
      expect(text).not.toBe(first.text);
      expect([await isKnown(first.text), await isKnown(text)]).toEqual([true, true]);
      expect(await outcomeOf(accounts.updateKey(first.key.id, { expiresAt: null }))).toBe("CONFLICT");
      clock.advance(DAY_MS);
      expect([await isKnown(first.text), await isKnown(text)]).toEqual([false, true]);
      expect(await stateOf(first.key.id)).toBe("expired");
    });

    test("without an overlap the old key is revoked, and an overlap lengthens no life", async () => {
      const { accounts, create, isKnown, inMs, stateOf } = await start();
      const first = await create({ options: { expiresAt: inMs(1000) } });
      const second = await accounts.rollKey(first.key.id, { overlapMs: DAY_MS, expiresAt: null });
      expect(second.old.options.expiresAt).toEqual(inMs(1000));
      expect(second.key.options.expiresAt).toBeNull();
      await accounts.revokeKey(first.key.id);
      await accounts.rollKey(second.key.prefix, { overlapMs: 0 });
      expect([await isKnown(second.text), await stateOf(second.key.id)]).toEqual([false, "revoked"]);
    });

    test("works where the plan is full, and is no way to more keys", async () => {
      const { accounts, email, create } = await start();
      const { key } = await create();
      expect(await outcomeOf(accounts.createKey({ email }))).toBe("VALIDATION");
      const rolled = await accounts.rollKey(key.id, { overlapMs: DAY_MS });
      expect(await outcomeOf(accounts.rollKey(rolled.key.id, { overlapMs: DAY_MS }))).toBe("CONFLICT");
      expect(await outcomeOf(accounts.rollKey(key.id, { overlapMs: DAY_MS }))).toBe("CONFLICT");
      for (let i = 0; i < 9; i++) {
        const before = (await accounts.listKeys({ email })).filter(
          (one) => one.state === "active" && one.replacedBy === null,
        );
        for (const { id } of before) {
          await outcomeOf(accounts.rollKey(id, { overlapMs: DAY_MS }));
        }
        const [one] = (await accounts.listKeys({ email })).filter(
          (k) => k.state === "active" && k.replacedBy === null,
        );
        if (one !== undefined) await accounts.revokeKey(one.id);
        await outcomeOf(accounts.createKey({ email }));
      }
      const working = (await accounts.listKeys({ email })).filter(({ state }) => state === "active");
      expect(working.length).toBeLessThanOrEqual(4);
      expect(working.filter(({ replacedBy }) => replacedBy === null).length).toBeLessThanOrEqual(2);
    });

    test.each([-1, 7 * DAY_MS + 1, Number.NaN, 0.5])("refuses an overlap of %s ms", async (overlapMs) => {
      const { accounts, create, isKnown } = await start();
      const { key, text } = await create();
      expect(await outcomeOf((async () => accounts.rollKey(key.id, { overlapMs }))())).toBe("overlap_range");
      expect(await isKnown(text)).toBe(true);
    });
  });
});
