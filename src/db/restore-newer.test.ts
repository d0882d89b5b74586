import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { backUp, restore } from "./backup.ts";
import { openDatabase } from "./database.ts";

const deps = { clock: systemClock };

test("restore goes back from a newer version once no process has its database open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repute-newer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, "repute.db");
  const file = join(folder, "backup.db");
  const open = () => openDatabase({ url: database, clock: systemClock });
  const old = await open();
  await old.kysely.insertInto("meta").values({ key: "k", value: "one" }).execute();
  await backUp({ database, file }, deps);
  await old.close();
  const newer = new DatabaseSync(database);
  newer.exec(`create table later (id); alter table people rename to persons; update meta set value = 'two' where key = 'k';
    insert into schema_steps values ('9999-later', '')`);
  const octets = () => ["", "-wal"].map((suffix) => readFileSync(database + suffix).toString("base64"));
  const before = octets();
  const goBack = () => restore({ database, file, plans: ["Free"] }, deps);
  await expect(goBack()).rejects.toThrow(
    "A newer version of Repute has the database open: stop it before you go back",
  );
  expect(octets()).toEqual(before);
  newer.close();
  expect(await goBack()).toEqual([]);
  const restored = await open();
  onTestFinished(restored.close);
  const rows = restored.kysely.selectFrom("meta").select("value").where("key", "=", "k");
  expect(await rows.execute()).toEqual([{ value: "one" }]);
  expect(await restored.kysely.selectFrom("people").selectAll().execute()).toEqual([]);
});
