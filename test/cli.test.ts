import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { createAccounts } from "../src/accounts/account-store.ts";
import { systemClock, systemRandom } from "../src/base/clock.ts";
import { VERSION } from "../src/base/version.ts";
import { openDatabase } from "../src/db/database.ts";
import { createRunner, expectFailure, expectNarrow, PROGRAM } from "./cli-runner.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { repute, json } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });

describe("repute", () => {
  test("prints its version, and its commands", async () => {
    expect(await repute(["--version"])).toEqual({ status: 0, out: `${VERSION}\n`, error: "" });
    const help = await repute(["--help"]);
    expect(help.status).toBe(0);
    for (const word of ["serve", "check", "account", "key", "feeds", "config", "db"]) {
      expect(help.out).toMatch(new RegExp(`^  ${word} `, "m"));
    }
    expectNarrow(help.out);
  });

  test.each([
    { args: ["frobnicate"], says: "unknown command" },
    { args: ["account", "frobnicate"], says: "unknown command" },
    { args: ["account", "list", "--colour"], says: "unknown option" },
    { args: ["account", "list", "more"], says: "too many arguments" },
    { args: ["account", "show"], says: "missing required argument" },
    { args: ["account", "create"], says: "--email" },
    { args: ["account", "create", "--email", "no address"], says: 'Not an e-mail address: "no address"' },
    { args: ["account", "create", "--email", "a@b.example", "--plan", "Gold"], says: 'Unknown plan "Gold"' },
    { args: ["account", "set-credits", "a@b.example", "1.5"], says: 'found "1.5"' },
    { args: ["key", "create"], says: "--account" },
    { args: ["check"], says: "missing" },
    { args: ["check", "ip"], says: "A value is missing after" },
    {
      args: ["account", "create", "--email", `${"a".repeat(300)}@b.example`],
      says: "has 310 characters, and an e-mail address has 254 at most",
    },
    { args: ["check", "ip", "--file", "list.txt"], says: 'gets recognised, so leave "ip" out' },
    { args: ["check", "8.8.8.8", "--file", "list.txt"], says: "Values or --file, not both" },
    { args: ["check", "--type", "A", "--file", "list.txt"], says: "what each line of a file is" },
    { args: ["check", "phone", "1"], says: "This is not an address" },
    { args: ["check", "8.8.8.8", "phone", "9.9.9.9"], says: '"phone": This is not an address' },
    { args: ["check", "8.8.8.8", "http://a b/"], says: '"http://a b/": ' },
    { args: ["check", "8.8.8.8", "x".repeat(5000)], says: `"${"x".repeat(80)}…": ` },
    { args: ["check", "8.8.8.8", "\u001b[2J"], says: "This is not an address" },
    { args: ["check", "ip", "0177.0.0.1"], says: "" },
    { args: ["check", "ip", ""], says: "" },
    {
      args: ["check", "ip", "8.8.8.8", "--view", "tiny"],
      says: "known are standard, full, compact, verdict",
    },
    { args: ["check", "ip", "8.8.8.8\u001b[2J"], says: "" },
    { args: ["fro\u001b[2Jb\nnicate"], says: "unknown command" },
  ])("takes $args as wrong usage: status 2, one line", async ({ args, says }) => {
    const outcome = await repute(args);
    expectFailure(outcome, 2, says);
    expect(outcome.error).not.toContain("\u001b");
  });

  test.each([{ args: [] }, { args: ["account"] }, { args: ["key"] }])(
    "answers $args with the usage, status 2",
    async ({ args }) => {
      const { status, out, error } = await repute(args);
      expect({ status, out }).toEqual({ status: 2, out: "" });
      expect(error).toContain("Usage: repute");
    },
  );

  test.each([
    { env: { PORT: "99999" }, says: "PORT: expected an integer from 0 to 65535" },
    { env: { REPUTE_CONFIG: "/nowhere/repute.yaml" }, says: "there is no such file" },
    { env: { REPUTE_DATA_DIR: PROGRAM }, says: "a file stands where a folder is needed" },
    { env: { DATABASE_URL: "postgres://me:hunter2@127.0.0.1:1/x" }, says: "connection refused" },
  ])("fails in one line with status 1 for $env", async ({ env, says }) => {
    const outcome = await repute(["account", "list"], env);
    expectFailure(outcome, 1, says);
    expect(outcome.error).not.toContain("hunter2");
  });

  test("config prints the configuration in force without its secrets", async () => {
    const env = { DATABASE_URL: "postgres://me:hunter2@db.example/x", STRIPE_SECRET_KEY: "sk_hunter2" };
    const { status, out } = await repute(["config"], env);
    expect(status).toBe(0);
    expect(out).toContain("postgres://me:***@db.example/x");
    expect(out).toContain('stripe_secret_key: "***"');
    expect(out).not.toContain("hunter2");
  });

  test("config says on standard error what will not work as it stands", async () => {
    const file = join(folder, "slips.yaml");
    writeFileSync(file, "engines: { enable: [no_such_list] }\ngeo: { database: /nowhere.mmdb }\n");
    const { status, out, error } = await repute(["config"], { REPUTE_CONFIG: file });
    expect(status).toBe(0);
    expect(out).toContain("no_such_list");
    expect(error).toMatch(/^warning: engines\.enable: no engine has the key "no_such_list"/m);
    expect(error).toMatch(/^warning: geo\.database: cannot read "\/nowhere\.mmdb"/m);
  });

  test("refuses a database that a newer version made", async () => {
    const env = { REPUTE_DATA_DIR: join(folder, "newer") };
    expect(await repute(["db", "migrate"], env)).toMatchObject({ status: 0, error: "" });
    expect((await repute(["db", "migrate"], env)).out).toContain("newest already");
    const db = new DatabaseSync(join(folder, "newer", "repute.db"));
    db.exec("insert into schema_steps (name, timestamp) values ('9999-future', '2030-01-01T00:00:00Z')");
    db.close();
    expectFailure(await repute(["account", "list"], env), 1, "newer version");
    expectFailure(await repute(["serve"], { ...env, PORT: "0" }), 1, "newer version");
  });
});

