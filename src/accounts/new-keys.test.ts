import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createCaller, startLedger } from "../../test/ledger-setting.ts";
import { openSessions, signUpWith } from "../../test/sign-in-setting.ts";
import { HOUR_MS } from "../base/durations.ts";

const PASSWORD = "correct horse battery staple";

forEachDatabase((_dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const { accounts, db, clock } = setting;
    const { sessions } = openSessions(db, clock);
    const email = "someone@example.com";
    const session = await sessions.find(await signUpWith({ sessions }, { email, password: PASSWORD }));
    if (session === null) throw new Error("There is no session");
    const by = { accountId: session.account.id, sessionId: session.id };
    const makeAndRevoke = async () => {
      const { key } = await accounts.createKey(by);
      await accounts.revokeKey(key.id, by);
    };
    return { ...setting, by, email, makeAndRevoke };
  };

  describe("a session", () => {
    test("makes at most 20 keys of its account in an hour, whatever it revokes", async () => {
      const { accounts, clock, by, makeAndRevoke } = await start();
      await makeAndRevoke();
      clock.advance(HOUR_MS / 2);
      for (let i = 0; i < 19; i++) await makeAndRevoke();
      await expect(makeAndRevoke()).rejects.toMatchObject({
        code: "RATE_LIMIT_EXCEEDED",
        retryAfterS: 1800,
        message: "This account has made 20 keys within an hour; try again in 30 min",
      });
      clock.advance(HOUR_MS / 2 - 1);
      await expect(makeAndRevoke()).rejects.toMatchObject({ retryAfterS: 1 });
      clock.advance(1);
      await makeAndRevoke();
      await expect(makeAndRevoke()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfterS: 1800 });
      expect(await accounts.listKeys(by)).toHaveLength(21);
    });

    test("replaces keys within the same 20, and 40 at once are no way around it", async () => {
      const { accounts, by, makeAndRevoke } = await start();
      for (let i = 0; i < 10; i++) await makeAndRevoke();
      let { key } = await accounts.createKey(by);
      for (let i = 0; i < 8; i++) ({ key } = await accounts.rollKey(key.id, { overlapMs: 0 }, by));
      const wishes = Array.from({ length: 40 }, () => accounts.rollKey(key.id, { overlapMs: 0 }, by));
      const outcomes = await Promise.allSettled(wishes);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expect(makeAndRevoke()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
      const [last] = (await accounts.listKeys(by)).filter(({ state }) => state === "active");
      await expect(accounts.rollKey(last?.id ?? "", { overlapMs: 0 }, by)).rejects.toMatchObject({
        code: "RATE_LIMIT_EXCEEDED",
      });
    });

    test("does not keep others from theirs, nor the operator from any", async () => {
      const setting = await start();
      const { accounts, by, email, makeAndRevoke } = setting;
      for (let i = 0; i < 20; i++) await makeAndRevoke();
      expect((await accounts.createKey({ email })).key.state).toBe("active");
      expect((await createCaller(setting)).key.state).toBe("active");
      await expect(accounts.createKey(by)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    });
  });
});
