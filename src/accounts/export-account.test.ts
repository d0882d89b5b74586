import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { callOf, createCaller, startLedger } from "../../test/ledger-setting.ts";
import { outcomeOf } from "../../test/sign-in-setting.ts";
import { systemRandom } from "../base/clock.ts";
import { writeAudit } from "./audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import { exportAccount } from "./export-account.ts";

forEachDatabase((_dialect, database) => {
  const start = async () => {
    const world = await startLedger(database, { store_targets: true, keep_days: 90 });
    const read = async (email: string) => {
      let json = "";
      for await (const piece of await exportAccount({ email }, world)) json += piece;
      return { json, value: JSON.parse(json) };
    };
    return { ...world, read };
  };

  test("holds all that is stored of the account, nothing of others, and no hash", async () => {
    const world = await start();
    const { accounts, ledger, db, read } = world;
    const mine = await createCaller(world);
    const other = await createCaller(world);
    const { token } = await accounts.createToken({ email: mine.email, scopes: ["gate", "exports:edge"] });
    await accounts.createToken({ email: other.email, scopes: ["decisions"] });
    await accounts.updateKey(mine.key.id, { networks: ["192.0.2.0/24"] });
    for (const target of ["a.example", 'b"\u2028.example'])
      await ledger.settle(callOf(mine.caller, { target }), 2);
    await ledger.settle(callOf(other.caller, { target: "secret.example" }), 1);
    for (const { caller } of [mine, mine, mine, other]) ledger.record(callOf(caller, { status: 429 }));
    await ledger.flush();
    await accounts.setCredits({
      email: other.email,
      credits: 5,
      actor: mine.email,
      reason: "about the other",
    });
    const { value, json } = await read(mine.email.toUpperCase());
    expect(Object.keys(value)).toEqual([
      "exported_at",
      "account",
      "people",
      "invitations",
      "keys",
      "tokens",
      "sessions",
      "billing",
      "audit",
      "usage_days",
      "calls",
      "refused_calls",
      "results",
      "runs",
    ]);
    expect(value.account).toMatchObject({
      id: mine.account.id,
      email: mine.email,
      plan: "Free",
      credits_remaining: 96,
    });
    expect(value.keys).toMatchObject([
      { id: mine.key.id, prefix: mine.key.prefix, networks: ["192.0.2.0/24"] },
    ]);
    expect(value.tokens).toEqual([
      {
        id: token.id,
        name: "default",
        prefix: token.prefix,
        scopes: ["gate", "exports:edge"],
        networks: null,
        state: "active",
        expires_at: null,
        created_at: "2026-01-01T00:00:00.000Z",
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(value.calls.map((call: { target: string }) => call.target)).toEqual([
      "a.example",
      'b"\u2028.example',
    ]);
    expect(value.usage_days).toMatchObject([
      { day: "2026-01-01", endpoint: "/api/check-ip", calls: 2, credits: 4 },
      { day: "2026-01-01", endpoint: "/api/check-ip", status: 429, calls: 3, credits: 0 },
    ]);
    expect(value.refused_calls).toEqual([
      { minute: "2026-01-01T00:00:00.000Z", endpoint: "/api/check-ip", status: 429, calls: 3 },
    ]);
    expect(value.audit.map(({ action }: { action: string }) => action)).toContain("key.update");
    expect(json).not.toMatch(/secret\.example|about the other/);
    expect(json).not.toContain(other.email);
    const { hash } = await db.kysely
      .selectFrom("api_keys")
      .select("hash")
      .where("id", "=", mine.key.id)
      .executeTakeFirstOrThrow();
    expect(json).not.toContain(hash);
  });

  test("tells nothing of what its people did in another account before", async () => {
    const { accounts, db, clock, read } = await start();
    const { id } = await accounts.createAccount({ email: "former@example.com" });
    const deps = { clock, random: systemRandom };
    const act = (action: AuditAction) =>
      writeAudit(db.kysely, { actor: "mover@example.com", action, accountId: id, detail: {} }, deps);
    await act("key.create");
    clock.advance(1000);
    await accounts.createAccount({ email: "mover@example.com" });
    clock.advance(1000);
    await act("account.set_plan");
    const { value } = await read("mover@example.com");
    const actions = value.audit.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["account.create", "account.set_plan"]);
  });

  test("is of one account without any history as well, and of none that is not there", async () => {
    const { accounts, read } = await start();
    await accounts.createAccount({ email: "new@example.com" });
    expect((await read("new@example.com")).value).toMatchObject({
      keys: [],
      calls: [],
      usage_days: [],
      billing: { customer: null },
    });
    expect(await outcomeOf(read("nobody@example.com"))).toBe("NOT_FOUND");
  });

  test("a history longer than a step comes whole, once, in its order and piece by piece", async () => {
    const world = await start();
    const { db } = world;
    const { account, email } = await createCaller(world);
    const row = {
      request_id: "r",
      key_id: "k",
      key_prefix: "p",
      endpoint: "check-ip",
      target_kind: "ip",
      target: null,
      items: 1,
      status: 200,
      credits: 0,
      elapsed_ms: 1,
      client_address: "",
    };
    const count = 45_000;
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => ({
        ...row,
        at: from + i,
        account_id: (from + i) % 3 === 0 ? account.id : "other",
      }));
      await db.kysely.insertInto("calls").values(rows).execute();
    }
    let longest = 0;
    let json = "";
    for await (const piece of await exportAccount({ email }, world)) {
      longest = Math.max(longest, piece.length);
      json += piece;
    }
    const times = JSON.parse(json).calls.map(({ at }: { at: string }) => Date.parse(at));
    expect(times).toEqual(Array.from({ length: count / 3 }, (_, i) => 3 * i));
    expect(longest).toBeLessThan(10_000);
  });
});
