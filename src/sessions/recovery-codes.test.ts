import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf, signUpWith } from "../../test/sign-in-setting.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";

forEachDatabase((_dialect, database) => {
  const open = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const parts = openSessions(db, clock);
    const { sessions } = parts;
    const session = await sessions.find(await signUpWith(parts, { email: EMAIL, password: PASSWORD }));
    if (session === null) throw new Error("There is no session");
    const wish = { session, client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    const codes = await sessions.confirmTotp({ ...wish, code: code() });
    clock.advance(30_000);
    const signIn = (totpCode: string) =>
      outcomeOf(
        sessions.signIn({
          proof: { kind: "password", email: EMAIL, password: PASSWORD },
          totpCode,
          client: newClient(),
        }),
      );
    const left = async () => (await sessions.waysIn(session.account.id)).recoveryCodes;
    return { ...parts, db, clock, wish, code, codes, signIn, left };
  };

  test("ten different ones, stored as hashes", async () => {
    const { db, codes, left } = await open();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    expect(await left()).toBe(10);
    const rows = JSON.stringify(await db.kysely.selectFrom("recovery_codes").selectAll().execute());
    for (const code of codes) expect(rows).not.toContain(code.replaceAll("-", ""));
  });

  test("each opens once in place of a code, as people type it", async () => {
    const { db, codes, signIn, left } = await open();
    const [first = "", second = "", third = ""] = codes;
    expect(await signIn(first)).toBe("done");
    expect(await signIn(first)).toBe("SIGN_IN_FAILED");
    expect(await signIn(` ${second.toUpperCase().replaceAll("-", " ")} `)).toBe("done");
    expect(await signIn(third.replaceAll("-", "").replaceAll("0", "O").replaceAll("1", "l"))).toBe("done");
    expect(await left()).toBe(7);
    for (const wrong of ["0000-0000-0000-0000", "a".repeat(16), "-", "x".repeat(10_000)]) {
      expect(await signIn(wrong)).toBe("SIGN_IN_FAILED");
    }
    const used = await db.kysely
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", "account.use_recovery_code")
      .execute();
    expect(used.map(({ detail }) => JSON.parse(detail).left).toSorted()).toEqual([7, 8, 9]);
  });

  test("of eight sign-ins at once by one code one opens", async () => {
    const { codes, signIn, left } = await open();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => signIn(codes[0] ?? "")));
    expect(outcomes.filter((one) => one === "done")).toHaveLength(1);
    expect(await left()).toBe(9);
  });

  test.each([2 * 60_000, 3_600_000, 400 * 86_400_000])(
    "a clock that was %i ms ahead, and is set right, locks the authenticator out for no time",
    async (aheadMs) => {
      const { clock, code, signIn } = await open();
      expect(await signIn(code())).toBe("done");
      const right = clock.now();
      clock.advance(aheadMs);
      expect(await signIn(code())).toBe("done");
      clock.set(new Date(right.getTime() + 60_000));
      const now = code();
      expect(await signIn(now)).toBe("done");
      // Each still opens once.
      expect(await signIn(now)).toBe("SIGN_IN_FAILED");
    },
  );

  test("another account's code opens nothing", async () => {
    const { sessions, codes, left, ...setting } = await open();
    const other = await sessions.find(
      await signUpWith({ sessions }, { email: "bob@example.com", password: PASSWORD }),
    );
    if (other === null) throw new Error("There is no session");
    const wish = { session: other, client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    const timestamp = setting.clock.now().getTime();
    await sessions.confirmTotp({ ...wish, code: new TOTP({ secret }).generate({ timestamp }) });
    expect(await outcomeOf(sessions.removeTotp({ ...wish, code: codes[0] ?? "" }))).toBe("code_wrong");
    expect(await left()).toBe(10);
  });

  test("are made anew with a code, and those of before are worth nothing", async () => {
    const { sessions, db, wish, code, codes, signIn, left } = await open();
    expect(await outcomeOf(sessions.renewCodes({ ...wish, code: "000000" }))).toBe("code_wrong");
    const byKey = { ...wish, session: { ...wish.session, person: null, keyId: "a key" }, code: code() };
    expect(await outcomeOf(sessions.renewCodes(byKey))).toBe("FORBIDDEN");
    expect(await left()).toBe(10);
    const fresh = await sessions.renewCodes({ ...wish, code: code() });
    expect(fresh.filter((one) => codes.includes(one))).toEqual([]);
    expect(await signIn(codes[0] ?? "")).toBe("SIGN_IN_FAILED");
    expect(await signIn(fresh[0] ?? "")).toBe("done");
    const third = await sessions.renewCodes({ ...wish, code: fresh[1] ?? "" });
    expect(third).toHaveLength(10);
    const actions = (await db.kysely.selectFrom("audit").select("action").execute()).map((row) => row.action);
    expect(actions.filter((one) => one === "account.renew_recovery_codes")).toHaveLength(2);
  });

  test("go with the authenticator, which one of them can take off", async () => {
    const { sessions, db, wish, codes, left } = await open();
    await sessions.removeTotp({ ...wish, code: codes[9] ?? "" });
    expect(await left()).toBeNull();
    expect(await db.kysely.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
    expect(await outcomeOf(sessions.renewCodes({ ...wish, code: codes[0] ?? "" }))).toBe("CONFLICT");
  });

  test("one of them opens what else asks for a code: a new password by link, and leaving", async () => {
    const { sessions, accounts, wish, codes, left } = await open();
    const { issue } = await sessions.requestReset({ email: EMAIL, client: newClient() });
    const link = { token: (await issue())?.token ?? "", newPassword: "another password", revokeKeys: [] };
    const { client } = wish;
    const token = await sessions.resetPassword({ ...link, client, totpCode: codes[0] ?? "" });
    const session = await sessions.find(token ?? "");
    if (session === null) throw new Error("The code began no session");
    expect(await left()).toBe(9);
    const leave = (totpCode: string) =>
      sessions.closeAccount(
        { session, email: EMAIL, password: link.newPassword, totpCode },
        { mayCollect: () => false, owners: [] },
      );
    expect(await outcomeOf(leave(codes[0] ?? ""))).toBe("code_wrong");
    expect(await outcomeOf(leave(codes[1] ?? ""))).toBe("done");
    expect(await accounts.findAccount(EMAIL)).toBeNull();
  });

  test("guesses of them count as guesses of a code do", async () => {
    const { codes, signIn } = await open();
    for (let i = 0; i < 10; i++) expect(await signIn("0000-0000-0000-0000")).toBe("SIGN_IN_FAILED");
    expect(await signIn(codes[0] ?? "")).toBe("RATE_LIMIT_EXCEEDED");
  });
});
