import { expect, test } from "vitest";
import { forEachDatabase } from "../../test/databases.ts";
import { createMovableClock } from "../../test/movable-clock.ts";
import { openSessions } from "../../test/sign-in-setting.ts";
import { DEFAULT_ALERTS } from "../accounts/alert-settings.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import { CYCLE_MS } from "../accounts/refill.ts";
import { systemRandom } from "../base/clock.ts";
import { HOUR_MS } from "../base/durations.ts";
import type { SourceHistory } from "../feeds/retrieval/source-days.ts";
import type { Letter } from "../sessions/mails.ts";
import { type AlertParts, createAlerts, type SourceRow } from "./alerts.ts";

const EMAIL = "ann@example.com";
/** Lets every change through. */
const guard = async () => undefined;

forEachDatabase((_dialect, database) => {
  const open = async () => {
    const clock = createMovableClock();
    const db = await database.open(clock);
    const { accounts } = openSessions(db, clock);
    const account = await accounts.createAccount({ email: EMAIL, plan: "Starter" });
    const sent: Letter[] = [];
    const world = {
      isDown: false,
      rows: [] as SourceRow[],
      history: new Map() as SourceHistory,
      warnings: [] as unknown[],
    };
    const parts: AlertParts = {
      ...{ db, clock, owners: ["boss@example.com"], base: () => "https://repute.example/" },
      log: { warn: (entry: unknown) => void world.warnings.push(entry) },
      send: async (letter) => {
        if (world.isDown) throw new Error("The mail server is away");
        sent.push(letter);
      },
      sources: () => world.rows,
      history: async () => world.history,
    };
    const leave = (credits: number) =>
      db.kysely.updateTable("accounts").set({ credits }).where("id", "=", account.id).execute();
    const subjects = () => sent.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
    const clientAt = (address: string) => ({ address, bucket: address, network: address, userAgent: "test" });
    const signIn = (address: string) => alerts.signedIn(account, clientAt(address));
    const alerts = createAlerts(parts);
    return { db, clock, accounts, account, alerts, parts, world, sent, leave, subjects, signIn };
  };

  test("few credits are told once a cycle, by one of several processes, and again in the next one", async () => {
    const { account, alerts, parts, clock, leave, subjects, sent } = await open();
    await alerts.sweep();
    expect(sent).toEqual([]);
    await leave(Math.floor(account.creditsGranted * 0.2));
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    await leave(Math.floor(account.creditsGranted * 0.2) - 1);
    await Promise.all([alerts.sweep(), createAlerts(parts).sweep(), createAlerts(parts).sweep()]);
    expect(sent[0]?.text).toContain("https://repute.example/app/usage");
    expect(subjects()).toEqual([`${EMAIL}: Few credits are left`]);
    await leave(0);
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    clock.advance(CYCLE_MS);
    // The refill is due: what the row holds is no balance any more.
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    await parts.db.kysely
      .updateTable("accounts")
      .set({ credits_reset_at: clock.now().getTime() + CYCLE_MS })
      .execute();
    await alerts.sweep();
    expect(subjects()).toEqual([`${EMAIL}: No credits are left`]);
  });

  test("what an account does not want, or cannot get, is not mailed", async () => {
    const { account, alerts, leave, signIn, subjects, db } = await open();
    await leave(1);
    expect(await alerts.settings(account.id)).toEqual(DEFAULT_ALERTS);
    const none = { credits_percent: 0, sign_in: false, sources: false };
    await alerts.change(account.id, none, guard);
    expect(await alerts.settings(account.id)).toEqual(none);
    await signIn("198.51.100.7");
    await signIn("203.0.113.7");
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    await alerts.change(account.id, DEFAULT_ALERTS, guard);
    await db.kysely.updateTable("accounts").set({ email_proved_at: null }).execute();
    await alerts.sweep();
    await db.kysely.updateTable("accounts").set({ email_proved_at: 1 }).execute();
    await db.kysely.updateTable("accounts").set({ disabled_at: 1 }).execute();
    await alerts.sweep();
    expect(subjects()).toEqual([]);
  });

  test("a mail that its server did not take goes out later", async () => {
    const { alerts, clock, world, leave, subjects } = await open();
    await leave(0);
    world.isDown = true;
    await alerts.sweep();
    expect(world.warnings).toHaveLength(1);
    world.isDown = false;
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    clock.advance(HOUR_MS / 4);
    await alerts.sweep();
    expect(subjects()).toEqual([`${EMAIL}: No credits are left`]);
  });

  test("a sign-in from a new network is told, the first one and those from known networks are not", async () => {
    const { signIn, subjects, sent, clock, alerts } = await open();
    await signIn("198.51.100.7");
    await signIn("198.51.100.200");
    expect(subjects()).toEqual([]);
    await signIn("2001:db8:1:2::3");
    expect(sent[0]?.text).toContain("from 2001:db8:1:2::3");
    expect(subjects()).toEqual([`${EMAIL}: Sign-in from a new network`]);
    await signIn("2001:db8:1:ffff::9");
    await signIn("unix socket");
    expect(subjects()).toEqual([]);
    clock.advance(100 * 24 * HOUR_MS);
    await signIn("198.51.100.7");
    clock.advance(100 * 24 * HOUR_MS);
    await alerts.sweep();
    await signIn("2001:db8:1::1");
    expect(subjects()).toEqual([`${EMAIL}: Sign-in from a new network`]);
  });

  test("no more than a hundred networks of an account are kept, the newest", async () => {
    const { signIn, db, clock, account } = await open();
    for (let i = 0; i < 110; i++) {
      clock.advance(1000);
      await signIn(`10.0.${i}.1`);
    }
    const rows = await db.kysely
      .selectFrom("person_networks")
      .selectAll()
      .where("person_id", "=", account.id)
      .orderBy("at")
      .execute();
    expect(rows).toHaveLength(100);
    expect(rows[0]?.network).toBe("10.0.10.0/24");
  });

  test("owners are told of a source that failed for the whole of yesterday, until it has been well", async () => {
    const { accounts, clock, alerts, world, subjects, sent } = await open();
    await accounts.createAccount({ email: "boss@example.com", plan: "Free" });
    const yesterday = new Date(clock.now().getTime() - 24 * HOUR_MS).toISOString().slice(0, 10);
    const row = (key: string, status: string) => ({ key, name: key.toUpperCase(), status, last_error: null });
    const day = (healthy: number) => [{ day: yesterday, checks: 96, healthy, trouble: "error" }];
    world.history = new Map([
      ["gone", day(0)],
      ["late", day(95)],
      ["recovered", day(0)],
    ]);
    world.rows = [row("gone", "error"), row("late", "error"), row("recovered", "ok"), row("new", "error")];
    await alerts.sweep();
    expect(sent[0]?.text).toContain("- GONE (gone): error");
    expect(subjects()).toEqual(["boss@example.com: A source is failing"]);
    await alerts.sweep();
    expect(subjects()).toEqual([]);
    world.rows = [row("gone", "ok")];
    clock.advance(HOUR_MS / 4);
    await alerts.sweep();
    world.rows = [row("gone", "stale")];
    await alerts.sweep();
    expect(subjects()).toEqual(["boss@example.com: A source is failing"]);
  });

  test.each(["ok", "disabled"])(
    "a source that fails in one process and is %s in another is told once",
    async (other) => {
      const { accounts, clock, alerts, parts, world, subjects } = await open();
      await accounts.createAccount({ email: "boss@example.com", plan: "Free" });
      const rowOf = (status: string) => ({ key: "file", name: "File", status, last_error: null });
      const failedUntilNow = () => {
        const at = clock.now().getTime() - 24 * HOUR_MS;
        const day = new Date(at).toISOString().slice(0, 10);
        world.history = new Map([["file", [{ day, checks: 96, healthy: 0, trouble: "error" }]]]);
      };
      world.rows = [rowOf("error")];
      const well = createAlerts({ ...parts, sources: () => [rowOf(other)] });
      for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
        failedUntilNow();
        await alerts.sweep();
        clock.advance(HOUR_MS / 30);
        await well.sweep();
        clock.advance(HOUR_MS / 20);
      }
      expect(subjects()).toEqual(["boss@example.com: A source is failing"]);
      world.rows = [rowOf("ok")];
      for (let minutes = 0; minutes < 20; minutes += 5) {
        await Promise.all([alerts.sweep(), well.sweep()]);
        clock.advance(HOUR_MS / 12);
      }
      world.rows = [rowOf("error")];
      failedUntilNow();
      await alerts.sweep();
      expect(subjects()).toEqual(["boss@example.com: A source is failing"]);
    },
  );

  test("networks and choices are part of an account's data, and go with it", async () => {
    const { db, clock, account, alerts, leave, signIn } = await open();
    await alerts.change(account.id, { credits_percent: 50, sign_in: true, sources: false }, guard);
    await signIn("198.51.100.7");
    await leave(0);
    await alerts.sweep();
    let text = "";
    for await (const piece of await exportAccount({ email: EMAIL }, { db, clock })) text += piece;
    expect(JSON.parse(text)).toMatchObject({
      people: [
        {
          email: EMAIL,
          networks: [{ network: "198.51.100.0/24", signed_in_at: clock.now().toISOString() }],
          alerts: { credits_percent: 50, sign_in: true, sources: false },
        },
      ],
    });
    const rules = { mayCollect: () => false, owners: [] };
    await deleteAccount({ email: EMAIL, actor: "cli" }, rules, { db, clock, random: systemRandom });
    for (const table of ["alert_settings", "alerts", "person_networks"] as const) {
      expect(await db.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});