describe("accounts and keys on the command line:", () => {
  const email = "ann@example.com";
  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

  test("no date is shown while a due refill waits for a late payment", async () => {
    const env = { REPUTE_DATA_DIR: join(folder, "held") };
    expect((await repute(["account", "create", "--email", email], env)).status).toBe(0);
    const db = new DatabaseSync(join(folder, "held", "repute.db"));
    const held = `credits_reset_at = ${Date.UTC(2026, 0, 1)}, grace_ends_at = ${Date.UTC(2100, 0, 1)}`;
    db.exec(`update accounts set plan = 'Pro', credits = 7, ${held}`);
    db.close();
    const shown = await repute(["account", "show", email], env);
    expect(shown.out).toMatch(/^Credits +7, refills when the late payment is made$/m);
    expect((await repute(["account", "list"], env)).out).toMatch(/Pro +7 +on hold +active/);
    const json = JSON.parse((await repute(["account", "show", email, "--json"], env)).out);
    expect(json).toMatchObject({ credits_remaining: 7, credits_reset_at: null });
    const [listed] = JSON.parse((await repute(["account", "list", "--json"], env)).out);
    expect(listed).toMatchObject({ credits_reset_at: null });
  });

  test("from creation to revocation, each change with its audit row", async () => {
    expectFailure(await repute(["account", "show", email]), 1, `There is no account "${email}"`);
    expectFailure(await repute(["key", "create", "--account", email]), 1, "There is no account");
    const created = await json(["account", "create", "--email", "Ann@Example.com"]);
    expect(created).toEqual({ id: expect.any(String), email, plan: "Free", credits_remaining: 100 });
    expectFailure(await repute(["account", "create", "--email", email]), 1, "exists already");
    expect(await json(["account", "show", email])).toEqual({
      ...created,
      credits_reset_at: expect.stringMatching(TIME),
    });

    const key = await json(["key", "create", "--account", email, "--name", "build\u001b[2J"]);
    expect(Object.keys(key)).toEqual(["id", "name", "prefix", "key"]);
    expect(key.key).toMatch(/^rpt_[0-9A-Za-z]{43}$/);
    expect(key.prefix).toBe(key.key.slice(0, 12));
    expect((await repute(["key", "create", "--account", email])).out).toMatch(/^Key +rpt_[0-9A-Za-z]{43}$/m);
    expectFailure(
      await repute(["key", "create", "--account", email]),
      1,
      "All 2 keys of plan Free are in use",
    );

    const steps = [
      ["account", "set-plan", email, "pro"],
      ["account", "set-credits", email, "7"],
      ["account", "disable", email],
      ["account", "enable", email],
      ["account", "set-owner", email],
      ["key", "revoke", key.id],
    ];
    for (const step of steps) expect(await repute(step)).toMatchObject({ status: 0, error: "" });
    expect(await json(["account", "list"])).toEqual([
      expect.objectContaining({ email, plan: "Pro", credits_remaining: 7 }),
    ]);
    const [first, second] = await json(["key", "list", "--account", email]);
    expect(first).toMatchObject({
      id: key.id,
      name: expect.stringMatching(/^build/),
      prefix: key.prefix,
      created_at: expect.stringMatching(TIME),
      last_used_at: null,
      revoked_at: expect.stringMatching(TIME),
    });
    expect(second.revoked_at).toBeNull();
    expectFailure(await repute(["key", "revoke", "nothing"]), 1, "There is no key");
    expect(await auditedActions()).toEqual([
      "account.create",
      "key.create",
      "key.create",
      "account.set_plan",
      "account.set_credits",
      "account.disable",
      "account.enable",
      "account.set_owner",
      "key.revoke",
    ]);
  });

  test("prints tables for people that fit 80 columns and hold no terminal codes", async () => {
    const env = { REPUTE_DATA_DIR: join(folder, "people") };
    const long = `${"a".repeat(60)}@example.com`;
    await repute(["account", "create", "--email", long, "--plan", "Enterprise"], env);
    await repute(["key", "create", "--account", long, "--name", `\u001b]0;x\u0007${"n".repeat(90)}`], env);
    for (const args of [
      ["account", "list"],
      ["key", "list", "--account", long],
    ]) {
      const { status, out } = await repute(args, env);
      expect(status).toBe(0);
      expectNarrow(out);
      expect(out).not.toContain("\u001b");
    }
  });

  test("no file of the data folder is anybody else's, whatever the umask, and none holds a key", async () => {
    const { key } = await json(["key", "create", "--account", email]);
    const files = readdirSync(join(folder, "data"), { recursive: true, withFileTypes: true });
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name);
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
      if (entry.isFile()) expect(readFileSync(path).includes(key)).toBe(false);
    }
  });

  async function auditedActions(): Promise<string[]> {
    const db = await openDatabase({ url: join(folder, "data", "repute.db"), clock: systemClock });
    const rows = await createAccounts({ db, clock: systemClock, random: systemRandom }).listAudit({
      limit: 50,
    });
    await db.close();
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set(["cli"]));
    return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ action }) => action);
  }
});
