import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { forEachDatabase, type TestDatabase } from "../../../test/databases.ts";
import { systemClock, systemRandom } from "../../base/clock.ts";
import { createAccounts } from "../account-store.ts";
import { deleteAccount } from "../delete-account.ts";
import { DELETED_ACCOUNT } from "./deleted-usage.ts";
import { createLedger } from "./ledger.ts";

// Charges with 32 calls in flight until `count` calls are answered or one is refused; a line for every answer.
const PROGRAM = `
  const [url, key, count] = process.argv.slice(1);
  const { openDatabase } = await import(${JSON.stringify(new URL("../../db/database.ts", import.meta.url).href)});
  const { createLedger } = await import(${JSON.stringify(new URL("./ledger.ts", import.meta.url).href)});
  const { systemClock: clock } = await import(${JSON.stringify(new URL("../../base/clock.ts", import.meta.url).href)});
  const db = await openDatabase({ url, clock });
  const usage = { store_targets: false, keep_days: 90 };
  const ledger = createLedger({ db, clock, usage, log: console });
  const caller = await ledger.findCaller(key);
  const call = { requestId: "r", ...caller, endpoint: "/api/check-ip", targetKind: "ip", target: null, items: 1,
    status: 200, elapsedMs: 1, clientAddress: "192.0.2.1" };
  let left = Number(count);
  console.log("ready");
  await Promise.all(Array.from({ length: 32 }, async () => {
    while (left-- > 0) {
      const { state } = await ledger.settle(call, 1);
      console.log(state);
      if (state !== "charged") break;
    }
  }));
  await db.close();`;

type Charger = { readonly child: ChildProcess; readonly path: string; readonly ended: Promise<unknown> };

const folder = mkdtempSync(join(tmpdir(), "repute-chargers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let started = 0;

/** Its answers go to a file, which is written at once: of a socket that is full, what waits would die with the process. */
function startCharger(url: string, key: string, count: number): Charger {
  const path = join(folder, String(++started));
  const file = openSync(path, "w");
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, url, key, String(count)], {
    stdio: ["ignore", file, "inherit"],
  });
  closeSync(file);
  return { child, path, ended: once(child, "exit") };
}

const countOf = ({ path }: Charger, word: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((answer) => answer === word).length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(5);
}

async function start(database: TestDatabase, credits: number) {
  const db = await database.open();
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const { id, email } = await accounts.createAccount({ email: "ann@example.com" });
  await accounts.setCredits({ email, credits });
  const { text, key } = await accounts.createKey({ email });
  const taken = async () => {
    const rows = await db.kysely.selectFrom("calls").select("credits").where("account_id", "=", id).execute();
    const days = await db.kysely
      .selectFrom("call_days")
      .select("credits")
      .where("account_id", "=", id)
      .execute();
    const balance = (await accounts.findAccount(email))?.credits ?? Number.NaN;
    return { balance, rows: rows.length, days: days.reduce((sum, day) => sum + day.credits, 0) };
  };
  return { db, id, accounts, text, key, taken };
}

forEachDatabase((_dialect, database) => {
  describe("two processes on one database", () => {
    test("charge exactly what one account has", async () => {
      const { text, taken } = await start(database, 500);
      const chargers = [1, 2].map(() => startCharger(database.url(), text, 1000));
      await Promise.all(chargers.map(({ ended }) => ended));
      const charged = chargers.map((charger) => countOf(charger, "charged"));
      expect(charged.reduce((sum, count) => sum + count, 0)).toBe(500);
      for (const charger of chargers) expect(countOf(charger, "insufficient")).toBeGreaterThan(0);
      expect(await taken()).toEqual({ balance: 0, rows: 500, days: 500 });
    });

    test("charge nothing from the moment that revoking has resolved", async () => {
      const { accounts, text, key, taken } = await start(database, 1_000_000);
      const charger = startCharger(database.url(), text, 1_000_000);
      await until(() => countOf(charger, "charged") > 100);
      await accounts.revokeKey(key.id);
      const { rows } = await taken();
      await charger.ended;
      expect(countOf(charger, "charged")).toBe(rows);
      expect(countOf(charger, "revoked")).toBeGreaterThan(0);
      expect(await taken()).toEqual({ balance: 1_000_000 - rows, rows, days: rows });
    });

    test("charge nothing from the moment that a key has expired", async () => {
      const { accounts, text, key, taken } = await start(database, 1_000_000);
      const chargers = [1, 2].map(() => startCharger(database.url(), text, 1_000_000));
      await until(() => chargers.every((charger) => countOf(charger, "charged") > 50));
      const expiresAt = new Date(systemClock.now().getTime() + 1);
      await accounts.updateKey(key.id, { expiresAt });
      await until(() => systemClock.now() >= expiresAt);
      await Promise.all(chargers.map(({ ended }) => ended));
      const { balance, rows } = await taken();
      const charged = chargers.reduce((sum, charger) => sum + countOf(charger, "charged"), 0);
      expect({ charged, balance }).toEqual({ charged: rows, balance: 1_000_000 - rows });
      for (const charger of chargers) expect(countOf(charger, "revoked")).toBeGreaterThan(0);
    });

    test("charge nothing from the moment that the account is deleted, and all they charged stays in the sums", async () => {
      const { db, id, text } = await start(database, 1_000_000);
      const chargers = [1, 2].map(() => startCharger(database.url(), text, 1_000_000));
      await until(() => chargers.every((charger) => countOf(charger, "charged") > 50));
      const deps = { db, clock: systemClock, random: systemRandom };
      const rules = { mayCollect: () => false, owners: [] };
      await deleteAccount({ accountId: id, actor: "cli" }, rules, deps);
      const sums = async () => {
        const rows = await db.kysely.selectFrom("call_days").select(["account_id", "credits"]).execute();
        return [
          new Set(rows.map((row) => row.account_id)),
          rows.reduce((sum, row) => sum + Number(row.credits), 0),
        ];
      };
      const [names, credits] = await sums();
      await Promise.all(chargers.map(({ ended }) => ended));
      expect(names).toEqual(new Set([DELETED_ACCOUNT]));
      expect(chargers.reduce((sum, charger) => sum + countOf(charger, "charged"), 0)).toBe(credits);
      for (const charger of chargers) expect(countOf(charger, "revoked")).toBeGreaterThan(0);
      await createLedger({
        db,
        clock: systemClock,
        log: console,
        usage: { store_targets: false, keep_days: 90 },
      }).forgetDeleted();
      expect(await sums()).toEqual([names, credits]);
      expect(await db.kysely.selectFrom("calls").selectAll().execute()).toEqual([]);
    });
  });

  test("a process killed while it charges has taken what it answered and at most what was in flight", async () => {
    const { text, taken } = await start(database, 1_000_000);
    const charger = startCharger(database.url(), text, 1_000_000);
    await until(() => countOf(charger, "charged") > 100);
    charger.child.kill("SIGKILL");
    await charger.ended;
    const answered = countOf(charger, "charged");
    const { balance, rows, days } = await taken();
    expect({ balance, days }).toEqual({ balance: 1_000_000 - rows, days: rows });
    expect(rows).toBeGreaterThanOrEqual(answered);
    // Answers are written before the next call starts, so that no more than 32 are on their way.
    expect(rows).toBeLessThanOrEqual(answered + 32);
    expect((await database.open()).migrated).toEqual([]);
  });
});
