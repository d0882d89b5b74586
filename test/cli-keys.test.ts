import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../src/cli/run.ts";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";

const email = "ann@example.com";
let folder = "";
let cli: ReturnType<typeof createRunner>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-cli-keys-"));
  cli = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
  await cli.json(["account", "create", "--email", email]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const createKey = (...more: string[]) => cli.json(["key", "create", "--account", email, ...more]);
const listKeys = () => cli.json(["key", "list", "--account", email]);

describe("`repute key`", () => {
  test("makes a key with limits, changes them and shows them beside the contract's members", async () => {
    const made = await createKey(
      ...["--name", "shop", "--expires", `${new Date().getUTCFullYear() + 1}-01-01`],
      ...["--networks", "::ffff:192.0.2.0/120, 2001:db8::/32", "--products", "/api/check-ip,whois-lookup"],
    );
    expect(Object.keys(made)).toEqual(["id", "name", "prefix", "key"]);
    const [listed] = await listKeys();
    expect(Object.keys(listed).slice(0, 6)).toEqual([
      "id",
      "name",
      "prefix",
      "created_at",
      "last_used_at",
      "revoked_at",
    ]);
    expect(listed).toMatchObject({
      name: "shop",
      state: "active",
      expires_at: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`,
      networks: ["192.0.2.0/24", "2001:db8::/32"],
      products: ["check-ip", "whois-lookup"],
      replaced_by: null,
    });
    const changed = await cli.json([
      "key",
      "update",
      made.id,
      "--networks",
      "any",
      "--expires",
      "never",
      "--name",
      "store",
    ]);
    expect(changed).toMatchObject({
      name: "store",
      networks: null,
      expires_at: null,
      products: ["check-ip", "whois-lookup"],
    });
    expect((await cli.repute(["key", "rename", made.prefix, "mail server"])).out).toBe(
      `Renamed ${made.prefix} to mail server\n`,
    );
    const shown = await cli.repute(["key", "update", made.id, "--products", "check-ip"]);
    expect(shown.out).toMatch(/^Products +check-ip$/m);
    expectNarrow(shown.out);
  });

  test("rolls a key: the new one is shown once, the old one works until the end of the overlap", async () => {
    const made = await createKey("--products", "check-ip");
    const rolled = await cli.json(["key", "roll", made.id, "--overlap", "7d"]);
    expect(rolled).toMatchObject({
      name: "default",
      products: ["check-ip"],
      replaced: { id: made.id, prefix: made.prefix },
    });
    expect(rolled.key).toMatch(/^rpt_\w{43}$/);
    const days = (Date.parse(rolled.replaced.works_until) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    const [old] = await listKeys();
    expect(old).toMatchObject({ id: made.id, state: "active", replaced_by: rolled.id });
    expectFailure(await cli.repute(["key", "roll", made.id]), 1, "replaced by another one already");
    const listed = await cli.repute(["key", "list", "--account", email]);
    const until = `until ${rolled.replaced.works_until}, 1 product, now ${rolled.prefix}`;
    expect(listed.out).toContain(`${made.prefix} default             never\n  ${until}\n`);
    expectNarrow(listed.out);
    await cli.repute(["key", "revoke", made.id]);
    const text = await cli.repute(["key", "roll", rolled.id, "--overlap", "0"]);
    expect(text.out).toContain("works no more");
    expectNarrow(text.out);
    expect((await listKeys()).map(({ state }: { state: string }) => state)).toEqual([
      "revoked",
      "revoked",
      "active",
    ]);
  });

  test.each([
    [["--expires", "tomorrow"], 2, "Expected a day"],
    [["--expires", "2020-01-01"], 2, "must be in the future"],
    [["--networks", "192.0.2.1/24"], 2, "192.0.2.1/24"],
    [["--networks", ""], 2, "at least one"],
    [["--networks", "0177.0.0.1"], 2, "0177.0.0.1"],
    [["--products", "everything"], 2, "known are check-ip"],
    [["--products", "bulk/check-ip"], 2, 'name "check-ip"'],
  ])("refuses %j as wrong usage, and makes no key", async (more, status, says) => {
    expectFailure(await cli.repute(["key", "create", "--account", email, ...more]), status, says);
    expect(await listKeys()).toEqual([]);
  });

  test("says what is wrong with an update, an overlap and an unknown key", async () => {
    const { id } = await createKey();
    expectFailure(await cli.repute(["key", "update", id]), 2, "Say what to change");
    expectFailure(await cli.repute(["key", "roll", id, "--overlap", "8d"]), 2, "between 0 and 7 days");
    expectFailure(await cli.repute(["key", "roll", "nothing"]), 1, "There is no key");
    expectFailure(await cli.repute(["key", "rename", "nothing", "x"]), 1, "There is no key");
  });
});

describe("`repute account delete` and `export`", () => {
  test.each([[[]], [["--yes"]]])(
    "an account goes at a program's word: %j",
    async (more: readonly string[]) => {
      await createKey("--name", "shop");
      expect((await cli.repute(["account", "delete", email, ...more])).out).toBe(`Deleted ${email}\n`);
      expectFailure(await cli.repute(["account", "show", email]), 1, "There is no account");
      expectFailure(await cli.repute(["account", "delete", email, ...more]), 1, "There is no account");
      expect(await cli.json(["account", "list"])).toEqual([]);
    },
  );

  test.each([
    ["", 1],
    ["\n", 1],
    ["y\n", 1],
    [`${email}.example\n`, 1],
    [` ${email.toUpperCase()}\nmore\n`, 0],
  ])("at a terminal its e-mail address is asked for: %j", async (typed, expected) => {
    const written = { out: "", error: "" };
    const status = await runCli(["account", "delete", email], {
      env: { REPUTE_DATA_DIR: join(folder, "data") },
      cwd: folder,
      isTerminal: true,
      stdin: Readable.from([typed]),
      writeOut: (text) => {
        written.out += text;
      },
      writeError: (text) => {
        written.error += text;
      },
    });
    expect(status).toBe(expected);
    expect(written.out).toMatch(/cannot be undone\.\nType its e-mail address to go on: /);
    if (expected === 1)
      expect(written.error).toBe("error: This is not its e-mail address: nothing was deleted\n");
    expect(await cli.json(["account", "list"])).toHaveLength(expected);
  });

  test("the last owner stays", async () => {
    await cli.repute(["account", "set-owner", email]);
    expectFailure(await cli.repute(["account", "delete", email, "--yes"]), 1, "only owner");
    await cli.json(["account", "create", "--email", "bob@example.com"]);
    await cli.repute(["account", "set-owner", "bob@example.com"]);
    expect((await cli.repute(["account", "delete", email, "--yes"])).status).toBe(0);
  });

  test("the export is JSON on standard output, or a file that is its owner's alone", async () => {
    const { key, prefix } = await createKey();
    const printed = await cli.repute(["account", "export", email]);
    expect(JSON.parse(printed.out)).toMatchObject({ account: { email }, keys: [{ prefix }], calls: [] });
    expect(printed.out).not.toContain(key);
    const file = join(folder, "export.json");
    writeFileSync(file, "older", { mode: 0o644 });
    expect((await cli.repute(["account", "export", email, "--out", file])).out).toBe(`Wrote ${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8")).account.email).toBe(email);
    expectFailure(
      await cli.repute(["account", "export", "nobody@example.com", "--out", `${file}2`]),
      1,
      "There is no account",
    );
    expectFailure(
      await cli.repute(["account", "export", email, "--out", join(folder, "none", "x")]),
      1,
      `Cannot use "${join(folder, "none", "x")}": there is no such file or folder`,
    );
    expect(existsSync(`${file}2`)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});
