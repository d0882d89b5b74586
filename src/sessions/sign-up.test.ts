import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { newClient, openSessions, outcomeOf, signUpWith, unprove } from "../../test/sign-in-setting.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { Refusal } from "../base/failure.ts";
import type { SignUpMail } from "./sign-up.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";

forEachDatabase((dialect, database) => {
  const open = async (owners: readonly string[] = []) => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const parts = openSessions(db, clock, { owners });
    const { sessions } = parts;
    const signUp = async (email = EMAIL, client = newClient()) =>
      (await sessions.requestSignUp({ email, client })).issue();
    const tokenOf = (mail: SignUpMail | null): string =>
      mail === null || mail.kind === "exists" ? "" : mail.token;
    const openWith = (token: string, password = PASSWORD) =>
      sessions.openAccount({ token, password, client: newClient() });
    const signIn = (password: string) =>
      sessions.signIn({
        proof: { kind: "password", email: EMAIL, password },
        totpCode: null,
        client: newClient(),
      });
    return { ...parts, db, clock, signUp, tokenOf, openWith, signIn };
  };

  test("before the link is opened there is nothing but its hash", async () => {
    const { db, accounts, signUp, tokenOf } = await open();
    const token = tokenOf(await signUp());
    expect(await accounts.countAccounts()).toBe(0);
    for (const table of ["credentials", "api_keys", "sessions", "audit", "reset_tokens"] as const) {
      expect([table, await db.kysely.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
    const rows = await db.kysely.selectFrom("sign_ups").selectAll().execute();
    expect(rows).toMatchObject([{ email: EMAIL, token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("the link opens the account once, with the grant of its plan, and proves the address", async () => {
    const { db, accounts, sessions, signUp, tokenOf, openWith, signIn } = await open();
    const [first, second] = [tokenOf(await signUp()), tokenOf(await signUp(" ANN@example.com"))];
    expect(await sessions.viewSignUp(first)).toEqual({ email: EMAIL });
    expect(await outcomeOf(openWith(first, "password"))).toBe("password_common");
    expect(await outcomeOf(openWith(first, "ann12345"))).toBe("password_common");
    const session = await sessions.find(await openWith(first));
    expect(session?.account).toMatchObject({ email: EMAIL, plan: "Free", credits: 100, isSignedUp: true });
    expect(session?.account.emailProvedAt).not.toBeNull();
    for (const token of [first, second, "A".repeat(43), "", "' or 1=1"]) {
      expect([token, await outcomeOf(openWith(token))]).toEqual([token, "token_invalid"]);
      expect(await outcomeOf(sessions.viewSignUp(token))).toBe("token_invalid");
    }
    expect(await outcomeOf(signIn(PASSWORD))).toBe("done");
    expect(await accounts.countAccounts()).toBe(1);
    expect(await db.kysely.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  });

  test("of many openings at once, by one link and by several, one opens it", async () => {
    const { db, accounts, signUp, tokenOf, openWith, signIn } = await open();
    const tokens = [tokenOf(await signUp()), tokenOf(await signUp()), tokenOf(await signUp())];
    const passwords = Array.from({ length: 6 }, (_, i) => `${PASSWORD} ${i}`);
    const outcomes = await Promise.all(
      passwords.map((password, i) => outcomeOf(openWith(tokens[i % 3] ?? "", password))),
    );
    expect(outcomes.filter((one) => one === "done")).toHaveLength(1);
    expect(outcomes.filter((one) => one === "token_invalid")).toHaveLength(5);
    expect(await accounts.countAccounts()).toBe(1);
    expect(await outcomeOf(signIn(passwords[outcomes.indexOf("done")] ?? ""))).toBe("done");
    expect(await db.kysely.selectFrom("sessions").selectAll().execute()).toHaveLength(2);
  });

  test("a link ends after a day, and is deleted then", async () => {
    const { db, clock, sessions, signUp, tokenOf, openWith } = await open();
    const token = tokenOf(await signUp());
    clock.advance(24 * HOUR_MS - 1);
    expect(await outcomeOf(sessions.viewSignUp(token))).toBe("done");
    clock.advance(1);
    expect(await outcomeOf(openWith(token))).toBe("token_invalid");
    await sessions.prune();
    expect(await db.kysely.selectFrom("sign_ups").selectAll().execute()).toEqual([]);
  });

  test("an account that is there is told so, and nothing of it changes", async () => {
    const setting = await open(["boss@example.com"]);
    const { accounts, hashes, signUp, signIn } = setting;
    await signUpWith(setting, { email: EMAIL, password: PASSWORD });
    const before = await accounts.findAccount(EMAIL);
    const made = hashes.made;
    expect(await signUp("Ann@Example.com")).toEqual({ kind: "exists", to: EMAIL });
    expect(await accounts.findAccount(EMAIL)).toEqual(before);
    // Nothing slow is done for one and not for the other.
    await signUp("new@example.com");
    expect(hashes.made).toBe(made);
    expect(await outcomeOf(signIn(PASSWORD))).toBe("done");
    await accounts.setDisabled({ email: EMAIL, isDisabled: true });
    expect(await signUp()).toBeNull();
    expect(await signUp("Boss@example.com")).toBeNull();
  });

  test("one that the operator made meanwhile stays the operator's", async () => {
    const { accounts, signUp, tokenOf, openWith } = await open();
    const token = tokenOf(await signUp());
    const made = await accounts.createAccount({ email: EMAIL, plan: "Pro" });
    expect(await outcomeOf(openWith(token))).toBe("token_invalid");
    expect(await accounts.findAccount(EMAIL)).toEqual(made);
  });

  test("who signs up with an address that was never proved is mailed a link that takes it over", async () => {
    const setting = await open();
    const { db, accounts, sessions, signUp, tokenOf } = setting;
    await signUpWith(setting, { email: EMAIL, password: "a stranger's choice" });
    const { text: key } = await accounts.createKey({ email: EMAIL });
    await unprove(db, EMAIL);
    const mail = await signUp();
    expect(mail).toMatchObject({ kind: "reset", to: EMAIL });
    const wish = { newPassword: PASSWORD, totpCode: null, revokeKeys: [], client: newClient() };
    expect(await sessions.resetPassword({ ...wish, token: tokenOf(mail) })).not.toBeNull();
    const byKey = { proof: { kind: "key" as const, key }, totpCode: null, client: newClient() };
    expect(await outcomeOf(sessions.signIn(byKey))).toBe("SIGN_IN_FAILED");
  });

  test("three mails a day to one mailbox, for every asker and whether it has an account", async () => {
    const setting = await open();
    const { clock, signUp } = setting;
    await signUpWith(setting, { email: "known@example.com", password: PASSWORD });
    for (const [email, left] of [
      ["unknown@example.com", 3],
      ["known@example.com", 3],
    ] as const) {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(signUp(email))));
      expect([email, outcomes.filter((one) => one === "done").length]).toEqual([email, left]);
      clock.advance(23 * HOUR_MS);
      expect(await outcomeOf(signUp(email))).toBe("RATE_LIMIT_EXCEEDED");
      await setting.sessions.prune();
      expect(await outcomeOf(signUp(email.toUpperCase()))).toBe("RATE_LIMIT_EXCEEDED");
      clock.advance(HOUR_MS);
      expect(await outcomeOf(signUp(email))).toBe("done");
    }
  });

  test("one address has ten in 15 minutes and 20 a day, a /48 has 20 and 40", async () => {
    const { clock, signUp } = await open();
    let people = 0;
    const done = async (tries: number, clientOf: (i: number) => ReturnType<typeof newClient>) => {
      let count = 0;
      for (let i = 0; i < tries; i++) {
        if ((await outcomeOf(signUp(`p${++people}@example.com`, clientOf(i)))) === "done") count++;
      }
      return count;
    };
    const quarters = async (clientOf: (i: number) => ReturnType<typeof newClient>) => {
      const counts: number[] = [];
      for (let quarter = 0; quarter < 3; quarter++) {
        counts.push(await done(25, clientOf));
        clock.advance(15 * 60_000);
      }
      return counts;
    };
    const one = newClient();
    expect(await quarters(() => one)).toEqual([10, 10, 0]);
    expect(await done(1, newClient)).toBe(1);
    const network = "2001:db8:7::/48";
    const neighbour = (i: number) => ({ ...newClient(), bucket: `2001:db8:7:${i}::/64`, network });
    expect(await quarters(neighbour)).toEqual([20, 20, 0]);
  });

  test("who waits as long as a refusal says is not refused again", async () => {
    const { clock, signUp } = await open();
    const one = newClient();
    let people = 0;
    const ask = () => signUp(`p${++people}@example.com`, one);
    const waits: number[] = [];
    // Ten, ten a quarter of an hour later, which fill the day as well, and ten a day later.
    for (let done = 0; done < 30; ) {
      const refusal = await ask().then(
        () => null,
        (error: Refusal) => error,
      );
      if (refusal === null) done++;
      else {
        const waitS = refusal.retryAfterS ?? 0;
        waits.push(waitS);
        clock.advance(1000 * waitS);
        expect(await outcomeOf(ask())).toBe("done");
        done++;
      }
    }
    expect(waits).toEqual([15 * 60, 24 * 3600 - 15 * 60]);
  });

  if (dialect === "sqlite") return;
  test("two connections open one account between them", async () => {
    const { sessions, clock, accounts, signUp, tokenOf } = await open();
    const other = openSessions(await database.open(clock), clock);
    const token = tokenOf(await signUp());
    const outcomes = await Promise.all(
      [sessions, other.sessions, sessions, other.sessions].map((one) =>
        outcomeOf(one.openAccount({ token, password: PASSWORD, client: newClient() })),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["done", "token_invalid", "token_invalid", "token_invalid"]);
    expect(await accounts.countAccounts()).toBe(1);
  });
});
