import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Clock, systemClock } from "../base/clock.ts";
import { openDatabase } from "./database.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

let [folder, file] = ["", ""];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-busy-"));
  file = join(folder, "repute.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(clock: Clock) {
  const db = await openDatabase({ url: file, clock });
  if (db.dialect !== "sqlite") throw new Error("It is not SQLite");
  const { kysely, sqlite } = db;
  const row = (key: string) => ({ key, value: "x" });
  const put = sqlite.prepare("insert into meta (key, value) values (?, 'x')");
  const writes: Record<string, (key: string) => Promise<unknown>> = {
    "a charge": (key) => sqlite.transaction(() => put.run(key)),
    "a statement": (key) => kysely.insertInto("meta").values(row(key)).execute(),
    "a transaction of Kysely's": (key) =>
      kysely.transaction().execute((begun) => begun.insertInto("meta").values(row(key)).execute()),
  };
  const keys = async () => (await kysely.selectFrom("meta").select("key").execute()).map(({ key }) => key);
  // As a command or another service writes.
  const other = new DatabaseSync(file);
  return { db, writes, keys, other };
}

const KINDS = ["a charge", "a statement", "a transaction of Kysely's"] as const;

test.each(KINDS)("%s waits for another process that writes, and holds up nothing else", async (kind) => {
  const { db, writes, keys, other } = await open(systemClock);
  other.exec("BEGIN IMMEDIATE; insert into meta (key, value) values ('theirs', 'x')");
  const waiting = writes[kind]?.("ours");
  // Had the event loop stood still, it would have been refused by now.
  await systemClock.sleep(100);
  other.exec("COMMIT");
  await waiting;
  expect(await keys()).toEqual(expect.arrayContaining(["theirs", "ours"]));
  other.close();
  await db.close();
});

test("all that waits is written when the other process is done", async () => {
  const { db, writes, keys, other } = await open(systemClock);
  other.exec("BEGIN IMMEDIATE");
  const waiting = Array.from({ length: 9 }, (_, i) => writes[KINDS[i % 3] ?? ""]?.(`ours-${i}`));
  await systemClock.sleep(60);
  other.exec("COMMIT");
  await Promise.all(waiting);
  expect((await keys()).filter((key) => key.startsWith("ours-"))).toHaveLength(9);
  other.close();
  await db.close();
});

test.each(KINDS)(
  "%s is refused when the other process writes for too long, and nothing of it is left",
  async (kind) => {
    let passedMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs };
    const { db, writes, keys, other } = await open(clock);
    other.exec("BEGIN IMMEDIATE");
    const refused = writes[kind]?.("ours").catch((reason: unknown) => reason);
    await systemClock.sleep(30);
    passedMs = 6000;
    expect(await refused).toSatisfy(isDatabaseUnavailable);
    other.exec("ROLLBACK");
    await writes[kind]?.("later");
    const found = await keys();
    expect([found.includes("ours"), found.includes("later")]).toEqual([false, true]);
    other.close();
    await db.close();
  },
);
