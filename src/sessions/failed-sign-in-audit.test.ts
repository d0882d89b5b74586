import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf, signUpWith } from "../../test/sign-in-setting.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse";
const TYPED = "my other password";

forEachDatabase((_dialect, database) => {
  const open = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const lines: unknown[] = [];
    const note = (...line: unknown[]) => void lines.push(line);
    const counts: Record<string, number> = {};
    const metrics = {
      signedIn: (by: string, outcome: string) => {
        counts[`${by} ${outcome}`] = (counts[`${by} ${outcome}`] ?? 0) + 1;
      },
    };
    const parts = openSessions(db, clock, { metrics, log: { info: note, warn: note, error: note } });
    await signUpWith(parts, { email: EMAIL, password: PASSWORD });
    const { id: accountId = "" } = (await parts.accounts.findAccount(EMAIL)) ?? {};
    const signIn = (email: string, password: string, totpCode: string | null = null) =>
      outcomeOf(
        parts.sessions.signIn({
          proof: { kind: "password", email, password },
          totpCode,
          client: newClient(),
        }),
      );
    const audit = async () => {
      await parts.sessions.failuresWritten();
      const rows = await parts.accounts.listAudit({ limit: 100 });
      return rows.filter(({ action }) => action.startsWith("session."));
    };
    return { ...parts, clock, lines, counts, accountId, signIn, audit };
  };

  test("sign-ins and failures stand in the audit log, failures one row an hour and account", async () => {
    const { clock, accountId, signIn, audit } = await open();
    for (let i = 0; i < 4; i++) await signIn(EMAIL, TYPED);
    await signIn(EMAIL, PASSWORD);
    expect(await audit()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          action: "session.sign_in_failed",
          actor: "sign-in",
          accountId,
          detail: expect.objectContaining({ by: "password", times: 4 }),
        }),
        expect.objectContaining({
          action: "session.sign_in",
          actor: EMAIL,
          accountId,
          keyId: null,
          detail: expect.objectContaining({ by: "password", times: 1 }),
        }),
      ]),
    );
    expect(await audit()).toHaveLength(2);
    clock.advance(3_600_000);
    await signIn(EMAIL, TYPED);
    expect((await audit()).map(({ action, detail }) => [action, detail["times"]])).toContainEqual([
      "session.sign_in_failed",
      1,
    ]);
    expect(await audit()).toHaveLength(3);
  });

  test("failures that come together are all counted", async () => {
    const { signIn, audit } = await open();
    await Promise.all(Array.from({ length: 8 }, () => signIn(EMAIL, TYPED)));
    const rows = await audit();
    expect(rows.map(({ detail }) => detail["times"])).toEqual([8]);
  });

  test("an account that does not exist gets no row, and its name no line of the log", async () => {
    const { lines, signIn, audit } = await open();
    const typed = "my-password-in-the-wrong-field@example.com";
    expect(await signIn(typed, TYPED)).toBe("SIGN_IN_FAILED");
    expect(await signIn(EMAIL, TYPED)).toBe("SIGN_IN_FAILED");
    expect((await audit()).map(({ detail }) => detail["times"])).toEqual([1]);
    const logged = JSON.stringify(lines);
    expect(logged.match(/Sign-in failed/g)).toHaveLength(2);
    for (const secret of [typed, TYPED, PASSWORD]) expect(logged).not.toContain(secret);
  });

  test("every end of a sign-in is counted by its outcome", async () => {
    const { sessions, counts, clock, signIn } = await open();
    expect(await signIn(EMAIL, PASSWORD)).toBe("done");
    const token = await sessions.signIn({
      proof: { kind: "password", email: EMAIL, password: PASSWORD },
      totpCode: null,
      client: newClient(),
    });
    const session = await sessions.find(token);
    if (session === null) throw new Error("There is no session");
    const wish = { session, client: newClient(), currentPassword: null };
    const { secret } = await sessions.startTotp(wish);
    const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    await sessions.confirmTotp({ ...wish, code });
    expect(await signIn(EMAIL, PASSWORD)).toBe("TOTP_REQUIRED");
    expect(await signIn(EMAIL, PASSWORD, "000000")).toBe("SIGN_IN_FAILED");
    for (let i = 0; i < 10; i++) await signIn(EMAIL, TYPED);
    expect(await signIn(EMAIL, PASSWORD)).toBe("RATE_LIMIT_EXCEEDED");
    expect(counts).toEqual({
      "password ok": 2,
      "password code_missing": 1,
      "password failed": 10,
      "password locked": 2,
    });
  });
});
