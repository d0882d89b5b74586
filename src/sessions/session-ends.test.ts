import { sql } from "kysely";
import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import {
  newClient,
  openSessions,
  outcomeOf,
  type SignInSetting,
  signUpWith,
} from "../../test/sign-in-setting.ts";
import { createDirectory } from "../accounts/account-search.ts";
import { makeSessionKey } from "../accounts/session-keys.ts";
import { createTeam } from "../accounts/team.ts";
import { systemRandom } from "../base/clock.ts";
import { MINUTE_MS } from "../base/durations.ts";
import { issueResetToken } from "./reset.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";

forEachDatabase((dialect, database) => {
  const open = async (setting: SignInSetting = {}) => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const parts = openSessions(db, clock, setting);
    const { sessions, accounts } = parts;
    const account = await accounts.createAccount({ email: EMAIL, plan: "Pro" });
    const { id: accountId } = account;
    const { key, text } = await accounts.createKey({ email: EMAIL });
    const byKey = () =>
      sessions.signIn({ proof: { kind: "key", key: text }, totpCode: null, client: newClient() });
    const byPassword = (password = PASSWORD) =>
      sessions.signIn({
        proof: { kind: "password", email: EMAIL, password },
        totpCode: null,
        client: newClient(),
      });
    const wishOf = async (token: string) => {
      const session = await sessions.find(token);
      if (session === null) throw new Error("There is no session");
      return { session, client: newClient(), currentPassword: null };
    };
    const choosePassword = async () => {
      const wish = { personId: accountId, endsTotp: true, actor: "test" };
      const token = await issueResetToken(wish, { db, clock, random: systemRandom });
      const given = { token, newPassword: PASSWORD, totpCode: null, revokeKeys: [], client: newClient() };
      const opened = await sessions.resetPassword(given);
      const session = await sessions.find(opened ?? "");
      if (session !== null) await sessions.signOut(session);
    };
    return { ...parts, db, clock, account, accountId, key, byKey, byPassword, wishOf, choosePassword };
  };

  test("a revoked key's sessions end with it, and no other's", async () => {
    const { sessions, accounts, key, byKey, byPassword, choosePassword } = await open();
    await choosePassword();
    const [mine, thief] = [await byPassword(), await byKey()];
    await accounts.revokeKey(key.id);
    expect(await sessions.find(thief)).toBeNull();
    expect(await sessions.find(mine)).not.toBeNull();
  });

  test("a sign-in by a key that is revoked meanwhile opens nothing", async () => {
    const others = { work: async (): Promise<unknown> => undefined };
    const { sessions, accounts, account, key, byKey } = await open({ afterKeyRead: () => others.work() });
    others.work = () => accounts.revokeKey(key.id);
    expect(await outcomeOf(byKey())).toBe("SIGN_IN_FAILED");
    expect(await sessions.list({ account, person: null })).toEqual([]);
  });

  test("all sessions that are seen end at once, those that were opened meanwhile too, and other people's stay", async () => {
    const { sessions, db, clock, accountId, byKey, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    const deps = { db, clock, random: systemRandom };
    const { session: mine } = await wishOf(await byPassword());
    const { token } = await sessions.invite({ session: mine, email: "bob@example.com", role: "member" });
    const bob = await sessions.join({ token, password: PASSWORD, client: newClient() });
    const { session: bobs } = await wishOf(bob);
    await makeSessionKey({ accountId, sessionId: bobs.id, actor: EMAIL }, deps);
    const meanwhile = [await byPassword(), await byKey()];
    await sessions.endAll(mine);
    for (const one of meanwhile) expect(await sessions.find(one)).toBeNull();
    expect(await sessions.list(mine)).toEqual([]);
    expect(await sessions.find(bob)).not.toBeNull();
    expect(await outcomeOf(sessions.endAll(mine))).toBe("NOT_SIGNED_IN");
    // A member sees no session that a key opened.
    const owners = [await byPassword(), await byKey()];
    await sessions.endAll(bobs);
    expect(await sessions.find(bob)).toBeNull();
    for (const one of owners) expect(await sessions.find(one)).not.toBeNull();
  });

  test("however a session ends, the key that it pays by ends with it", async () => {
    const { sessions, accounts, db, clock, accountId, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    const deps = { db, clock, random: systemRandom };
    const paying = async () => {
      const { session } = await wishOf(await byPassword());
      await makeSessionKey({ accountId, sessionId: session.id, actor: EMAIL }, deps);
      await makeSessionKey({ accountId, sessionId: session.id, actor: EMAIL }, deps);
      const keys = await accounts.listKeys({ accountId });
      const mine = keys.find(({ sessionId }) => sessionId === session.id);
      expect(mine).toMatchObject({ name: "Dashboard", prefix: expect.stringMatching(/^dash_[0-9a-f]{7}$/) });
      return { session, key: mine?.id ?? "" };
    };
    let other = await wishOf(await byPassword());
    type Paying = Awaited<ReturnType<typeof paying>>;
    const ends: Readonly<Record<string, (one: Paying) => Promise<unknown>>> = {
      signOut: ({ session }) => sessions.signOut(session),
      end: ({ session }) => sessions.end(session.id, other.session),
      all: async ({ session }) => {
        await sessions.endAll(session);
        other = await wishOf(await byPassword());
      },
      revoked: ({ key }) => accounts.revokeKey(key),
      password: () => sessions.setPassword({ ...other, currentPassword: PASSWORD, newPassword: PASSWORD }),
      disabled: async () => {
        await accounts.setDisabled({ accountId, isDisabled: true });
        await accounts.setDisabled({ accountId, isDisabled: false });
      },
      expired: async () => {
        clock.advance(14 * 24 * 60 * MINUTE_MS);
        await sessions.prune();
      },
    };
    for (const [how, end] of Object.entries(ends)) {
      const one = await paying();
      await end(one);
      const { revoked_at: at } = await db.kysely
        .selectFrom("api_keys")
        .select("revoked_at")
        .where("id", "=", one.key)
        .executeTakeFirstOrThrow();
      expect([how, at]).toEqual([how, clock.now().getTime()]);
      const gone = makeSessionKey({ accountId, sessionId: one.session.id, actor: EMAIL }, deps);
      expect([how, await outcomeOf(gone)]).toEqual([how, "NOT_SIGNED_IN"]);
    }
    expect((await accounts.listKeys({ accountId })).map(({ name }) => name)).toEqual(["default"]);
  });

  test("keys of sessions count for no plan's number", async () => {
    const { accounts, db, clock, accountId, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    await accounts.setPlan({ accountId, plan: "Free" });
    for (let i = 0; i < 3; i++) {
      const { session } = await wishOf(await byPassword());
      const wish = { accountId, sessionId: session.id, actor: EMAIL };
      await makeSessionKey(wish, { db, clock, random: systemRandom });
    }
    await accounts.createKey({ accountId });
    expect(await outcomeOf(accounts.createKey({ accountId }))).toBe("VALIDATION");
  });

  test("a session that a key opened sets no password and no second factor", async () => {
    const { sessions, byKey, choosePassword, wishOf } = await open();
    for (const prepare of [async () => undefined, choosePassword]) {
      await prepare();
      const thief = await wishOf(await byKey());
      expect(await outcomeOf(sessions.startTotp(thief))).toBe("FORBIDDEN");
      expect(await outcomeOf(sessions.startTotp({ ...thief, currentPassword: PASSWORD }))).toBe("FORBIDDEN");
      expect(await outcomeOf(sessions.setPassword({ ...thief, newPassword: "another one" }))).toBe(
        "FORBIDDEN",
      );
    }
  });

  test("a session of a password needs it again for a second factor after a quarter of an hour", async () => {
    const { sessions, clock, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    const wish = await wishOf(await byPassword());
    expect(await outcomeOf(sessions.startTotp(wish))).toBe("done");
    clock.advance(15 * MINUTE_MS);
    expect(await outcomeOf(sessions.startTotp(wish))).toBe("password_wrong");
    expect(await outcomeOf(sessions.startTotp({ ...wish, currentPassword: PASSWORD }))).toBe("done");
  });

  test("a second factor that was begun is gone with a new password", async () => {
    const { sessions, clock, choosePassword, wishOf, byPassword } = await open();
    await choosePassword();
    const thief = await wishOf(await byPassword());
    const { secret } = await sessions.startTotp(thief);
    await choosePassword();
    const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    expect(await outcomeOf(sessions.confirmTotp({ ...thief, code }))).toBe("NOT_SIGNED_IN");
    const again = await wishOf(await byPassword());
    expect(await outcomeOf(sessions.confirmTotp({ ...again, code }))).toBe("CONFLICT");
    expect(await outcomeOf(byPassword())).toBe("done");
  });

  test("what a session asked for is not done once it has ended", async () => {
    const { sessions, accounts, db, clock, accountId, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    const wish = { ...(await wishOf(await byPassword())), currentPassword: PASSWORD };
    const victim = await accounts.createAccount({ email: "bob@example.com" });
    const spare = await accounts.createKey({ email: EMAIL });
    const other = await wishOf(await byPassword());
    await sessions.signOut(wish.session);
    await sessions.signOut(wish.session);
    const by = { accountId, actor: EMAIL, sessionId: wish.session.id };
    const team = createTeam({ db, clock, random: systemRandom });
    const person = { ...by, personId: accountId, keepsKeys: false };
    const admin = { ...by, accountId: victim.id, reason: "x" };
    const tries = {
      createKey: () => accounts.createKey(by),
      revokeKey: () => accounts.revokeKey(spare.key.id, by),
      setPassword: () => sessions.setPassword({ ...wish, newPassword: PASSWORD }),
      startTotp: () => sessions.startTotp(wish),
      confirmTotp: () => sessions.confirmTotp({ ...wish, code: "000000" }),
      end: () => sessions.end(other.session.id, wish.session),
      invite: () => sessions.invite({ session: wish.session, email: "eve@example.com", role: "owner" }),
      withdraw: () => sessions.withdrawInvitation({ session: wish.session, id: "x" }),
      setRole: () => team.setRole({ ...person, role: "viewer" }),
      remove: () => team.removePerson(person),
      plan: () => accounts.setPlan({ ...admin, plan: "Pro" }),
      credits: () => accounts.setCredits({ ...admin, credits: 5 }),
      disabled: () => accounts.setDisabled({ ...admin, isDisabled: true }),
      owner: () => accounts.setOwner({ ...admin, isOwner: true }),
    };
    for (const [what, work] of Object.entries(tries)) {
      expect([what, await outcomeOf(work())]).toEqual([what, "NOT_SIGNED_IN"]);
    }
    expect(await createDirectory({ db, clock }).account(victim.id)).toEqual(victim);
    expect(await accounts.listKeys({ accountId })).toHaveLength(2);
  });

  test("strangers' failures do not keep a signed-in account from changing anything", async () => {
    const { sessions, byPassword, choosePassword, wishOf } = await open();
    await choosePassword();
    const wish = await wishOf(await byPassword());
    for (let i = 0; i < 10; i++) {
      expect(await outcomeOf(sessions.removeTotp({ ...wish, code: "000000" }))).toBe("CONFLICT");
      expect(await outcomeOf(byPassword("wrong password"))).toBe("SIGN_IN_FAILED");
    }
    expect(await outcomeOf(byPassword())).toBe("RATE_LIMIT_EXCEEDED");
    const change = (currentPassword: string) =>
      outcomeOf(sessions.setPassword({ ...wish, currentPassword, newPassword: "another one" }));
    for (let i = 0; i < 9; i++) expect(await change("wrong password")).toBe("password_wrong");
    expect(await change(PASSWORD)).toBe("done");
    expect(await change("wrong password")).toBe("password_wrong");
    expect(await change("another one")).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("an owner's address counts only where the operator made the account", async () => {
    const { sessions, accounts } = await open();
    await signUpWith({ sessions }, { email: "boss@example.com", password: PASSWORD });
    const db = await database.open();
    const later = openSessions(db, createMovableClock(), { owners: ["Boss@example.com", EMAIL] });
    const isOwner = async (email: string) => {
      const account = await accounts.findAccount(email);
      return account !== null && later.sessions.isOwner(account);
    };
    expect(await isOwner("boss@example.com")).toBe(false);
    expect(await isOwner(EMAIL)).toBe(true);
    await accounts.setOwner({ email: "boss@example.com", isOwner: true });
    expect(await isOwner("boss@example.com")).toBe(true);
  });

  // SQLite has one writer at a time: nothing waits there.
  if (dialect === "sqlite") return;
  test("a key that waits for the account while its session is ended is not made", async () => {
    const { accounts, db, accountId, byKey, wishOf } = await open();
    const { session } = await wishOf(await byKey());
    const waiting = await db.kysely.transaction().execute(async (trx) => {
      await trx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
      await trx.deleteFrom("sessions").where("id", "=", session.id).execute();
      const made = outcomeOf(accounts.createKey({ accountId, sessionId: session.id }));
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      const blocked = sql`select pid from pg_stat_activity
          where ${rows[0]?.pid}::int = any(pg_blocking_pids(pid))`;
      // On another connection: what a transaction sees of the others stands still.
      await expect.poll(async () => (await blocked.execute(db.kysely)).rows.length).toBe(1);
      return { made };
    });
    expect(await waiting.made).toBe("NOT_SIGNED_IN");
  });
});
