import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { forEachDatabase, type TestDatabase } from "../../test/databases.ts";
import { startTcpProxy } from "../../test/servers/tcp-proxy.ts";
import { systemClock } from "../base/clock.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { ALL_MIGRATIONS } from "./migrations/all.ts";
import { openPostgres } from "./postgres.ts";
import { isDatabaseUnavailable } from "./unavailable.ts";

const BARE = { bare: true };

const names = ALL_MIGRATIONS.map(({ name }) => name);

forEachDatabase((dialect, database) => {
  test("openDatabase() makes the schema once", async () => {
    const first = await database.open();
    expect(first.dialect).toBe(dialect);
    expect(first.migrated).toEqual(names);
    expect((await database.open()).migrated).toEqual([]);
  });

  test("openDatabase() applies every step once when several processes start at once", async () => {
    const steps = await Promise.all([1, 2, 3].map(() => openElsewhere(database.url())));
    expect(steps.flat()).toEqual(names);
  });

  test("openDatabase() refuses the schema of a newer version with one sentence", async () => {
    const db = await database.open();
    const newer = { name: "9999-later", up: async () => undefined };
    expect(await migrate(db.kysely, { dialect, migrations: [...ALL_MIGRATIONS, newer] })).toEqual([
      "9999-later",
    ]);
    await expect(database.open()).rejects.toThrow(
      'The database was made by a newer version of Repute (schema step "9999-later"): upgrade Repute',
    );
  });

  test("a step that fails leaves nothing of it behind", async () => {
    const db = await database.open();
    const broken = {
      name: "9999-broken",
      up: async (kysely: Parameters<(typeof ALL_MIGRATIONS)[0]["up"]>[0]) => {
        await kysely.schema.createTable("halfway").addColumn("id", "text").execute();
        throw new Error("no more");
      },
    };
    const both = [...ALL_MIGRATIONS, broken];
    await expect(migrate(db.kysely, { dialect, migrations: both })).rejects.toThrow(
      "Cannot migrate the database: no more",
    );
    await expect(sql`select * from halfway`.execute(db.kysely)).rejects.toThrow(/halfway/);
    expect((await database.open()).migrated).toEqual([]);
  });

  test("numbers of 53 bits, flags and nulls come back as they went in", async () => {
    const { kysely } = await database.open();
    const row = {
      id: "a",
      email: "ann@example.com",
      plan: "Free",
      credits: Number.MAX_SAFE_INTEGER,
      credits_granted: 1_500_000,
      credits_reset_at: 253_402_300_799_999,
      trial_grant: null,
      grace_ends_at: null,
      is_owner: 1,
      created_at: 0,
      disabled_at: null,
      billing_status: null,
      current_period_end: null,
      cancel_at_period_end: 0,
      is_signed_up: 1,
      email_proved_at: null,
    };
    await kysely.insertInto("accounts").values(row).execute();
    expect(await kysely.selectFrom("accounts").selectAll().execute()).toEqual([row]);
    const update = kysely.updateTable("accounts").set({ credits: 1 }).where("id", "=", "a");
    expect((await update.executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
    await expect(kysely.updateTable("accounts").set({ credits: -1 }).execute()).rejects.toThrow(
      /check|constraint/i,
    );
  });

  test("a transaction that throws leaves nothing, and the connection goes on", async () => {
    const { kysely } = await database.open();
    const failing = kysely.transaction().execute(async (trx) => {
      await trx.insertInto("meta").values({ key: "a", value: "1" }).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await kysely.selectFrom("meta").selectAll().where("key", "=", "a").execute()).toEqual([]);
  });

  test("isReachable() is true while open and false after close(), which may be called twice", async () => {
    const db = await database.open();
    expect(await db.isReachable()).toBe(true);
    await db.close();
    await db.close();
    await systemClock.sleep(260);
    expect(await db.isReachable()).toBe(false);
    const read = db.kysely.selectFrom("meta").selectAll().execute();
    await expect(read).rejects.toSatisfy(isDatabaseUnavailable);
  });

  if (dialect === "postgres") testPostgres(database);
}, BARE);

const READ = { name: "read_one", text: "select 1 as one" };
const LOCK = { name: "lock_one", text: "select pg_advisory_xact_lock(4711, hashtext(current_schema()))" };

function testPostgres(database: TestDatabase): void {
  test("a read from a server that is silent is given up, once, and not tried again", async () => {
    const { port, searchParams } = new URL(database.url());
    const proxy = await startTcpProxy(Number(port || 5432));
    const url = new URL(database.url());
    url.port = String(proxy.port);
    url.search = searchParams.toString().replaceAll("+", "%20");
    const postgres = await openPostgres(url.href);
    expect(await postgres.read(READ, [])).toEqual([{ one: 1 }]);
    proxy.freeze();
    const error = await postgres.read(READ, []).catch((reason: unknown) => reason);
    expect(String(error)).toContain("Query read timeout");
    expect(isDatabaseUnavailable(error)).toBe(true);
    proxy.thaw();
    expect(await postgres.read(READ, [])).toEqual([{ one: 1 }]);
    await postgres.close();
  });

  test("a transaction ends with its last statement, and takes nothing when that one fails", async () => {
    await database.open();
    const postgres = await openPostgres(database.url());
    const write = (key: string) => ({
      name: `write_${key}`,
      text: `insert into meta values ('${key}', '1')`,
    });
    const fail = { name: "fail", text: "select (key || '?')::int from meta" };
    await postgres.transaction([], (_, { runLast }) => runLast(write("kept"), []));
    const failed = postgres.transaction([], async (_, { run, runLast }) => {
      await run(write("lost"), []);
      await runLast(fail, []);
    });
    await expect(failed).rejects.toThrow("invalid input syntax");
    const kept = { name: "kept", text: "select key from meta where key in ('kept', 'lost')" };
    expect(await postgres.transaction([[kept, []]], async ([rows]) => rows)).toEqual([{ key: "kept" }]);
    await postgres.close();
  });

  test("a process that stands still inside a transaction does not keep the others out for ever", async () => {
    const [still, other] = [await openPostgres(database.url()), await openPostgres(database.url())];
    const held = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const stands = still
      .transaction([[LOCK, []]], async (_, { run }) => {
        held.resolve();
        await goesOn.promise;
        await run(READ, []);
      })
      .catch((reason: unknown) => reason);
    await held.promise;
    await other.transaction([[LOCK, []]], async () => undefined);
    goesOn.resolve();
    expect(isDatabaseUnavailable(await stands)).toBe(true);
    await still.close();
    await other.close();
  });
}

describe("a SQLite file", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "repute-db-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("and its neighbours are 0600 in a folder 0700, whatever the umask", async () => {
    const file = join(folder, "data", "repute.db");
    const before = process.platform === "win32" ? "" : "process.umask(0);";
    await openElsewhere(file, `${before}`, "await db.kysely.selectFrom('meta').selectAll().execute();");
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const db = await openDatabase({ url: file, clock: systemClock });
    await db.isReachable();
    for (const suffix of ["-wal", "-shm"]) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    await db.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("that was readable by all is closed to others, and its folder is left alone", async () => {
    const shared = join(folder, "shared");
    mkdirSync(shared, { mode: 0o755 });
    const file = join(shared, "repute.db");
    writeFileSync(file, "", { mode: 0o644 });
    const db = await openDatabase({ url: file, clock: systemClock });
    await db.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(shared).mode & 0o777).toBe(0o755);
  });

  test("is in WAL mode; its log is brought to the disk apart", async () => {
    const db = await openDatabase({ url: join(folder, "repute.db"), clock: systemClock });
    const pragma = async (name: string) => (await sql.raw(`PRAGMA ${name}`).execute(db.kysely)).rows[0];
    expect(await pragma("journal_mode")).toEqual({ journal_mode: "wal" });
    expect(await pragma("synchronous")).toEqual({ synchronous: 1 });
    // What is waited for beyond this lets others go on: busy.test.ts.
    expect(await pragma("busy_timeout")).toEqual({ timeout: 5 });
    expect(await pragma("foreign_keys")).toEqual({ foreign_keys: 1 });
    await db.close();
  });

  test("that is no database is refused as unavailable", async () => {
    const file = join(folder, "repute.db");
    writeFileSync(file, "x".repeat(5000));
    await expect(openDatabase({ url: file, clock: systemClock })).rejects.toSatisfy(isDatabaseUnavailable);
  });

  test("that is full or read-only is not reachable until that is over", async () => {
    const db = await openDatabase({ url: join(folder, "repute.db"), clock: systemClock });
    await sql.raw("PRAGMA query_only = 1").execute(db.kysely);
    expect(await db.isReachable()).toBe(false);
    await sql.raw("PRAGMA query_only = 0").execute(db.kysely);
    await systemClock.sleep(260);
    expect(await db.isReachable()).toBe(true);
    await db.close();
  });
});

test.each(["mysql://user:secret@host/db", ""])(
  "openDatabase() refuses the URL %j and repeats no password",
  async (url) => {
    const opening = openDatabase({ url, clock: systemClock });
    await expect(opening).rejects.toThrow(
      /^Cannot open the database: expected a file or postgres:\/\/…, got "(mysql)?"$/,
    );
  },
);

test("openDatabase() rejects as unavailable when no PostgreSQL is there", async () => {
  const opening = openDatabase({ url: "postgres://nobody@127.0.0.1:1/none", clock: systemClock });
  await expect(opening).rejects.toSatisfy(isDatabaseUnavailable);
});

/** Opens a database in a process of its own; the schema steps that it applied there. */
async function openElsewhere(url: string, before = "", after = ""): Promise<string[]> {
  const program = `${before}
    const { openDatabase } = await import(${JSON.stringify(new URL("./database.ts", import.meta.url).href)});
    const { systemClock } = await import(${JSON.stringify(new URL("../base/clock.ts", import.meta.url).href)});
    const db = await openDatabase({ url: ${JSON.stringify(url)}, clock: systemClock });
    ${after}
    console.log(JSON.stringify(db.migrated));
    await db.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}
