import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { createLedger } from "../src/accounts/ledger/ledger.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { openDatabase } from "../src/db/database.ts";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import { forEachDatabase } from "./databases.ts";
import { callOf, historyOf } from "./ledger-setting.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-copy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const usage = { store_targets: true, keep_days: 90 };
const log = { error: () => undefined };
const { repute } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
const file = join(folder, "data", "repute.db");

/** One row in every table that has none yet, each pointing at the account or at a row of the same id. */
function fillEveryTable(accountId: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma foreign_keys = off");
    const keyId = database.prepare("select id from api_keys").get()?.["id"] ?? null;
    const tables = database
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'schema%'",
      )
      .all()
      .map(({ name }) => String(name));
    for (const table of tables) {
      if (database.prepare(`select 1 from "${table}" limit 1`).get() !== undefined) continue;
      const columns = database.prepare("select name, type from pragma_table_info(?)").all(table);
      const points = database.prepare(
        `select "from" as name, "table" as parent from pragma_foreign_key_list(?)`,
      );
      const parents = new Map(points.all(table).map(({ name, parent }) => [name, parent]));
      const values = columns.map(({ name, type }) => {
        if (name === "account_id") return accountId;
        if (parents.get(name) === "api_keys") return keyId;
        if (parents.get(name) === "people") return accountId;
        if (String(type).toLowerCase() === "blob") return Buffer.from([0, 1, 254, 255]);
        return String(type).toLowerCase() === "text" ? 'same "é\\\n' : 1_700_000_000;
      });
      const places = values.map(() => "?").join(", ");
      database.prepare(`insert into "${table}" values (${places})`).run(...values);
    }
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  } finally {
    database.close();
  }
}

/** A caller with three calls, and something in every table. */
async function fill() {
  const clock = systemClock;
  const db = await openDatabase({ url: file, clock });
  const accounts = createAccounts({ db, clock, random: systemRandom });
  const ledger = createLedger({ db, clock, log, usage });
  const account = await accounts.createAccount({ email: "one@example.com", plan: "Pro" });
  const { text } = await accounts.createKey({ email: "one@example.com" });
  const caller = await ledger.findCaller(text);
  if (caller === null) throw new Error("The new key is not known");
  for (const cost of [1, 2, 3]) await ledger.settle(callOf(caller), cost);
  const history = await historyOf({ db }, account.id);
  await ledger.flush();
  await db.close();
  fillEveryTable(account.id);
  return { text, account, history };
}

const BARE = { bare: true };

forEachDatabase((dialect, database) => {
  if (dialect === "sqlite") {
    test("db copy takes nothing but an empty PostgreSQL database", async () => {
      expectFailure(await repute(["db", "copy", database.url()]), 2, "postgres://");
      const url = "postgres://copy@127.0.0.1:9/none";
      expectFailure(await repute(["db", "copy", url]), 1, "There is no database yet");
      const env = { DATABASE_URL: url };
      expectFailure(await repute(["db", "copy", url], env), 1, "PostgreSQL");
    });
    return;
  }

  test("db copy moves every table, once; the same key pays on with the same balance", async () => {
    const { text, account, history } = await fill();
    const before = readFileSync(file);
    const outcome = await repute(["db", "copy", database.url()]);
    expect(outcome).toMatchObject({ status: 0, error: "" });
    expectNarrow(outcome.out);
    expect(outcome.out).toContain("Counts and sums agree");
    expect(readFileSync(file)).toEqual(before);

    const db = await database.open();
    const ledger = createLedger({ db, clock: systemClock, log, usage });
    const caller = await ledger.findCaller(text);
    expect(caller).toMatchObject({ accountId: account.id, credits: account.credits - 6 });
    const copied = await historyOf({ db }, account.id);
    expect(copied).toEqual(history);
    const source = new DatabaseSync(file, { readOnly: true });
    const kept = source.prepare("select packed from results").get()?.["packed"];
    source.close();
    const result = await db.kysely.selectFrom("results").select("packed").executeTakeFirstOrThrow();
    expect(Buffer.from(result.packed)).toEqual(Buffer.from(kept instanceof Uint8Array ? kept : []));
    if (caller === null) return;
    expect(await ledger.settle(callOf(caller), 4)).toMatchObject({ state: "charged" });
    expect((await historyOf({ db }, account.id)).credits).toBe(10);

    const again = await repute(["db", "copy", database.url()]);
    expectFailure(again, 1, "The target is not empty");
    expect((await historyOf({ db }, account.id)).credits).toBe(10);
  });
}, BARE);
