import { describe, expect, test } from "vitest";
import { forEachDatabase, type TestDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { systemRandom } from "../base/clock.ts";
import { createAccounts } from "./account-store.ts";
import { NO_LIMITS } from "./key-options.ts";
import { hashKey } from "./keys.ts";
import { CYCLE_MS } from "./refill.ts";

async function start(database: TestDatabase) {
  const clock = createMovableClock();
  const db = await database.open(clock);
  return { db, clock, accounts: createAccounts({ db, clock, random: systemRandom }) };
}

const email = "ann@example.com";

forEachDatabase((_dialect, database) => {
  describe("createAccount()", () => {
    test("gives the plan's grant and a cycle of 30 days", async () => {
      const { accounts } = await start(database);
      const account = await accounts.createAccount({ email: " Ann@Example.com ", plan: "Starter" });
      expect(account).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        plan: "Starter",
        credits: 80_000,
        creditsGranted: 80_000,
        creditsResetAt: new Date("2026-01-31T00:00:00Z"),
        cycleEndsAt: new Date("2026-01-31T00:00:00Z"),
        trialGrant: null,
        graceEndsAt: null,
        disabledAt: null,
        isOwner: false,
        isSignedUp: false,
        emailProvedAt: new Date("2026-01-01T00:00:00Z"),
        createdAt: new Date("2026-01-01T00:00:00Z"),
        billingStatus: null,
        currentPeriodEnd: null,
        cancelAtPeriodEnd: false,
      });
      expect(await accounts.findAccount("ANN@example.com")).toEqual(account);
      expect(await accounts.listAccounts()).toEqual([account]);
      expect(await accounts.countAccounts()).toBe(1);
    });

    test("refuses an e-mail that is taken, in any case, and creates one of two at once", async () => {
      const { accounts } = await start(database);
      const both = [accounts.createAccount({ email }), accounts.createAccount({ email: "ANN@example.com" })];
      const states = (await Promise.allSettled(both)).map(({ status }) => status);
      expect(states.sort()).toEqual(["fulfilled", "rejected"]);
      await expect(accounts.createAccount({ email })).rejects.toMatchObject({
        code: "VALIDATION",
        message: `An account "${email}" exists already`,
      });
      expect(await accounts.countAccounts()).toBe(1);
    });

    test.each([
      ["", "empty"],
      ["ann", "no @"],
      ["@example.com", "no local part"],
      ["ann@", "no domain"],
      ["ann@@example.com", "two @"],
      ["an n@example.com", "a space"],
      ["ann@example..com", "an empty label"],
      ["ann@-example.com", "a hyphen first"],
      [`${"a".repeat(65)}@example.com`, "a long local part"],
      [`ann@${"a.".repeat(130)}com`, "a long domain"],
      ["ann\u202e@example.com", "a control character"],
    ])("refuses the e-mail %j: %s", async (malformed) => {
      const { accounts } = await start(database);
      await expect(accounts.createAccount({ email: malformed })).rejects.toMatchObject({
        reason: "email_malformed",
      });
    });

    test("refuses an unknown plan", async () => {
      const { accounts } = await start(database);
      await expect(accounts.createAccount({ email, plan: "Gold" })).rejects.toMatchObject({
        reason: "plan_unknown",
      });
    });
  });

  describe("setPlan()", () => {
    test.each([
      ["Free", 3, "Pro", 299_903, "up: what the new grant is above the one of before"],
      ["Free", 999_999, "Starter", 1_079_899, "up: the same when more was left"],
      ["Pro", 250_000, "Starter", 80_000, "down: at most the new grant"],
      ["Pro", 70_000, "Starter", 70_000, "down: what is left when that is less"],
      ["Pro", 5, "Pro", 5, "the same: nothing"],
    ])("from %s with %i credits to %s leaves %i in the same cycle: %s", async (from, credits, to, left) => {
      const { accounts, clock } = await start(database);
      await accounts.createAccount({ email, plan: from });
      await accounts.setCredits({ email, credits });
      clock.set(new Date("2026-01-11T00:00:00Z"));
      const account = await accounts.setPlan({ email, plan: to });
      expect(account).toMatchObject({ plan: to, credits: left });
      expect(account.cycleEndsAt.getTime()).toBe(Date.UTC(2026, 0, 1) + CYCLE_MS);
    });

    test("refills first when a refill is due", async () => {
      const { accounts, clock } = await start(database);
      await accounts.createAccount({ email, plan: "Pro" });
      await accounts.setCredits({ email, credits: 5 });
      clock.advance(CYCLE_MS);
      const account = await accounts.setPlan({ email, plan: "Starter" });
      expect(account).toMatchObject({ credits: 80_000, creditsResetAt: new Date("2026-03-02T00:00:00Z") });
    });
  });

  describe("setCredits()", () => {
    test("stays what was set when a refill was due", async () => {
      const { accounts, clock } = await start(database);
      await accounts.createAccount({ email });
      clock.advance(CYCLE_MS);
      await accounts.setCredits({ email, credits: 7 });
      expect(await accounts.findAccount(email)).toMatchObject({ credits: 7 });
    });

    test.each([-1, 1.5, Number.NaN, 1e13])("refuses %d", async (credits) => {
      const { accounts } = await start(database);
      await accounts.createAccount({ email });
      await expect(accounts.setCredits({ email, credits })).rejects.toMatchObject({
        reason: "credits_malformed",
      });
    });
  });

  test("every change leaves an audit row, and no change none", async () => {
    const { accounts, clock } = await start(database);
    const step = async (change: Promise<unknown>) => {
      await change;
      clock.advance(1);
    };
    await step(accounts.createAccount({ email, actor: "boss@example.com" }));
    await step(accounts.setPlan({ email, plan: "Pro" }));
    await step(accounts.setPlan({ email, plan: "Pro" }));
    await step(accounts.setCredits({ email, credits: 5 }));
    await step(accounts.setDisabled({ email, isDisabled: true }));
    await step(accounts.setDisabled({ email, isDisabled: true }));
    await step(accounts.setDisabled({ email, isDisabled: false }));
    await step(accounts.setOwner({ email, isOwner: true }));
    const { key } = await accounts.createKey({ email, name: "ci" });
    clock.advance(1);
    await step(accounts.revokeKey(key.id));
    await step(accounts.revokeKey(key.id));
    const audit = (await accounts.listAudit({ limit: 20 })).toReversed();
    expect(audit.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "boss@example.com account.create",
      "cli account.set_plan",
      "cli account.set_credits",
      "cli account.disable",
      "cli account.enable",
      "cli account.set_owner",
      "cli key.create",
      "cli key.revoke",
    ]);
    expect(audit[2]?.detail).toMatchObject({ email, credits_before: 300_000, credits: 5 });
    expect(await accounts.listAudit({ limit: 1 })).toHaveLength(1);
  });

  test("changes of an account that does not exist are refused by name", async () => {
    const { accounts } = await start(database);
    const unknown = { code: "NOT_FOUND", message: `There is no account "${email}"` };
    await expect(accounts.setPlan({ email, plan: "Pro" })).rejects.toMatchObject(unknown);
    await expect(accounts.setCredits({ email, credits: 1 })).rejects.toMatchObject(unknown);
    await expect(accounts.createKey({ email })).rejects.toMatchObject(unknown);
    await expect(accounts.listKeys({ email })).rejects.toMatchObject(unknown);
    expect(await accounts.findAccount(email)).toBeNull();
    expect(await accounts.subscriptionOf("none")).toBeNull();
  });

  describe("createKey()", () => {
    test("shows the key once and stores only its hash", async () => {
      const { accounts, db } = await start(database);
      const account = await accounts.createAccount({ email });
      const { key, text } = await accounts.createKey({
        accountId: account.id,
        name: "  ci\u0000\u001b[31m ",
      });
      expect(key).toEqual({
        id: expect.any(String),
        accountId: account.id,
        name: "ci  [31m",
        prefix: text.slice(0, 12),
        createdAt: new Date("2026-01-01T00:00:00Z"),
        ...{ lastUsedAt: null, revokedAt: null, sessionId: null, replacedBy: null, personId: null },
        options: NO_LIMITS,
        state: "active",
      });
      expect(await accounts.listKeys({ email })).toEqual([key]);
      const rows = await db.kysely.selectFrom("api_keys").selectAll().execute();
      expect(rows[0]?.hash).toBe(hashKey(text));
      expect(JSON.stringify([rows, await accounts.listAudit({ limit: 9 })])).not.toContain(text.slice(12));
    });

    test("creates exactly the plan's keys, however many ask at once; a revoked one makes room", async () => {
      const { accounts } = await start(database);
      await accounts.createAccount({ email, plan: "Starter" });
      const wishes = Array.from({ length: 12 }, () => accounts.createKey({ email }));
      const made = (await Promise.allSettled(wishes)).filter(({ status }) => status === "fulfilled");
      expect(made).toHaveLength(5);
      await expect(accounts.createKey({ email })).rejects.toMatchObject({
        code: "VALIDATION",
        message: "All 5 keys of plan Starter are in use: revoke one first",
      });
      const [first] = await accounts.listKeys({ email });
      await accounts.revokeKey(first?.prefix ?? "");
      await accounts.createKey({ email });
      expect(await accounts.listKeys({ email })).toHaveLength(6);
    });

    test("are listed with as many of the newest revoked ones as asked for", async () => {
      const { accounts, clock } = await start(database);
      await accounts.createAccount({ email, plan: "Starter" });
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) {
        ids.push((await accounts.createKey({ email })).key.id);
        clock.advance(1000);
      }
      for (const id of ids.slice(0, 3)) {
        await accounts.revokeKey(id);
        clock.advance(1000);
      }
      const listed = async (maxRevoked: number) =>
        (await accounts.listKeys({ email, maxRevoked })).map(({ id }) => id);
      expect(await listed(0)).toEqual(ids.slice(3));
      expect(await listed(2)).toEqual(ids.slice(1));
      expect(await listed(100)).toEqual(ids);
    });

    test("is refused above a smaller plan's limit, where the old keys live on", async () => {
      const { accounts } = await start(database);
      await accounts.createAccount({ email, plan: "Starter" });
      for (let i = 0; i < 3; i++) await accounts.createKey({ email });
      await accounts.setPlan({ email, plan: "Free" });
      await expect(accounts.createKey({ email })).rejects.toMatchObject({ code: "VALIDATION" });
      expect((await accounts.listKeys({ email })).every(({ revokedAt }) => revokedAt === null)).toBe(true);
    });
  });

  describe("revokeKey()", () => {
    test("revokes by id or prefix, keeps the first time, and finds no other account's key", async () => {
      const { accounts, clock } = await start(database);
      const account = await accounts.createAccount({ email });
      const other = await accounts.createAccount({ email: "bob@example.com" });
      const { key } = await accounts.createKey({ email });
      await expect(accounts.revokeKey(key.id, { accountId: other.id })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      const revoked = await accounts.revokeKey(key.prefix, { accountId: account.id });
      expect(revoked.key.revokedAt).toEqual(new Date("2026-01-01T00:00:00Z"));
      clock.advance(1000);
      expect(await accounts.revokeKey(key.id)).toEqual(revoked);
      await expect(accounts.revokeKey("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  describe("subscriptionOf()", () => {
    test("is interface 2.5 after a due refill", async () => {
      const { accounts, clock } = await start(database);
      const { id } = await accounts.createAccount({ email, plan: "Pro" });
      await accounts.setCredits({ email, credits: 1 });
      clock.advance(CYCLE_MS);
      expect(await accounts.subscriptionOf(id)).toEqual({
        plan: "Pro",
        billing_status: null,
        credits_remaining: 300_000,
        credits_per_month: 300_000,
        credits_reset_at: "2026-03-02T00:00:00Z",
        current_period_end: null,
        cancel_at_period_end: false,
        rate_limit_per_second: 60,
        max_api_keys: 10,
      });
    });
  });

  describe("bootstrapOwner()", () => {
    test("creates one Enterprise owner with a key, also when several ask at once", async () => {
      const { accounts } = await start(database);
      const made = await Promise.all([1, 2, 3].map(() => accounts.bootstrapOwner()));
      const [first, ...rest] = made.filter((one) => one !== null);
      expect(rest).toEqual([]);
      expect(first).toMatchObject({
        account: { email: "owner@localhost", plan: "Enterprise", isOwner: true, credits: 1_500_000 },
        key: { prefix: first?.text.slice(0, 12) },
      });
      expect(await accounts.listAccounts()).toEqual([first?.account]);
    });

    test("does nothing when there is an account", async () => {
      const { accounts } = await start(database);
      await accounts.createAccount({ email });
      expect(await accounts.bootstrapOwner()).toBeNull();
    });
  });
});
