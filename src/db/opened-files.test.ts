import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../base/clock.ts";
import { backUp, restore } from "./backup.ts";
import { openDatabase } from "./database.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

let [root, folder, file] = ["", "", ""];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "repute-moved-"));
  folder = join(root, "data");
  file = join(folder, "repute.db");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function open() {
  const db = await openDatabase({ url: file, clock: systemClock });
  if (db.dialect !== "sqlite") throw new Error("It is not SQLite");
  const { kysely, sqlite } = db;
  const byKysely = (key: string) => kysely.insertInto("meta").values({ key, value: "x" }).execute();
  const put = sqlite.prepare("insert into meta (key, value) values (?, 'x')");
  const byLedger = (key: string) => sqlite.transaction(() => put.run(key));
  const keys = async () => (await kysely.selectFrom("meta").select("key").execute()).map(({ key }) => key);
  return { db, byKysely, byLedger, keys };
}

const deps = { clock: systemClock };
const settled = () => systemClock.sleep(260);

// Windows keeps open files where they are.
describe.skipIf(process.platform === "win32")("a database whose files are not where it opened them", () => {
  const aside = () => join(root, "aside");
  const replaced = (path: string) => {
    renameSync(path, aside());
    copyFileSync(aside(), path);
  };
  test.each<[string, () => void, () => void]>([
    ["the file is renamed", () => renameSync(file, aside()), () => renameSync(aside(), file)],
    ["another file has its name", () => replaced(file), () => renameSync(aside(), file)],
    ["the folder is renamed", () => renameSync(folder, aside()), () => renameSync(aside(), folder)],
    [
      "an empty folder has its name",
      () => {
        renameSync(folder, aside());
        mkdirSync(folder);
      },
      () => {
        rmSync(folder, { recursive: true });
        renameSync(aside(), folder);
      },
    ],
    [
      "the log is renamed",
      () => renameSync(`${file}-wal`, aside()),
      () => renameSync(aside(), `${file}-wal`),
    ],
    ["another log has its name", () => replaced(`${file}-wal`), () => renameSync(aside(), `${file}-wal`)],
    [
      "the index of the log is renamed",
      () => renameSync(`${file}-shm`, aside()),
      () => renameSync(aside(), `${file}-shm`),
    ],
  ])("takes nothing while %s, and goes on when it is back", async (_, move, putBack) => {
    const { db, byKysely, byLedger, keys } = await open();
    await byLedger("before");
    move();
    for (const write of [byKysely, byLedger]) {
      const refused = await write("meanwhile").catch((reason: unknown) => reason);
      expect(refused).toSatisfy(isDatabaseUnavailable);
      expect(String(refused)).toMatch(
        /was moved, removed or replaced while it was open: put it back, or restart$/,
      );
    }
    expect(await db.isReachable()).toBe(false);
    putBack();
    await settled();
    expect(await db.isReachable()).toBe(true);
    await Promise.all([byKysely("after by Kysely"), byLedger("after")]);
    expect(await keys()).toEqual(expect.arrayContaining(["before", "after by Kysely", "after"]));
    expect(await keys()).not.toContain("meanwhile");
    await db.close();
  });

  test("takes nothing once the file is removed, also when another process has made it anew", async () => {
    const { db, byLedger } = await open();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix);
    const other = await open();
    await other.byLedger("elsewhere");
    await expect(byLedger("lost")).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await db.isReachable()).toBe(false);
    expect(await other.db.isReachable()).toBe(true);
    await db.close();
    await other.db.close();
    expect(existsSync(file)).toBe(true);
  });
});

test.skipIf(process.platform === "win32")(
  "a link is followed: the log stands beside what it points at",
  async () => {
    const target = join(root, "target.db");
    mkdirSync(folder);
    symlinkSync(target, file);
    const { db, byLedger, keys } = await open();
    await byLedger("before");
    for (const [path, aside] of [
      [`${target}-wal`, "log"],
      [file, "link"],
    ] as const) {
      renameSync(path, join(root, aside));
      await expect(byLedger("meanwhile")).rejects.toSatisfy(isDatabaseUnavailable);
      renameSync(join(root, aside), path);
    }
    await byLedger("after");
    expect(await keys()).toEqual(expect.arrayContaining(["before", "after"]));
    copyFileSync(`${target}-wal`, join(root, "log"));
    await db.close();
    copyFileSync(join(root, "log"), `${target}-wal`);
    truncateSync(target);
    await expect(open()).rejects.toThrow("target.db is missing or empty");
  },
);

test.each([
  ["is missing", () => renameSync(file, join(root, "aside"))],
  ["is empty", () => truncateSync(file)],
])("a log is left alone whose database %s: it may hold what was committed last", async (_, lose) => {
  const { db, byLedger } = await open();
  await byLedger("committed");
  // As a crash leaves them.
  copyFileSync(`${file}-wal`, join(root, "log"));
  await db.close();
  copyFileSync(join(root, "log"), `${file}-wal`);
  const whole = readFileSync(file);
  lose();
  await expect(open()).rejects.toThrow(
    "repute.db is missing or empty, while its log repute.db-wal is not: put the file back, or remove the log to begin anew",
  );
  expect(readFileSync(`${file}-wal`)).toEqual(readFileSync(join(root, "log")));
  writeFileSync(file, whole);
  const again = await open();
  expect(await again.keys()).toContain("committed");
  await again.db.close();
});

test("a database that others copy, restore, shrink or check in place stays where it is", async () => {
  const { db, byLedger, keys } = await open();
  await byLedger("first");
  const copy = join(root, "copy.db");
  await backUp({ database: file, file: copy }, deps);
  await byLedger("second");
  const other = new DatabaseSync(file);
  other.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA integrity_check");
  other.close();
  await byLedger("third");
  await restore({ database: file, file: copy, plans: [] }, deps);
  await byLedger("fourth");
  await settled();
  expect(await db.isReachable()).toBe(true);
  expect(await keys()).toEqual(expect.arrayContaining(["first", "fourth"]));
  await db.close();
});
