import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { openDatabase } from "../src/db/database.ts";
import { createRunner, expectFailure } from "./cli-runner.ts";
import { callPatiently, callService, openTestAccount } from "./service.ts";
import { createServicePlace, endServiceProcesses, startServiceProcess } from "./service-process.ts";
import { ROOT } from "./source-files.ts";

const folders: string[] = [];
afterEach(async () => {
  await endServiceProcesses();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "repute-backup-"));
  folders.push(folder);
  return folder;
}

test("backup and restore while the service works: accounts, keys and credits are those of the backup at once", async () => {
  const place = await createServicePlace(null);
  const service = startServiceProcess(place.env);
  const port = await service.listening;
  const db = await openDatabase({ url: join(place.dataDir, "repute.db"), clock: systemClock });
  const accounts = createAccounts({ db, clock: systemClock, random: systemRandom });
  const kept = await openTestAccount(accounts);
  const quiet = await openTestAccount(accounts, { credits: 700 });
  const statusOf = async ({ key }: { key: string }) =>
    (
      await callPatiently(
        { call: (wish) => callService(port, wish) },
        { method: "GET", path: SUBSCRIPTION, key },
      )
    ).status;
  let isOver = false;
  const callOn = async (): Promise<void> => {
    while (!isOver) {
      const wish = { path: "/api/check-ip", key: kept.key, body: { ip: "8.8.8.8" } };
      const answer = await callPatiently({ call: (one) => callService(port, one) }, wish, [429, 503]);
      expect(answer.status).toBe(200);
    }
  };
  const callers = Promise.all([callOn(), callOn(), callOn()]);
  const folder = createFolder();
  const { program: repute } = createRunner(folder, place.env);
  expect(await repute(["backup", "it.db"])).toEqual({
    status: 0,
    out: `Wrote ${join(folder, "it.db")}\n`,
    error: "",
  });
  const later = await openTestAccount(accounts);
  await accounts.setCredits({ email: quiet.email, credits: 1 });
  const [key] = await accounts.listKeys({ email: quiet.email });
  await accounts.revokeKey(key?.id ?? "");
  expect([await statusOf(later), await statusOf(quiet)]).toEqual([200, 401]);
  expect(await repute(["restore", "it.db"])).toMatchObject({ status: 0, error: "" });
  expect([await statusOf(later), await statusOf(quiet)]).toEqual([401, 200]);
  isOver = true;
  await callers;
  expect((await accounts.findAccount(quiet.email))?.credits).toBe(700);
  const { charged } = await db.kysely
    .selectFrom("calls")
    .select(({ fn }) => fn.sum<number>("credits").as("charged"))
    .where("account_id", "=", kept.id)
    .executeTakeFirstOrThrow();
  expect((await accounts.findAccount(kept.email))?.credits).toBe(1_500_000 - Number(charged));
  await db.close();
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ status: 0, error: "" });
});

test("a backup that a restore would refuse is written, and is a failure that says why", async () => {
  const folder = createFolder();
  const { program: repute } = createRunner(folder, { REPUTE_DATA_DIR: folder });
  expect(await repute(["account", "create", "--email", "a@example.org"])).toMatchObject({ status: 0 });
  const database = new DatabaseSync(join(folder, "repute.db"));
  database.exec("create index mine on calls (at)");
  database.close();
  const file = join(folder, "it.db");
  expect(await repute(["backup", file])).toEqual({
    status: 1,
    out: `Wrote ${file}\n`,
    error: `error: repute restore would refuse this backup: "${file}" is not a whole database of Repute: its index "mine" is not one of Repute's\n`,
  });
  expect(statSync(file).size).toBeGreaterThan(0);
});

const SUBSCRIPTION = "/api/account/subscription";

test("backup and restore say in one line why they cannot", async () => {
  const folder = createFolder();
  const { program: repute } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
  const postgres = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  for (const command of ["backup", "restore"]) {
    expectFailure(await repute([command, "it.db"], postgres), 1, "The database is PostgreSQL: use pg_dump");
    expectFailure(await repute([command]), 2, "file");
  }
  expectFailure(await repute(["backup", "it.db"]), 1, "There is no database yet");
  expectFailure(await repute(["restore", "it.db"]), 1, "there is no such file or folder");
  expect((await repute(["db", "migrate"])).status).toBe(0);
  expectFailure(await repute(["backup", "/nowhere/it.db"]), 1, 'There is no folder "/nowhere"');
  expectFailure(await repute(["backup", folder]), 1, "a folder stands where a file is needed");
});

test.runIf(process.platform === "linux")(
  "a restore that finds no room says so, and not that the database is busy",
  async () => {
    const folder = createFolder();
    const dataDir = join(folder, "data");
    const { program: repute } = createRunner(folder, { REPUTE_DATA_DIR: dataDir });
    expect((await repute(["db", "migrate"])).status).toBe(0);
    expect((await repute(["backup", "it.db"])).status).toBe(0);
    // Room for the copy that is checked, and not for the log of the database, which is a little longer.
    const room = `--fsize=${statSync(join(folder, "it.db")).size}`;
    const restore = [process.execPath, join(ROOT, "src", "main.ts"), "restore", "it.db"];
    const { status, stderr } = spawnSync("prlimit", [room, ...restore], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, REPUTE_DATA_DIR: dataDir },
    });
    expect(stderr).toBe(`error: Cannot write "${join(dataDir, "repute.db")}": disk I/O error\n`);
    expect(status).toBe(1);
    expect(readdirSync(dataDir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect((await repute(["account", "list"])).status).toBe(0);
  },
);
