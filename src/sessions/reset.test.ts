import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf, unprove } from "../../test/sign-in-setting.ts";
import { makeSessionKey } from "../accounts/session-keys.ts";
import { parseScopes } from "../accounts/token-scopes.ts";
import { systemRandom } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import { issueResetToken } from "./reset.ts";

const EMAIL = "ann@example.com";
const OLD = "an older password";
const NEW = "correct horse battery";

forEachDatabase((_dialect, database) => {
  /** An account with a password, two keys and, where wished, an authenticator. */
  const open = async ({ hasTotp = false, isProved = true } = {}) => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const parts = openSessions(db, clock);
    const { sessions, accounts } = parts;
    const { id: accountId } = await accounts.createAccount({ email: EMAIL, plan: "Pro" });
    const keys = [await accounts.createKey({ email: EMAIL }), await accounts.createKey({ email: EMAIL })];
    const tokenBy = (actor: string, endsTotp: boolean) =>
      issueResetToken(
        { personId: accountId, endsTotp, actor },
        { ...parts, db, clock, random: systemRandom },
      );
    const mailed = async () =>
      (await (await sessions.requestReset({ email: EMAIL, client: newClient() })).issue())?.token ?? "";
    const reset = (
      token: string,
      more: { totpCode?: string; revokeKeys?: string[]; newPassword?: string } = {},
    ) =>
      sessions.resetPassword({
        ...{ token, newPassword: NEW, totpCode: null, revokeKeys: [], client: newClient() },
        ...more,
      });
    const signIn = (password: string, totpCode: string | null = null) =>
      sessions.signIn({ proof: { kind: "password", email: EMAIL, password }, totpCode, client: newClient() });
    const byKey = (at: number) =>
      sessions.signIn({
        proof: { kind: "key", key: keys[at]?.text ?? "" },
        totpCode: null,
        client: newClient(),
      });
    const session = await sessions.find((await reset(await mailed(), { newPassword: OLD })) ?? "");
    if (session === null) throw new Error("There is no session");
    const wish = { session, client: newClient(), currentPassword: null };
    const secret = hasTotp ? (await sessions.startTotp(wish)).secret : "";
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    const codes = hasTotp ? await sessions.confirmTotp({ ...wish, code: code() }) : [];
    clock.advance(30_000);
    if (!isProved) await unprove(db, EMAIL);
    return { ...parts, db, clock, accountId, keys, tokenBy, mailed, reset, signIn, byKey, wish, code, codes };
  };

  test("an account that a stranger opened first is its address's own after one mailed link", async () => {
    const { db, sessions, accounts, mailed, reset, signIn, byKey, wish, code } = await open({
      hasTotp: true,
      isProved: false,
    });
    // What the stranger has before: neither key nor grant, nor a way to more of them.
    expect(await outcomeOf(byKey(0))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(accounts.createKey({ email: EMAIL }))).toBe("ADDRESS_NOT_PROVED");
    expect(await accounts.findAccount(EMAIL)).toMatchObject({ credits: 0, creditsGranted: 0 });
    await sessions.removeTotp({ ...wish, code: code() });
    expect(await outcomeOf(sessions.startTotp(wish))).toBe("ADDRESS_NOT_PROVED");
    const token = await mailed();
    expect(await sessions.viewReset(token)).toMatchObject({
      email: EMAIL,
      isProved: false,
      keepsTotp: false,
    });
    expect(await reset(token)).not.toBeNull();
    expect(await accounts.findAccount(EMAIL)).toMatchObject({ credits: 300_000, creditsGranted: 300_000 });
    expect((await accounts.listKeys({ email: EMAIL })).every(({ revokedAt }) => revokedAt !== null)).toBe(
      true,
    );
    for (const at of [0, 1]) expect(await outcomeOf(byKey(at))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn(OLD))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn(NEW))).toBe("done");
    expect(await sessions.list(wish.session)).toHaveLength(2);
    const audit = await db.kysely.selectFrom("audit").select(["actor", "action"]).execute();
    for (const action of ["account.prove_email", "key.revoke", "account.set_password"]) {
      expect(audit).toContainEqual({ actor: "reset link", action });
    }
    expect(await outcomeOf(accounts.createKey({ email: EMAIL }))).toBe("done");
  });

  test("before that there is no key for a session either, nor one in place of another", async () => {
    const { accounts, db, clock, keys, wish } = await open({ isProved: false });
    const { id: sessionId, account } = wish.session;
    const ofSession = { accountId: account.id, sessionId, actor: EMAIL };
    const deps = { db, clock, random: systemRandom };
    expect(await outcomeOf(makeSessionKey(ofSession, deps))).toBe("ADDRESS_NOT_PROVED");
    const roll = accounts.rollKey(keys[0]?.key.id ?? "", { overlapMs: 0 });
    expect(await outcomeOf(roll)).toBe("ADDRESS_NOT_PROVED");
  });

  test("a link names no key that has expired, and none that ends with its session", async () => {
    const { accounts, sessions, db, clock, keys, mailed, reset, wish } = await open();
    const [first, second] = keys.map(({ key }) => key.id);
    const { id: sessionId, account } = wish.session;
    await makeSessionKey(
      { accountId: account.id, sessionId, actor: EMAIL },
      { db, clock, random: systemRandom },
    );
    await accounts.updateKey(first ?? "", { expiresAt: new Date(clock.now().getTime() + 1000) });
    clock.advance(1000);
    const token = await mailed();
    expect((await sessions.viewReset(token)).keys.map(({ id }) => id)).toEqual([second]);
    await reset(token);
    const alive = await db.kysely
      .selectFrom("api_keys")
      .select("id")
      .where("revoked_at", "is", null)
      .execute();
    expect(alive.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
  });

  test("the stranger's authenticator goes with the first link, and stays with any later one", async () => {
    const { mailed, reset, signIn, sessions, clock } = await open({ hasTotp: true, isProved: false });
    expect(await outcomeOf(signIn(OLD))).toBe("TOTP_REQUIRED");
    const session = await sessions.find((await reset(await mailed())) ?? "");
    if (session === null) throw new Error("There is no session");
    const wish = { session, client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    await sessions.confirmTotp({ ...wish, code });
    expect(await reset(await mailed())).toBeNull();
    expect(await outcomeOf(signIn(NEW))).toBe("TOTP_REQUIRED");
  });

  test("a link names the keys that work, and revokes those that are chosen, and no stranger's", async () => {
    const { accounts, sessions, db, keys, mailed, reset, byKey } = await open();
    await accounts.createAccount({ email: "bob@example.com" });
    const strangers = await accounts.createKey({ email: "bob@example.com" });
    const [first, second] = keys.map(({ key }) => key.id);
    const token = await mailed();
    const view = await sessions.viewReset(token);
    expect(view.keys.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
    expect(view).toMatchObject({ isProved: true, keepsTotp: false });
    await reset(token, { revokeKeys: [second ?? "", strangers.key.id, "none"] });
    expect(await outcomeOf(byKey(0))).toBe("done");
    expect(await outcomeOf(byKey(1))).toBe("SIGN_IN_FAILED");
    expect((await accounts.listKeys({ email: "bob@example.com" }))[0]?.revokedAt).toBeNull();
    const audit = await db.kysely
      .selectFrom("audit")
      .selectAll()
      .where("action", "=", "key.revoke")
      .execute();
    expect(audit.map(({ actor, detail }) => [actor, JSON.parse(detail).key_id])).toEqual([
      ["reset link", second],
    ]);
    expect(await outcomeOf(sessions.viewReset(token))).toBe("token_invalid");
  });

  test("a link names the access tokens that work too, and revokes those that are chosen", async () => {
    const { accounts, sessions, clock, mailed, reset } = await open();
    const make = async (email: string, expiresAt: Date | null = null) =>
      (await accounts.createToken({ email, scopes: parseScopes(["gate"]), expiresAt })).token.id;
    await accounts.createAccount({ email: "bob@example.com" });
    const [kept, ended] = [await make(EMAIL), await make(EMAIL)];
    const [expired, strangers] = [
      await make(EMAIL, new Date(+clock.now() + 1000)),
      await make("bob@example.com"),
    ];
    clock.advance(2000);
    const token = await mailed();
    const ids = (await sessions.viewReset(token)).keys.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([kept, ended]));
    for (const none of [expired, strangers]) expect(ids).not.toContain(none);
    await reset(token, { revokeKeys: [ended, strangers] });
    const states = async (email: string) =>
      new Map((await accounts.listTokens({ email })).map(({ id, state }) => [id, state]));
    expect([...(await states(EMAIL))].toSorted()).toEqual(
      [
        [kept, "active"],
        [ended, "revoked"],
        [expired, "expired"],
      ].toSorted(),
    );
    expect((await states("bob@example.com")).get(strangers)).toBe("active");
  });

  test("the first link of an account ends access tokens as well", async () => {
    const { accounts, db, mailed, reset } = await open();
    await accounts.createToken({ email: EMAIL, scopes: parseScopes(["gate"]) });
    await unprove(db, EMAIL);
    await reset(await mailed());
    expect(await accounts.listTokens({ email: EMAIL })).toMatchObject([{ state: "revoked" }]);
  });

  test("while strangers' failures lock the address, a mailed link opens it, with an authenticator too", async () => {
    const { clock, mailed, reset, signIn, sessions, code } = await open({ hasTotp: true });
    for (let i = 0; i < 10; i++) expect(await outcomeOf(signIn("wrong password"))).toBe("SIGN_IN_FAILED");
    expect(await outcomeOf(signIn(OLD, code()))).toBe("RATE_LIMIT_EXCEEDED");
    const token = await mailed();
    expect(await outcomeOf(reset(token, { totpCode: "000000" }))).toBe("code_wrong");
    expect((await sessions.viewReset(token)).keepsTotp).toBe(true);
    const opened = await reset(token, { totpCode: code() });
    expect(await sessions.find(opened ?? "")).not.toBeNull();
    expect(await outcomeOf(signIn(NEW, code()))).toBe("RATE_LIMIT_EXCEEDED");
    clock.advance(30_000);
    // Guesses of the code by who has a link are counted for themselves.
    const again = await mailed();
    for (let i = 0; i < 9; i++) {
      expect(await outcomeOf(reset(again, { totpCode: "000000" }))).toBe("code_wrong");
    }
    expect(await outcomeOf(reset(again, { totpCode: code() }))).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("who is refused another link has as many that still open", async () => {
    const { clock, mailed, sessions } = await open();
    clock.advance(HOUR_MS);
    const tokens = [await mailed(), await mailed(), await mailed(), await mailed(), await mailed()];
    expect(await outcomeOf(mailed())).toBe("RATE_LIMIT_EXCEEDED");
    clock.advance(HOUR_MS - 1);
    expect(await outcomeOf(mailed())).toBe("RATE_LIMIT_EXCEEDED");
    for (const token of tokens) expect(await outcomeOf(sessions.viewReset(token))).toBe("done");
    clock.advance(1);
    expect(await outcomeOf(mailed())).toBe("done");
  });

  test("an address that was never proved is mailed three links a day, each good for the day", async () => {
    const { clock, mailed, sessions } = await open({ isProved: false });
    const tokens: string[] = [];
    for (let hour = 0; hour < 23; hour++) {
      clock.advance(HOUR_MS);
      tokens.push(await mailed());
    }
    const links = tokens.filter((token) => token !== "");
    expect(links).toHaveLength(3);
    for (const token of links) expect(await outcomeOf(sessions.viewReset(token))).toBe("done");
  });

  test("the operator's link proves an address as well, and takes an authenticator off at any time", async () => {
    const unproved = await open({ isProved: false });
    expect(await unproved.reset(await unproved.tokenBy("cli", true))).not.toBeNull();
    expect((await unproved.accounts.findAccount(EMAIL))?.emailProvedAt).not.toBeNull();
    expect(await outcomeOf(unproved.byKey(0))).toBe("SIGN_IN_FAILED");
  });

  test("common passwords are refused by every link and change, and the link stays good", async () => {
    const { mailed, reset, sessions, wish } = await open();
    const token = await mailed();
    for (const newPassword of ["password", "ann-1234", "repute123", "qwertyuiop"]) {
      expect(await outcomeOf(reset(token, { newPassword }))).toBe("password_common");
      const change = { ...wish, currentPassword: OLD, newPassword };
      expect(await outcomeOf(sessions.setPassword(change))).toBe("password_common");
    }
    expect(await outcomeOf(reset(token))).toBe("done");
  });
});
