import { expect, onTestFinished, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { startTcpProxy } from "../../test/servers/tcp-proxy.ts";
import { createSteppedClock } from "../../test/stepped-clock.ts";
import { type Clock, systemRandom } from "../base/clock.ts";
import { MINUTE_MS } from "../base/durations.ts";
import { nextTurn } from "../base/next-turn.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { createAccounts } from "./account-store.ts";
import { createTokenReader } from "./token-reader.ts";

const silent = { warn: () => undefined };

forEachDatabase((dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const { email } = await createCaller(setting);
    const create = () => setting.accounts.createToken({ email, scopes: ["gate"] });
    return { ...setting, email, create };
  };

  /** A reader that keeps what it knows from growing old, in a time of its own. */
  const watched = (db: Database, { now }: Clock) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const stepped = createSteppedClock(stop.signal);
    const reader = createTokenReader({ db, clock: { ...stepped, now }, log: silent });
    void reader.watch(stop.signal);
    return { reader, ...stepped };
  };

  test("tokens that are read anew work as before, and are refused where they were revoked", async () => {
    const { create, accounts, db, clock } = await start();
    const { reader, pass } = watched(db, clock);
    await pass(5000);
    const [revoked, kept] = [await create(), await create()];
    for (const { text } of [revoked, kept]) expect(await reader.find(text)).not.toBeNull();
    const before = await reader.find(kept.text);
    await accounts.revokeToken(revoked.token.id);
    await pass(750);
    expect(await reader.find(revoked.text)).toBeNull();
    expect(await reader.find(kept.text)).toMatchObject({ tokenId: before?.tokenId, prefix: before?.prefix });
  });

  if (dialect === "postgres") {
    /** A token that was revoked after a reader had known it. */
    const startRevoked = async (url = database.url(), sleep?: Clock["sleep"]) => {
      const { create, clock, accounts } = await start();
      const monotonic = { ms: 0 };
      const db = await openDatabase({ url, clock });
      onTestFinished(db.close);
      const moved = { ...clock, ...(sleep && { sleep }), monotonicMs: () => monotonic.ms };
      const reader = createTokenReader({ db, clock: moved, log: silent });
      const { text, token } = await create();
      expect(await reader.find(text)).not.toBeNull();
      await accounts.revokeToken(token.prefix);
      monotonic.ms = 60_000;
      return { reader, text, monotonic };
    };

    /** The same behind a proxy, with sleeps that end as told. */
    const startBehindProxy = async () => {
      const url = new URL(database.url());
      const proxy = await startTcpProxy(Number(url.port || 5432));
      url.host = `127.0.0.1:${proxy.port}`;
      let waits: { readonly ms: number; readonly end: () => void }[] = [];
      const sleep = (ms: number) => new Promise<void>((end) => void waits.push({ ms, end }));
      return {
        ...(await startRevoked(url.href, sleep)),
        proxy,
        passed: (passedMs: number) => {
          const over = waits.filter(({ ms }) => ms <= passedMs);
          waits = waits.filter((wait) => !over.includes(wait));
          for (const { end } of over) end();
        },
      };
    };

    test("a token that was revoked is refused by a database that takes a while", async () => {
      const { reader, text, proxy, passed } = await startBehindProxy();
      proxy.freeze();
      const found = reader.find(text);
      passed(900);
      await nextTurn();
      proxy.thaw();
      expect(await found).toBeNull();
    });

    test("a token that was revoked goes on while the database is silent, and is refused when it speaks", async () => {
      const { reader, text, proxy, monotonic, passed } = await startBehindProxy();
      proxy.freeze();
      // What was waited for in vain is waited for less the next time.
      for (const ms of [1000, 200, 200]) {
        const found = reader.find(text);
        passed(ms);
        expect(await found).not.toBeNull();
        monotonic.ms += 1000;
      }
      const found = reader.find(text);
      proxy.thaw();
      expect(await found).toBeNull();
    });

    test("a token that was revoked is refused by a process that stood still while the database answered", async () => {
      const { reader, text } = await startRevoked();
      const found = reader.find(text);
      for (let i = 0; i < 5; i++) await nextTurn();
      // Longer than any wait; the answer is there when it goes on, if it was not before.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
      expect(await found).toBeNull();
    });

    test("a token that was revoked before the database went away is refused then, used meanwhile or not", async () => {
      const { create, clock, accounts } = await start();
      const away = await database.open(clock);
      const { reader, pass } = watched(away, clock);
      const [revoked, kept] = [await create(), await create()];
      for (const { text } of [revoked, kept]) expect(await reader.find(text)).not.toBeNull();
      await accounts.revokeToken(revoked.token.id);
      await pass(1000);
      await away.close();
      await pass(MINUTE_MS);
      await expect(reader.find(revoked.text)).rejects.toThrow();
      expect(await reader.find(kept.text)).not.toBeNull();
    });

    test.each([
      ["asked when it goes on", 0],
      ["asked later", MINUTE_MS],
    ])(
      "a process that stood still while a token was revoked, and the database went away, refuses it, %s",
      async (_, ms) => {
        const { create, clock, accounts } = await start();
        const away = await database.open(clock);
        const { reader, pass, standStill } = watched(away, clock);
        const { text, token } = await create();
        await pass(300);
        expect(await reader.find(text)).not.toBeNull();
        await accounts.revokeToken(token.id);
        await away.close();
        standStill(1500);
        if (ms > 0) await pass(ms);
        await expect(reader.find(text)).rejects.toThrow();
      },
    );

    test("a process that stood still reads what it knew, and goes on by it where the database had gone away before", async () => {
      const { create, clock } = await start();
      const away = await database.open(clock);
      const { reader, pass, standStill } = watched(away, clock);
      const { text } = await create();
      await pass(300);
      for (let i = 0; i < 2; i++) {
        expect(await reader.find(text)).not.toBeNull();
        standStill(MINUTE_MS);
        await pass(0);
      }
      expect(await reader.find(text)).not.toBeNull();
      await away.close();
      await pass(1500);
      for (let i = 0; i < 2; i++) {
        standStill(MINUTE_MS);
        expect(await reader.find(text)).not.toBeNull();
        await pass(2000);
        expect(await reader.find(text)).not.toBeNull();
      }
    });

    test("a token that was known goes on for an hour without the database, and no other", async () => {
      const { create, clock, accounts, email } = await start();
      const monotonic = { ms: 0 };
      const away = await database.open(clock);
      const moved = { ...clock, monotonicMs: () => monotonic.ms };
      const reader = createTokenReader({ db: away, clock: moved, log: silent });
      const { text } = await create();
      const { text: unseen } = await create();
      expect(await reader.find(text)).not.toBeNull();
      await away.close();
      for (const ms of [1000, 2500, 3_590_000]) {
        monotonic.ms = ms;
        expect(await reader.find(text)).not.toBeNull();
      }
      await expect(reader.find(unseen)).rejects.toThrow();
      monotonic.ms = 3_600_000;
      await expect(reader.find(text)).rejects.toThrow();
      expect(
        await createAccounts({ db: await database.open(), clock, random: systemRandom }).findAccount(email),
      ).not.toBeNull();
      expect(await accounts.listTokens()).toHaveLength(2);
    });
  }
});
