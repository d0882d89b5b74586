import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf, signUpWith } from "../../test/sign-in-setting.ts";
import { DAY_MS, MINUTE_MS } from "../base/durations.ts";
import type { Refusal } from "../base/failure.ts";
import type { Client } from "./session-store.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";

forEachDatabase((dialect, database) => {
  const open = async (processes = 1) => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const first = openSessions(db, clock);
    const all = [first];
    // Two connections of one process would wait for one another: SQLite's wait holds the event loop. Real processes
    // are in test/dashboard-processes.test.ts.
    while (all.length < processes) {
      all.push(openSessions(dialect === "sqlite" ? db : await database.open(clock), clock));
    }
    await signUpWith(first, { email: EMAIL, password: PASSWORD });
    const account = await first.accounts.findAccount(EMAIL);
    const signIn = (
      wish: { password?: string; email?: string; client?: Client; code?: string } = {},
      { sessions } = first,
    ) =>
      sessions.signIn({
        proof: { kind: "password", email: wish.email ?? EMAIL, password: wish.password ?? PASSWORD },
        totpCode: wish.code ?? null,
        client: wish.client ?? newClient(),
      });
    const sessionOf = async (token: string) => {
      const session = await first.sessions.find(token);
      if (session === null) throw new Error("There is no session");
      return session;
    };
    return { ...first, db, all, clock, accountId: account?.id ?? "", signIn, sessionOf };
  };

  test("a session ends after 14 days, used or not, and after 7 without use", async () => {
    const { sessions, clock, signIn } = await open();
    const used = await signIn();
    const idle = await signIn();
    expect(used).not.toBe(idle);
    for (let day = 0; day < 13; day++) {
      clock.advance(DAY_MS);
      expect(await sessions.find(used)).not.toBeNull();
    }
    expect(await sessions.find(idle)).toBeNull();
    clock.advance(DAY_MS);
    expect(await sessions.find(used)).toBeNull();
    await sessions.prune();
    expect(await sessions.find("A".repeat(43))).toBeNull();
    expect(await sessions.find("' or 1=1")).toBeNull();
  });

  test("the database holds neither tokens nor passwords", async () => {
    const { db, signIn } = await open();
    const token = await signIn();
    const rows = JSON.stringify([
      await db.kysely.selectFrom("sessions").selectAll().execute(),
      await db.kysely.selectFrom("credentials").selectAll().execute(),
      await db.kysely.selectFrom("sign_in_attempts").selectAll().execute(),
    ]);
    expect(rows).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    for (const secret of [token, PASSWORD, EMAIL]) expect(rows).not.toContain(secret);
  });

  test("of fifty wrong tries at once, by two processes, ten are judged", async () => {
    const { all, hashes, signIn } = await open(2);
    const before = all.reduce((sum, one) => sum + one.hashes.made, 0);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) => outcomeOf(signIn({ password: "wrong password" }, all[i % 2]))),
    );
    expect(outcomes.filter((one) => one === "SIGN_IN_FAILED")).toHaveLength(10);
    expect(outcomes.filter((one) => one === "RATE_LIMIT_EXCEEDED")).toHaveLength(40);
    expect(all.reduce((sum, one) => sum + one.hashes.made, 0) - before).toBe(10);
    expect(hashes.most).toBeLessThanOrEqual(2);
  });

  test("many addresses on one account, and one address on many accounts, end after ten", async () => {
    const { clock, signIn } = await open();
    for (let i = 0; i < 10; i++)
      expect(await outcomeOf(signIn({ password: "wrong one" }))).toBe("SIGN_IN_FAILED");
    const refusal = await signIn().catch((error: Refusal) => error);
    expect(refusal).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfterS: 900 });
    const client = newClient();
    for (let i = 0; i < 10; i++) {
      const wish = { email: `someone-${i}@example.com`, client };
      expect(await outcomeOf(signIn(wish))).toBe("SIGN_IN_FAILED");
    }
    expect(await outcomeOf(signIn({ email: "other@example.com", client }))).toBe("RATE_LIMIT_EXCEEDED");
    clock.advance(15 * MINUTE_MS);
    expect(await outcomeOf(signIn({ client }))).toBe("done");
  });

  test("right sign-ins do not count, and do not wash failures away", async () => {
    const { signIn } = await open();
    const client = newClient();
    for (let i = 0; i < 12; i++) expect(await outcomeOf(signIn({ client }))).toBe("done");
    for (let i = 0; i < 9; i++) await outcomeOf(signIn({ client, password: "wrong one" }));
    expect(await outcomeOf(signIn({ client }))).toBe("done");
    expect(await outcomeOf(signIn({ client, password: "wrong one" }))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn({ client }))).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("a sign-in that was not judged, as too many waited, is not a wrong one", async () => {
    const { signIn } = await open();
    const crowd = Array.from({ length: 70 }, (_, i) =>
      outcomeOf(signIn({ email: `crowd-${i}@example.com` })),
    );
    const own = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(signIn())));
    expect(own).toContain("SERVICE_UNAVAILABLE");
    await Promise.all(crowd);
    for (let i = 0; i < 10; i++)
      expect(await outcomeOf(signIn({ password: "wrong one" }))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn())).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("a known account and an unknown one cost one hash each", async () => {
    const { hashes, signIn, accounts } = await open();
    await accounts.createAccount({ email: "keyonly@example.com" });
    for (const email of [EMAIL, "nobody@example.com", "keyonly@example.com"]) {
      const before = hashes.made;
      await outcomeOf(signIn({ email, password: "wrong password" }));
      expect([email, hashes.made - before]).toEqual([email, 1]);
    }
  });

  test("an authenticator: its code is asked for, opens once, and a step beside is taken", async () => {
    const { sessions, clock, signIn, sessionOf } = await open();
    const session = await sessionOf(await signIn());
    const wish = { session, client: newClient(), currentPassword: null };
    const { secret, uri } = await sessions.startTotp(wish);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Repute/);
    const codeAt = (offsetS: number) =>
      new TOTP({ secret }).generate({ timestamp: clock.now().getTime() + offsetS * 1000 });
    expect(await outcomeOf(signIn())).toBe("done");
    expect(await outcomeOf(sessions.confirmTotp({ ...wish, code: "000000" }))).toBe("code_wrong");
    await sessions.confirmTotp({ ...wish, code: codeAt(-30) });
    expect(await outcomeOf(signIn())).toBe("TOTP_REQUIRED");
    expect(await outcomeOf(signIn({ password: "wrong password" }))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn({ code: codeAt(-30) }))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn({ code: codeAt(-60) }))).toBe("SIGN_IN_FAILED");
    const code = codeAt(0);
    const both = await Promise.all([signIn({ code }), signIn({ code })].map(outcomeOf));
    expect(both.toSorted()).toEqual(["SIGN_IN_FAILED", "done"]);
    clock.advance(30_000);
    expect(await outcomeOf(signIn({ code: codeAt(30) }))).toBe("done");
    expect(await outcomeOf(sessions.startTotp(wish))).toBe("CONFLICT");
    expect(await outcomeOf(sessions.removeTotp({ ...wish, code: "123" }))).toBe("code_wrong");
    clock.advance(60_000);
    await sessions.removeTotp({ ...wish, code: codeAt(0) });
    expect(await outcomeOf(signIn())).toBe("done");
  });

  test("guesses of the code count, by key too", async () => {
    const { sessions, accounts, clock, signIn, sessionOf } = await open();
    const { text: key } = await accounts.createKey({ email: EMAIL });
    const wish = { session: await sessionOf(await signIn()), client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    await sessions.confirmTotp({ ...wish, code: code() });
    clock.advance(30_000);
    const byKey = (totpCode: string | null) =>
      outcomeOf(sessions.signIn({ proof: { kind: "key", key }, totpCode, client: newClient() }));
    expect(await byKey(null)).toBe("TOTP_REQUIRED");
    for (let i = 0; i < 10; i++) expect(await byKey("000000")).toBe("SIGN_IN_FAILED");
    expect(await byKey(code())).toBe("RATE_LIMIT_EXCEEDED");
    clock.advance(15 * MINUTE_MS);
    expect(await byKey(code())).toBe("done");
  });

  test("a link sets a password once, within an hour, and ends all sessions and links", async () => {
    const { sessions, clock, signIn } = await open();
    const old = await signIn();
    const request = async () => {
      const { issue } = await sessions.requestReset({ email: EMAIL.toUpperCase(), client: newClient() });
      return (await issue())?.token ?? "";
    };
    const [first, second] = [await request(), await request()];
    const reset = (token: string, newPassword: string) =>
      sessions.resetPassword({ token, newPassword, totpCode: null, revokeKeys: [], client: newClient() });
    const both = await Promise.all(
      [reset(first, "password one"), reset(first, "password two")].map(outcomeOf),
    );
    expect(both.toSorted()).toEqual(["done", "token_invalid"]);
    expect(await sessions.find(old)).toBeNull();
    expect(await outcomeOf(signIn())).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(reset(second, "password three"))).toBe("token_invalid");
    expect(await outcomeOf(reset("A".repeat(43), "password three"))).toBe("token_invalid");
    const late = await request();
    clock.advance(60 * MINUTE_MS);
    expect(await outcomeOf(reset(late, "password three"))).toBe("token_invalid");
    const unknown = await sessions.requestReset({ email: "nobody@example.com", client: newClient() });
    expect(await unknown.issue()).toBeNull();
  });

  test("a mailed link leaves the authenticator on: a reset must show its code", async () => {
    const { sessions, clock, signIn, sessionOf } = await open();
    const wish = { session: await sessionOf(await signIn()), client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    await sessions.confirmTotp({
      ...wish,
      code: new TOTP({ secret }).generate({ timestamp: clock.now().getTime() }),
    });
    const { issue } = await sessions.requestReset({ email: EMAIL, client: newClient() });
    const { token = "" } = (await issue()) ?? {};
    const newPassword = "another password";
    const wishOfReset = { token, newPassword, totpCode: null, revokeKeys: [], client: newClient() };
    expect(await sessions.resetPassword(wishOfReset)).toBeNull();
    expect(await outcomeOf(signIn({ password: newPassword }))).toBe("TOTP_REQUIRED");
  });

  test("a sign-in that was under way when the account was disabled opens nothing", async () => {
    const { sessions, accounts, signIn } = await open();
    const tries = Array.from({ length: 6 }, () => signIn().catch(() => null));
    await accounts.setDisabled({ email: EMAIL, isDisabled: true });
    for (const token of await Promise.all(tries)) {
      if (token !== null) expect(await sessions.find(token)).toBeNull();
    }
    await accounts.setDisabled({ email: EMAIL, isDisabled: false });
    for (const token of await Promise.all(tries)) {
      if (token !== null) expect(await sessions.find(token)).toBeNull();
    }
  });
});
