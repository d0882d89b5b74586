import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { openSqlite } from "./sqlite.ts";
import { createWal } from "./wal.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-wal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PAGE_BYTES = 4096;

test("what is committed is read by another connection as soon as the transaction resolves", async () => {
  const file = join(folder, "a.db");
  const sqlite = await openSqlite(file, { clock: systemClock });
  sqlite.prepare("create table t (x integer)").run();
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      sqlite.transaction(() => sqlite.prepare("insert into t values (?)").run(i)),
    ),
  );
  const other = new DatabaseSync(file, { readOnly: true });
  expect(other.prepare("select count(*) as n, sum(x) as sum from t").get()).toEqual({ n: 50, sum: 1225 });
  other.close();
  await sqlite.close();
});

test("the log begins anew while transactions go on, and its pages are in the database file", async () => {
  const file = join(folder, "b.db");
  const sqlite = await openSqlite(file, { clock: systemClock });
  sqlite.prepare("create table t (x blob)").run();
  const write = () =>
    sqlite.transaction(() => {
      for (let i = 0; i < 20; i++) sqlite.prepare("insert into t values (zeroblob(4000))").run();
    });
  let written = 0;
  let mostBytes = 0;
  // However slow the thread that copies is beside other work: at some time it has copied most, and the log is used again.
  const isCopied = () => statSync(file).size > 20_000 * PAGE_BYTES && mostBytes < (written * PAGE_BYTES) / 2;
  while (written < 40_000 || (written < 400_000 && !isCopied())) {
    await write();
    written += 20;
    mostBytes = Math.max(mostBytes, statSync(`${file}-wal`).size);
  }
  expect(mostBytes).toBeLessThan((written * PAGE_BYTES) / 2);
  expect(statSync(file).size).toBeGreaterThan(20_000 * PAGE_BYTES);
  expect(sqlite.prepare("select count(*) as n from t").get()).toEqual({ n: written });
  await sqlite.close();
});

test("a checkpoint that fails is no error of the commit before it", async () => {
  const file = join(folder, "c.db");
  writeFileSync(file, "no database".repeat(1000));
  writeFileSync(`${file}-wal`, "");
  const closed = createWal({
    file,
    framesBehind: () => {
      throw new Error("The database is closed");
    },
  });
  await closed.sync();
  await closed.close();
  const damaged = createWal({ file, framesBehind: () => 5000 });
  await damaged.sync();
  await damaged.whenOpen();
  await damaged.sync();
  await damaged.close();
});

test("a log that cannot be brought to the disk is an error of those who wait for it", async () => {
  const wal = createWal({ file: join(folder, "none.db"), framesBehind: () => 0 });
  await expect(wal.sync()).rejects.toMatchObject({ code: "ENOENT" });
  await expect(Promise.all([wal.sync(), wal.sync(), wal.sync()])).rejects.toMatchObject({ code: "ENOENT" });
  await wal.close();
});
