import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { callOf, createCaller, historyOf, startLedger } from "../../test/ledger-setting.ts";
import { newClient, openSessions, outcomeOf, signUpWith } from "../../test/sign-in-setting.ts";
import { systemRandom } from "../base/clock.ts";
import { issueResetToken } from "../sessions/reset.ts";
import { type DeletionWish, deleteAccount } from "./delete-account.ts";
import { DELETED_ACCOUNT } from "./ledger/deleted-usage.ts";

const PASSWORD = "correct horse battery staple";

forEachDatabase((dialect, database) => {
  const start = async () => {
    const setting = await startLedger(database);
    const { db, clock } = setting;
    const deps = { db, clock, random: systemRandom };
    const { sessions } = openSessions(db, clock);
    const remove = (
      wish: Partial<DeletionWish> & ({ email: string } | { accountId: string }),
      owners: string[] = [],
    ) =>
      deleteAccount({ actor: "cli", ...wish }, { mayCollect: (status) => status === "active", owners }, deps);
    return { ...setting, deps, sessions, remove };
  };
  type World = Awaited<ReturnType<typeof start>>;

  /** Every table with every row as text. */
  const dump = async ({ db }: World): Promise<ReadonlyMap<string, string>> => {
    const names = await (dialect === "sqlite"
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
    ).execute(db.kysely);
    const found = new Map<string, string>();
    for (const { name } of names.rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.kysely);
      found.set(name, JSON.stringify(rows));
    }
    return found;
  };

  /** An account with something of it in every table. */
  const openFullAccount = async (world: World) => {
    const { sessions, ledger, accounts, db, deps } = world;
    const email = "victim@example.com";
    await signUpWith(world, { email, password: PASSWORD });
    const account = await accounts.findAccount(email);
    if (account === null) throw new Error("No account was opened");
    const { text, key } = await accounts.createKey({ email, name: "victim's server", actor: email });
    const client = { ...newClient(), userAgent: "victim's browser" };
    const cookie = await sessions.signIn({
      proof: { kind: "password", email, password: PASSWORD },
      totpCode: null,
      client,
    });
    await sessions.signIn({ proof: { kind: "key", key: text }, totpCode: null, client });
    await issueResetToken({ personId: account.id, endsTotp: false, actor: email }, deps);
    await outcomeOf(
      sessions.signIn({ proof: { kind: "password", email, password: "wrong one" }, totpCode: null, client }),
    );
    const caller = await ledger.findCaller(text);
    if (caller === null) throw new Error("The key is not known");
    await ledger.settle(callOf(caller, { clientAddress: "203.0.113.77" }), 3);
    ledger.record(callOf(caller, { status: 422, clientAddress: "203.0.113.77" }));
    ledger.record(callOf(caller, { status: 429 }));
    await ledger.flush();
    const customer = {
      account_id: account.id,
      stripe_customer_id: "cus_victim",
      stripe_subscription_id: "sub_victim",
      version: 1,
    };
    await db.kysely
      .insertInto("billing_customers")
      .values({ ...customer, period_start: null, plan_before: null })
      .execute();
    await db.kysely
      .insertInto("billing_events")
      .values({ id: "evt_1", type: "t", at: 1, account_id: account.id })
      .execute();
    const invoice = {
      id: "in_victim",
      account_id: account.id,
      subscription_id: "sub_victim",
      period_start: 1,
      at: 1,
    };
    await db.kysely.insertInto("billing_invoices").values(invoice).execute();
    const code = { person_id: account.id, code_hash: "of a victim's code" };
    await db.kysely.insertInto("recovery_codes").values(code).execute();
    await accounts.createToken({ email, scopes: ["gate"], name: "victim's gate", actor: email });
    const link = { token_hash: "of an older link", email, created_at: 1, expires_at: 2 };
    await db.kysely.insertInto("sign_ups").values(link).execute();
    return { email, account, text, key, cookie, caller };
  };

  test("leaves nothing that names the account, in any table", async () => {
    const world = await start();
    const { email, account, key } = await openFullAccount(world);
    const traces = [account.id, email, "victim", key.id, key.prefix, "203.0.113.77"];
    const before = await dump(world);
    for (const trace of traces) expect([...before.values()].some((rows) => rows.includes(trace))).toBe(true);
    await world.remove({ email });
    await world.ledger.forgetDeleted();
    const after = await dump(world);
    const left = [...after].filter(([, rows]) => traces.some((trace) => rows.includes(trace)));
    // The audit log names it by the id that meant nothing but this account.
    expect(left.map(([name]) => name)).toEqual(["audit"]);
    const audit = await world.accounts.listAudit({ limit: 99 });
    expect(JSON.stringify(audit)).not.toMatch(/victim|203\.0\.113\.77/);
    expect(JSON.stringify(audit)).not.toContain(key.prefix);
    expect(audit.find(({ action }) => action === "account.delete")).toMatchObject({
      actor: "cli",
      accountId: account.id,
      detail: { plan: "Free", credits: 97, keys: 1 },
    });
    expect(
      (await world.db.kysely.selectFrom("billing_events").selectAll().execute()).map(({ id }) => id),
    ).toEqual(["evt_1"]);
  });

  test("keeps the daily sums without a name, those of several accounts together", async () => {
    const world = await start();
    const { ledger, db, clock } = world;
    const stays = await createCaller(world);
    await ledger.settle(callOf(stays.caller), 5);
    const total = async () => {
      const rows = await db.kysely.selectFrom("call_days").selectAll().execute();
      const sum = (name: "calls" | "items" | "credits") =>
        rows.reduce((all, row) => all + Number(row[name]), 0);
      return [sum("calls"), sum("items"), sum("credits")];
    };
    for (const day of [1, 2]) {
      const goes = await createCaller(world);
      await ledger.settle(callOf(goes.caller, { items: 4 }), 4);
      await ledger.settle(callOf(goes.caller), 1);
      ledger.record(callOf(goes.caller, { status: 402 }));
      await ledger.flush();
      const before = await total();
      await world.remove({ email: goes.email });
      expect(await total()).toEqual(before);
      await ledger.forgetDeleted();
      expect(await total()).toEqual(before);
      clock.advance(day * 1000);
      await ledger.settle(callOf(stays.caller), 1);
    }
    const deleted = await historyOf({ db }, DELETED_ACCOUNT);
    expect(deleted).toMatchObject({ rows: [], dayCredits: 10, dayCalls: 6 });
    expect(new Set(deleted.days.map(({ key_id }) => key_id))).toEqual(new Set([""]));
    const kept = await historyOf({ db }, stays.account.id);
    expect(kept).toMatchObject({ credits: 7, dayCredits: 7 });
    expect(await ledger.pruneHistory(new Date(clock.now().getTime() + 400 * 86_400_000))).toBe(3);
    expect(await historyOf({ db }, stays.account.id)).toMatchObject({ rows: [], dayCredits: 7 });
  });

  test("what is in flight is refused: charges, notes, sign-ins, links and changes", async () => {
    const world = await start();
    const { ledger, sessions, accounts, db, deps } = world;
    const { email, account, text, cookie, caller, key } = await openFullAccount(world);
    const session = await sessions.find(cookie);
    if (session === null) throw new Error("There is no session");
    await world.remove({ email });
    await ledger.forgetDeleted();
    expect(await ledger.settle(callOf(caller), 1)).toEqual({ state: "revoked" });
    for (const status of [401, 429]) ledger.record(callOf(caller, { status }));
    await ledger.flush();
    expect(await db.kysely.selectFrom("calls").selectAll().execute()).toEqual([]);
    expect(await db.kysely.selectFrom("refused_calls").selectAll().execute()).toEqual([]);
    expect(await historyOf({ db }, account.id)).toMatchObject({ days: [], rows: [] });
    expect(await ledger.findCaller(text)).toBeNull();
    expect(await sessions.find(cookie)).toBeNull();
    const client = newClient();
    const password = { kind: "password", email, password: PASSWORD } as const;
    expect(await outcomeOf(sessions.signIn({ proof: password, totpCode: null, client }))).toBe(
      "SIGN_IN_FAILED",
    );
    expect(
      await outcomeOf(issueResetToken({ personId: account.id, endsTotp: false, actor: "x" }, deps)),
    ).toBe("NOT_FOUND");
    expect(await outcomeOf(accounts.createKey({ accountId: account.id }))).toBe("NOT_FOUND");
    expect(await outcomeOf(accounts.revokeKey(key.id))).toBe("NOT_FOUND");
    expect(await outcomeOf(world.remove({ email }))).toBe("NOT_FOUND");
  });

  test("a sign-in whose account goes while the password is compared opens nothing", async () => {
    const world = await start();
    const { email, text } = await openFullAccount(world);
    const slow = openSessions(world.db, world.clock, {
      afterKeyRead: () => outcomeOf(world.remove({ email })),
    });
    const proof = { kind: "key", key: text } as const;
    expect(await outcomeOf(slow.sessions.signIn({ proof, totpCode: null, client: newClient() }))).toBe(
      "SIGN_IN_FAILED",
    );
    expect(await world.db.kysely.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  test("the address can be taken by another account, which knows nothing of the first", async () => {
    const world = await start();
    const { email } = await openFullAccount(world);
    await world.remove({ email });
    const again = await world.accounts.createAccount({ email });
    await world.ledger.forgetDeleted();
    expect(await historyOf(world, again.id)).toMatchObject({ rows: [], days: [] });
    expect(await world.accounts.listKeys({ email })).toEqual([]);
  });

  describe("refuses", () => {
    test("while a subscription runs, and says how it ends", async () => {
      const world = await start();
      const { email } = await createCaller(world);
      const set = (columns: object) =>
        world.db.kysely.updateTable("accounts").set(columns).where("email", "=", email).execute();
      await set({ billing_status: "active", current_period_end: Date.UTC(2026, 4, 1) });
      await expect(world.remove({ email })).rejects.toMatchObject({
        code: "CONFLICT",
        message: /cancel it first/,
      });
      await set({ cancel_at_period_end: 1 });
      await expect(world.remove({ email })).rejects.toMatchObject({
        code: "CONFLICT",
        message: /2026-05-01/,
      });
      await set({ billing_status: "canceled" });
      expect(await outcomeOf(world.remove({ email }))).toBe("done");
    });

    test("the last owner, by flag or by configuration; a disabled one and one signed up do not count", async () => {
      const world = await start();
      const { accounts } = world;
      const owner = await accounts.createAccount({ email: "owner@example.com", isOwner: true });
      const other = await accounts.createAccount({ email: "other@example.com" });
      await signUpWith(world, { email: "named@example.com", password: PASSWORD });
      expect(await outcomeOf(world.remove({ accountId: owner.id }, ["named@example.com"]))).toBe("CONFLICT");
      await accounts.setOwner({ accountId: other.id, isOwner: true });
      await accounts.setDisabled({ accountId: other.id, isDisabled: true });
      expect(await outcomeOf(world.remove({ accountId: owner.id }))).toBe("CONFLICT");
      await accounts.setDisabled({ accountId: other.id, isDisabled: false });
      expect(await outcomeOf(world.remove({ accountId: owner.id }))).toBe("done");
      await accounts.setOwner({ accountId: other.id, isOwner: false });
      expect(await outcomeOf(world.remove({ accountId: other.id }, ["other@example.com"]))).toBe("CONFLICT");
    });

    test("one of two owners who leave at the same time", async () => {
      const world = await start();
      const ids = await Promise.all(
        ["a@example.com", "b@example.com"].map(
          async (email) => (await world.accounts.createAccount({ email, isOwner: true })).id,
        ),
      );
      const outcomes = await Promise.all(ids.map((accountId) => outcomeOf(world.remove({ accountId }))));
      expect(outcomes.toSorted()).toEqual(["CONFLICT", "done"]);
    });
  });
});
