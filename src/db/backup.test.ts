import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock, systemRandom } from "../base/clock.ts";
import { backUp, restore } from "./backup.ts";
import { type Database, openDatabase } from "./database.ts";

const plans = ["Free", "Pro"];
const deps = { clock: systemClock, random: systemRandom };

let folder = "";
let database = "";
let file = "";
let db: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-backup-"));
  mkdirSync(join(folder, "data"));
  database = join(folder, "data", "repute.db");
  file = join(folder, "backup.db");
  db = await openDatabase({ url: database, clock: systemClock });
  await put("one");
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (value: string) =>
  db.kysely
    .insertInto("meta")
    .values({ key: "k", value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
const get = async () =>
  (await db.kysely.selectFrom("meta").selectAll().where("key", "=", "k").execute())[0]?.value;

/** Changes a database file from outside. */
function change(path: string, sql: string): void {
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
}

/** Changes a definition as nothing but a program that edits the schema can. */
function redefine(path: string, object: string, from: string, to: string): void {
  const other = new DatabaseSync(path, { defensive: false });
  other.exec("pragma writable_schema = on");
  const edit = other.prepare(
    "update sqlite_schema set sql = replace(sql, ?, ?) where name = ? and instr(sql, ?) > 0",
  );
  expect(edit.run(from, to, object, from).changes).toBe(1);
  other.exec("pragma writable_schema = reset");
  other.close();
}

const accountWith = (plan: string, credits: string): string =>
  `insert into accounts (id, email, plan, credits, credits_reset_at, is_owner, created_at)
   values ('a', 'a@example.org', ${plan}, ${credits}, 0, 0, 0)`;

const drafts = () =>
  [folder, join(folder, "data")].flatMap((one) => readdirSync(one).filter((name) => name.includes(".tmp")));

describe("backUp() and restore()", () => {
  test("bring back what was there, under the eyes of who has the database open", async () => {
    await backUp({ database, file }, deps);
    await put("two");
    expect(await restore({ database, file, plans }, deps)).toEqual([]);
    expect(await get()).toBe("one");
    await put("three");
    expect(await get()).toBe("three");
  });

  test("a backup is one file of its owner's, also in place of one that was open to others", async () => {
    writeFileSync(file, "an older one");
    chmodSync(file, 0o644);
    await backUp({ database, file }, deps);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["backup.db", "data"]);
    expect(drafts()).toEqual([]);
    const copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare("select value from meta where key = 'k'").get()).toEqual({ value: "one" });
    copy.close();
    expect(readdirSync(folder).sort()).toEqual(["backup.db", "data"]);
  });

  test("a backup takes the place of a file only, not of a pipe", async () => {
    execFileSync("mkfifo", [file]);
    await expect(backUp({ database, file }, deps)).rejects.toThrow("is not a file");
    expect(statSync(file).isFIFO()).toBe(true);
    expect(drafts()).toEqual([]);
  });

  test("a backup that fails leaves the older one as it was", async () => {
    writeFileSync(file, "an older one");
    await db.close();
    writeFileSync(database, "x".repeat(8192));
    await expect(backUp({ database, file }, deps)).rejects.toThrow();
    expect(readFileSync(file, "utf8")).toBe("an older one");
    expect(drafts()).toEqual([]);
  });

  test("what a killed one left is taken away by the next, unless it may still be written", async () => {
    const unused = 2 ** 22 + 1;
    const [left, young] = [`.repute.${unused}-1.tmp`, `.repute.${unused}-2.tmp`];
    for (const name of [left, `${left}-wal`, young]) writeFileSync(join(folder, name), "");
    for (const name of [left, `${left}-wal`]) utimesSync(join(folder, name), 0, 0);
    await backUp({ database, file }, deps);
    expect(readdirSync(folder).toSorted()).toEqual([young, "backup.db", "data"]);
  });

  test("a way to the database that is closed is not taken for none", async () => {
    const loop = join(folder, "loop");
    symlinkSync(loop, loop);
    await expect(backUp({ database: loop, file }, deps)).rejects.toThrow("ELOOP");
    const text = join(folder, "text");
    writeFileSync(text, "no database ".repeat(1000));
    const says = `Cannot copy "${text}" into "${folder}": file is not a database`;
    await expect(backUp({ database: text, file }, deps)).rejects.toThrow(says);
  });

  test("there is nothing to back up before there is a database, and none is made", async () => {
    const nowhere = join(folder, "data", "other.db");
    await expect(backUp({ database: nowhere, file }, deps)).rejects.toThrow("There is no database yet");
    expect([existsSync(nowhere), existsSync(file)]).toEqual([false, false]);
  });

  test("restore makes the database where there is none, for its owner only", async () => {
    await backUp({ database, file }, deps);
    const url = join(folder, "elsewhere", "repute.db");
    await restore({ database: url, file, plans }, deps);
    expect([statSync(url).mode & 0o777, statSync(join(folder, "elsewhere")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const other = await openDatabase({ url, clock: systemClock });
    expect(await other.kysely.selectFrom("meta").select("value").where("key", "=", "k").execute()).toEqual([
      { value: "one" },
    ]);
    await other.close();
  });

  test("the backup of an older version gets the newest schema, the file itself stays as it is", async () => {
    await backUp({ database, file }, deps);
    change(
      file,
      `drop view call_days; alter table call_day_sums rename to call_days; delete from meta where key = 'calls_in_day_sums';
       drop table invitations; drop table sessions; drop table credentials; drop table sign_in_attempts; drop table reset_tokens;
       drop table billing_customers; drop table billing_events; drop table billing_invoices;
       drop table sign_ups; drop table recovery_codes; drop table access_tokens; drop table bulk_run_items; drop table bulk_runs;
       drop table result_shares; drop table results;
       drop table engine_switches; drop table source_days; drop table person_networks; drop table alerts; drop table alert_settings; drop table people;
       alter table api_keys drop column person_id; alter table accounts drop column email_proved_at;
       alter table accounts drop column is_signed_up; drop index audit_account_id_at; drop index accounts_grace_ends_at;
       alter table accounts drop column credits_granted; alter table accounts drop column trial_grant;
       alter table accounts drop column grace_ends_at; alter table audit drop column key_id;
       drop index api_keys_session_id; alter table api_keys drop column session_id;
       drop table refused_calls; drop table last_calls; drop index api_keys_account_id_revoked_at;
       drop index api_keys_account_id_created_at; create index "api_keys_account_id" on "api_keys" ("account_id");
       drop table account_deletions; drop index api_keys_expires_at;
       alter table api_keys drop column expires_at; alter table api_keys drop column networks;
       alter table api_keys drop column products; alter table api_keys drop column replaced_by;
       delete from schema_steps where name > '0001-accounts'`,
    );
    const before = readFileSync(file);
    await put("two");
    expect(await restore({ database, file, plans }, deps)).toEqual([
      "0002-feeds",
      "0003-dashboard",
      "0004-sessions",
      "0005-day-sums",
      "0006-credits-per-cycle",
      "0007-session-openers",
      "0010-key-options",
      "0011-refused-calls",
      "0012-sign-ups",
      "0013-recovery-codes",
      "0014-engine-switches",
      "0015-access-tokens",
      "0016-results",
      "0017-bulk-runs",
      "0018-source-days",
      "0019-alerts",
      "0020-people",
    ]);
    expect(await get()).toBe("one");
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("restore waits for who writes at that moment", async () => {
    await backUp({ database, file }, deps);
    await put("two");
    const writer = new DatabaseSync(database);
    writer.exec("begin immediate");
    const restored = restore({ database, file, plans }, deps);
    await systemClock.sleep(100);
    writer.exec("commit");
    await restored;
    writer.close();
    expect(await get()).toBe("one");
  });
});

describe("restore() refuses, and changes nothing with,", () => {
  beforeEach(async () => {
    await backUp({ database, file }, deps);
    await put("two");
  });
  afterEach(async () => {
    expect(await get()).toBe("two");
    expect(drafts()).toEqual([]);
  });

  const inPlace = (make: () => void): void => {
    rmSync(file);
    make();
  };
  const damage = (): void => {
    const octets = readFileSync(file);
    octets.fill(0xff, 4096, 4096 + 2000);
    writeFileSync(file, octets);
  };
  test.each<[what: string, spoil: () => void, says: string]>([
    ["a file that is not there", () => rmSync(file), "no such file"],
    ["a folder", () => inPlace(() => mkdirSync(file)), "is not a file"],
    ["an empty file", () => writeFileSync(file, ""), "not a SQLite database"],
    ["a text", () => writeFileSync(file, "SQLite format 4\0".repeat(1000)), "not a SQLite database"],
    ["nothing but a beginning", () => writeFileSync(file, "SQLite format 3\0".repeat(1000)), "it is damaged"],
    ["a damaged page", damage, "it is damaged"],
    ["half of it", () => writeFileSync(file, readFileSync(file).subarray(0, 12_288)), "it is damaged"],
    [
      "a backup of a newer version",
      () => change(file, "insert into schema_steps values ('9999-later', '')"),
      "newer version",
    ],
    [
      "a foreign trigger",
      () => change(file, "create trigger t after insert on calls begin select 1; end"),
      'its trigger "t" is not one of Repute\'s',
    ],
    ["a table too few", () => change(file, "drop table audit"), 'it has no table "audit"'],
    [
      "another program's database",
      () => inPlace(() => change(file, "create table t (x)")),
      "it was not made by Repute",
    ],
    [
      "credits that may be negative",
      () => redefine(file, "accounts", " check (credits >= 0)", ""),
      'its table "accounts" is not defined as Repute defines it',
    ],
    ["a row that points nowhere", () => change(file, ORPHAN), "rows point at rows"],
    ["an unknown plan", () => change(file, accountWith("'Evil'", "1")), "an account has an unknown plan"],
    [
      "credits that are no number",
      () => change(file, `pragma ignore_check_constraints = on; ${accountWith("'Free'", "'abc'")}`),
      '"credits" is no integer in "accounts"',
    ],
    [
      "last calls that are no list",
      () => change(file, "insert into last_calls (account_id, ids) values ('a', '[1')"),
      "the last calls of an account are not a list",
    ],
    ["a name of octets", () => change(file, accountWith("x'00ff'", "1")), '"plan" is no text in "accounts"'],
    ["other pages", () => change(file, "pragma page_size = 8192; vacuum"), "its pages are not of 4096 bytes"],
  ])("%s", async (_what, spoil, says) => {
    spoil();
    await expect(restore({ database, file, plans }, deps)).rejects.toThrow(says);
  });

  test("the database itself, and a copy whose last changes stand beside it", async () => {
    await expect(restore({ database, file: database, plans }, deps)).rejects.toThrow(
      "belongs to the database in use",
    );
    await expect(backUp({ database, file: `${database}-wal` }, deps)).rejects.toThrow(
      "belongs to the database",
    );
    copyFileSync(database, file);
    copyFileSync(`${database}-wal`, `${file}-wal`);
    await expect(restore({ database, file, plans }, deps)).rejects.toThrow("is a database in use");
  });
});

const ORPHAN = `pragma foreign_keys = off;
  insert into api_keys (id, account_id, name, hash, prefix, created_at) values ('k', 'nobody', 'n', 'h', 'p', 0)`;
