import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { backUp, restore } from "./backup.ts";
import { assertRestorable } from "./check-backup.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";
import type { Schema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";

const deps = { clock: systemClock };
const plans = ["Free"];

let [folder, database, file] = ["", "", ""];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-restorable-"));
  database = join(folder, "repute.db");
  file = join(folder, "backup.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing",
    (error: unknown) => String(error),
  );

test.each([
  ["an index of the operator's own", "create index mine on calls (at)"],
  ["a view of the operator's own", "create view mine as select 1"],
  ["a trigger of the operator's own", "create trigger mine after insert on meta begin select 1; end"],
  ["an index too few", "drop index calls_at"],
  ["a value of another kind", "insert into meta (key, value) values ('x', x'00')"],
  ["sums that go further than the history", "update meta set value = '7' where key = 'calls_in_day_sums'"],
])("a backup with %s is refused with the words of a restore", async (_, change) => {
  await (await openDatabase({ url: database, clock: systemClock })).close();
  await backUp({ database, file }, deps);
  expect(await reasonOf(assertRestorable(file, { plans, ...deps }))).toBe("nothing");
  const changed = new DatabaseSync(database);
  changed.exec(change);
  changed.close();
  await backUp({ database, file }, deps);
  const reason = await reasonOf(assertRestorable(file, { plans, ...deps }));
  expect(reason).toContain("is not a whole database of Repute");
  expect(reason).toBe(await reasonOf(restore({ database, file, plans }, deps)));
});

test("a backup of an older schema is one that can be restored", async () => {
  const sqlite = await openSqlite(database, deps);
  const kysely = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });
  await migrate(kysely, { dialect: "sqlite", migrations: ALL_MIGRATIONS.slice(0, 3) });
  await kysely.destroy();
  await sqlite.close();
  await backUp({ database, file }, deps);
  expect(await reasonOf(assertRestorable(file, { plans, ...deps }))).toBe("nothing");
  expect(await reasonOf(restore({ database, file, plans }, deps))).toBe("nothing");
});
