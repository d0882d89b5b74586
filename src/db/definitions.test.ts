import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { openDatabase } from "./database.ts";
import { definitionFault } from "./definitions.ts";

let folder = "";
let fresh = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-definitions-"));
  fresh = join(folder, "fresh.db");
  const db = await openDatabase({ url: fresh, clock: systemClock });
  await db.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is said of a fresh database after `change`. */
async function faultAfter(change: (database: DatabaseSync) => void): Promise<string | null> {
  const path = join(folder, "changed.db");
  copyFileSync(fresh, path);
  const database = new DatabaseSync(path, { defensive: false, enableForeignKeyConstraints: false });
  change(database);
  database.close();
  return definitionFault(path, systemClock);
}

type Definition = { readonly type: string; readonly name: string; readonly sql: string };

function definitions(): readonly Definition[] {
  const database = new DatabaseSync(fresh, { readOnly: true });
  const rows = database
    .prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
    .all();
  database.close();
  return rows.map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }));
}

/** Writes a definition as it is, which no statement of SQL would accept for an existing table. */
function setDefinition(database: DatabaseSync, name: string, sql: string): void {
  database.exec("pragma writable_schema = on");
  database.prepare("update sqlite_schema set sql = ? where name = ?").run(sql, name);
  database.exec("pragma writable_schema = reset");
}

/** A definition without one of its clauses, for each that it has. */
function weakened(sql: string): readonly { readonly clause: string; readonly weak: string }[] {
  const clauses =
    / check \([^()]*\)| not null| default \S+?(?=[, )])| unique(?! \()| references "\w+" \("\w+"\)(?: on delete \w+)?/gi;
  return [...sql.matchAll(clauses)].map(({ 0: clause, index }) => ({
    clause,
    weak: sql.slice(0, index) + sql.slice(index + clause.length),
  }));
}

/** What is said of a database that was made anew from definitions, one of them replaced. */
function faultWith(name: string, sql: string): Promise<string | null> {
  const path = join(folder, "rebuilt.db");
  const database = new DatabaseSync(path);
  for (const one of definitions()) database.exec(one.name === name ? sql : one.sql);
  database.prepare("attach ? as fresh").run(fresh);
  database.exec("insert into schema_steps select * from fresh.schema_steps");
  database.close();
  return definitionFault(path, systemClock).finally(() => rmSync(path));
}

describe("definitionFault()", () => {
  test("is null for what the steps made, and for the same in another layout", async () => {
    expect(await faultAfter(() => undefined)).toBeNull();
    const laidOut = (sql: string) =>
      sql
        .replace(/ (?=check|not null|references)/gi, "\n\t")
        .replace(/\bnot null\b/gi, "NOT  NULL")
        .replace(/(?<=[,(])/g, " ");
    const changed = definitions().filter(({ sql }) => laidOut(sql) !== sql);
    expect(changed.length).toBeGreaterThan(10);
    const rewrite = (database: DatabaseSync) => {
      for (const { name, sql } of changed) setDefinition(database, name, laidOut(sql));
    };
    expect(await faultAfter(rewrite)).toBeNull();
  });

  test("names the table for each CHECK, NOT NULL, default, UNIQUE and foreign key that is gone", {
    timeout: 300_000,
  }, async () => {
    expect(await faultWith("none", "")).toBeNull();
    const kinds = new Set<string>();
    for (const { name, sql } of definitions().filter(({ type }) => type === "table")) {
      for (const { clause, weak } of weakened(sql)) {
        const fault = await faultWith(name, weak);
        expect([weak, fault]).toEqual([weak, `its table "${name}" is not defined as Repute defines it`]);
        kinds.add(clause.split(" ", 2).join(""));
      }
    }
    expect([...kinds].sort()).toEqual(["check", "default", "not", "references", "unique"]);
  });

  test.each([
    ["drop index calls_at", "an index that is gone"],
    ["drop view call_days", "a view that is gone"],
    ["drop table audit", "a table that is gone"],
    ["alter table accounts drop column disabled_at", "a column that is gone"],
    ["alter table accounts add column more text", "a column more"],
    ["alter table accounts rename column plan to plans", "a column of another name"],
    ["create index more on accounts (plan)", "an index more"],
    ["create table more (x)", "a table more"],
    ["create view more as select 1", "a view more"],
    ["create trigger more after insert on calls begin select 1; end", "a trigger"],
    ["create virtual table more using fts5(x)", "a virtual table"],
    ["drop view call_days; create view call_days as select * from call_day_sums", "another view"],
    [
      "drop index api_keys_prefix; create unique index api_keys_prefix on api_keys (prefix)",
      "a stricter index",
    ],
    [
      "drop index api_keys_prefix; create index api_keys_prefix on api_keys (name)",
      "an index on another column",
    ],
    [
      "drop index api_keys_prefix; create index api_keys_prefix on api_keys (prefix) where revoked_at is null",
      "an index on some rows",
    ],
  ])("refuses %s: %s", async (sql) => {
    expect(await faultAfter((database) => database.exec(sql))).toMatch(/^it has no |^its .* is not /);
  });

  test.each([
    [" check (credits >= 0)", " check (credits >= -1)", "another CHECK"],
    [" check (credits >= 0)", " /* check (credits >= 0) */", "a CHECK in a comment"],
    [
      '"credits" bigint not null',
      '"credits" bigint "not" "null"',
      "a constraint quoted into the type's name",
    ],
    ["on delete cascade", "", "nothing"],
  ])("refuses accounts with %s as %s: %s", async (from, to) => {
    const sql = definitions().find(({ name }) => name === "accounts")?.sql ?? "";
    const other = sql.replace(from, to);
    const fault = await faultAfter((database) => setDefinition(database, "accounts", other));
    expect(fault === null).toBe(other === sql);
  });

  test("accepts a database as version 0.3.0 made it", async () => {
    const path = join(folder, "0.3.0.db");
    const database = new DatabaseSync(path);
    database.exec(readFileSync(new URL("../../test/fixtures/schema-0.3.0.sql", import.meta.url), "utf8"));
    database.close();
    expect(await definitionFault(path, systemClock)).toBeNull();
    const upgraded = await openDatabase({ url: path, clock: systemClock });
    await upgraded.close();
    expect(await definitionFault(path, systemClock)).toBeNull();
  });

  test("does not judge steps of a later version", async () => {
    const later = "insert into schema_steps values ('9999-later', ''); create table more (x)";
    expect(await faultAfter((database) => database.exec(later))).toBeNull();
  });
});
