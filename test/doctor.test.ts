import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { fakeTimeLibrary } from "../chaos/needs.ts";
import { startSlowProxy } from "../chaos/slow-proxy.ts";
import { createRunner, expectNarrow, NO_TABLES } from "./cli-runner.ts";
import { forEachDatabase } from "./databases.ts";
import { putCompiled, putSnapshots } from "./prepared-snapshots.ts";
import { startWebServer } from "./servers/web-server.ts";
import { ROOT } from "./source-files.ts";
import { withValkey } from "./valkey.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Finding = { readonly check: string; readonly state: string; readonly advice: string | null };

const list = join(folder, "list.txt");
writeFileSync(list, "20.0.0.1\n");

/** Data folders where the lists were compiled, by the lists of the web. */
const compiled = new Map<string, string>();

/** An installation whose resolver is a closed port, with one list of its own, which was compiled at an earlier start unless it is new. */
async function install(
  env: Readonly<Record<string, string>> = {},
  urls: readonly string[] = [],
  { isNew = false } = {},
) {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const config = join(dataDir, "repute.yaml");
  writeFileSync(
    config,
    `dns: { servers: ['127.0.0.1:9'], timeout_ms: 2000 }
geo: ${JSON.stringify(NO_TABLES)}
engines:
  builtin: false
  feeds:
    - { key: own, target: ip, format: plain, url: 'file://${list}' }
${urls.map((url, i) => `    - { key: web_${i}, target: ip, format: plain, url: '${url}' }\n`).join("")}`,
  );
  const place = { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: config, PORT: "0" };
  const made = compiled.get(urls.join());
  if (isNew) await putSnapshots(dataDir);
  else if (made === undefined) {
    await putSnapshots(dataDir);
    expect(stateOf((await createRunner(folder, place).repute(["doctor", "--json"])).out)["Lists"]).toBe("ok");
    compiled.set(urls.join(), dataDir);
  } else putCompiled(made, dataDir);
  return { ...createRunner(folder, { ...place, ...env }), dataDir };
}

const stateOf = (out: string): Readonly<Record<string, string>> => {
  const findings: readonly Finding[] = JSON.parse(out);
  expect(findings.every(({ state, advice }) => (advice !== null) === (state === "trouble"))).toBe(true);
  return Object.fromEntries(findings.map(({ check, state }) => [check, state]));
};

test("doctor names what is wrong, what is well and what to do, and fails where something is wrong", async () => {
  const { repute } = await install();
  const { status, out } = await repute(["doctor", "--json"]);
  expect(status).toBe(1);
  expect(stateOf(out)).toEqual({
    "Data folder": "ok",
    ...{
      Disk: "ok",
      Clock: "ok",
      Database: "ok",
      Processes: "not_checked",
      Valkey: "not_checked",
      DNS: "trouble",
    },
    ...{ Network: "not_checked", Port: "not_checked", Lists: "ok", "Publisher keys": "ok" },
  });
  const text = await repute(["doctor"]);
  expect(text.status).toBe(1);
  expect(text.out).toMatch(/^DNS +trouble +/m);
  expect(text.out).toContain("Set dns.servers to a resolver");
  expect(text.out).toMatch(/^1 of 11 checks found trouble$/m);
  expectNarrow(text.out);
});

test("doctor finds servers that are away, and a list that cannot be read", async () => {
  const away = { DATABASE_URL: "postgres://repute@127.0.0.1:9/none", VALKEY_URL: "redis://127.0.0.1:9" };
  const { repute } = await install(away, [], { isNew: true });
  rmSync(list);
  mkdirSync(list);
  const { status, out } = await repute(["doctor", "--json"]);
  rmSync(list, { recursive: true });
  writeFileSync(list, "20.0.0.1\n");
  expect(status).toBe(1);
  expect(stateOf(out)).toMatchObject({
    ...{ Database: "trouble", Processes: "not_checked" },
    ...{ Valkey: "trouble", Lists: "trouble" },
  });
});

forEachDatabase((dialect, database) => {
  if (dialect === "sqlite") {
    test("doctor says what a file is that is no database", async () => {
      const { repute, dataDir } = await install();
      writeFileSync(
        join(dataDir, "repute.db"),
        "A text that is long enough to be read as the head of one. ".repeat(4),
      );
      const { status, out } = await repute(["doctor", "--json"]);
      expect([status, stateOf(out)["Database"]]).toEqual([1, "trouble"]);
      expect(out).toContain("file is not a database");
    });
    return;
  }
  // A role is of the whole server, which other runs of the tests may share.
  const full = `repute_full_${process.pid}`;
  const REFUSED = [
    ["has no such role", { username: "repute_absent" }, "Check the role"],
    ["has no such database", { pathname: "/repute_absent" }, "or make it: createdb"],
    ["has no connection left for the role", { username: full }, "Raise max_connections"],
  ] as const;
  test.each(REFUSED)("doctor says what to do where PostgreSQL %s", async (_, change, advice) => {
    const { kysely } = await database.open();
    await sql`create role ${sql.id(full)} login connection limit 0`.execute(kysely);
    const url = Object.assign(new URL(database.url()), { search: "" }, change).href;
    const { repute } = await install({ DATABASE_URL: url });
    const { out } = await repute(["doctor", "--json"]).finally(() =>
      sql`drop role ${sql.id(full)}`.execute(kysely),
    );
    const findings: readonly Finding[] = JSON.parse(out);
    const found = findings.find(({ check }) => check === "Database");
    expect([found?.state, found?.advice]).toEqual(["trouble", expect.stringContaining(advice)]);
  });

  const library = fakeTimeLibrary();
  const hasLibrary = library === null ? " (libfaketime is not installed)" : "";
  test.skipIf(library === null).each([
    ["+2h", "ahead of PostgreSQL's"],
    ["-40d", "behind PostgreSQL's"],
    ["+0", null],
  ])(`doctor compares a clock that is off by %s with PostgreSQL's${hasLibrary}`, async (Faketime, says) => {
    const clock = { LD_PRELOAD: library ?? "", FAKETIME: Faketime, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    const { program } = await install({ DATABASE_URL: database.url(), ...clock, DONT_FAKE_MONOTONIC: "1" });
    const { out } = await program(["doctor", "--json"]);
    expect(stateOf(out)["Database"]).toBe(says === null ? "ok" : "trouble");
    expect(out.includes(says ?? "can be read and written")).toBe(true);
    expect(out.includes("the clock of this machine")).toBe(says !== null);
  });
});

withValkey((create) => {
  test.each([
    ["-eval", "/", "+@scripting"],
    ["-zrem", "/", "+@sortedset"],
    ["-zrange", "/", "+@sortedset"],
    ["-select", "/1", "+select"],
  ])("doctor says what a Valkey user with %s lacks at %s", async (rule, pathname, wanted) => {
    const { url } = await create();
    const admin = new Redis(url);
    const user = `doctor${rule}`;
    await admin.acl("SETUSER", user, "reset", "on", ">pw", "~*", "+@all", rule);
    const as = Object.assign(new URL(url), { username: user, password: "pw", pathname }).href;
    const { repute } = await install({ VALKEY_URL: as });
    const { out } = await repute(["doctor", "--json"]).finally(() => admin.acl("DELUSER", user));
    admin.disconnect();
    const findings: readonly Finding[] = JSON.parse(out);
    const found = findings.find(({ check }) => check === "Valkey");
    expect([found?.state, found?.advice]).toEqual(["trouble", expect.stringContaining(wanted)]);
  });
});

withValkey((create) => {
  test.each([
    ["refuses the password", "redis://doctor_absent:pw@", "Check the user and the password"],
    ["speaks no TLS", "rediss://", "rediss:// where the server speaks TLS"],
  ])("doctor says what to do where Valkey %s", async (_, start, advice) => {
    const { host } = new URL((await create()).url);
    const { repute } = await install({ VALKEY_URL: `${start}${host}` });
    const findings: readonly Finding[] = JSON.parse((await repute(["doctor", "--json"])).out);
    const found = findings.find(({ check }) => check === "Valkey");
    expect([found?.state, found?.advice]).toEqual(["trouble", expect.stringContaining(advice)]);
  });
});

withValkey((create) => {
  test("doctor says that a Valkey is slow, and that every call waits for it", async () => {
    const proxy = await startSlowProxy(Number(new URL((await create()).url).port || 6379), 100);
    const { repute } = await install({ VALKEY_URL: `redis://127.0.0.1:${proxy.port}` });
    const { out } = await repute(["doctor", "--json"]).finally(proxy.close);
    const findings: readonly Finding[] = JSON.parse(out);
    const found = findings.find(({ check }) => check === "Valkey");
    expect(found?.state).toBe("trouble");
    const [, tookMs] = /"It takes (\d+) ms to answer, and every call waits for it"/.exec(out) ?? [];
    expect(Number(tookMs)).toBeGreaterThanOrEqual(200);
  });
});

test("doctor reports also where the lists cannot be opened", async () => {
  const { repute, dataDir } = await install();
  rmSync(join(dataDir, "snapshots"), { recursive: true });
  writeFileSync(join(dataDir, "snapshots"), "");
  const { status, out, error } = await repute(["doctor", "--json"]);
  expect({ status, error }).toEqual({ status: 1, error: "" });
  expect(stateOf(out)).toMatchObject({
    ...{ "Data folder": "ok", Database: "ok", DNS: "trouble", Network: "not_checked" },
    ...{ Lists: "trouble", "Publisher keys": "not_checked" },
  });
  expect(out).toContain("a file stands where a folder is needed");
});

test.runIf(process.platform === "linux")(
  "doctor reports, and commands end with the reason, where data cannot be prepared for want of room",
  async () => {
    const { dataDir } = await install();
    rmSync(join(dataDir, "snapshots"), { recursive: true });
    const env = {
      PATH: process.env.PATH,
      REPUTE_DATA_DIR: dataDir,
      REPUTE_CONFIG: join(dataDir, "repute.yaml"),
    };
    const repute = (...args: readonly string[]) =>
      spawnSync("prlimit", ["--fsize=1000000", process.execPath, join(ROOT, "src", "main.ts"), ...args], {
        encoding: "utf8",
        env,
      });
    const reason = /Cannot prepare (lists|asn|geography): EFBIG: file too large/;
    const doctor = repute("doctor", "--json");
    expect(stateOf(doctor.stdout)).toMatchObject({ Database: "ok", Lists: "trouble" });
    expect(doctor.stdout).toMatch(reason);
    const list = repute("feeds", "list");
    expect(list.stderr).toMatch(new RegExp(`^error: ${reason.source}, write\\n$`));
    expect([doctor.status, list.status, list.stdout]).toEqual([1, 1, ""]);
  },
);

const networkOf = async (urls: readonly string[]) => {
  const { repute } = await install({}, urls);
  const findings: readonly (Finding & { detail: string })[] = JSON.parse(
    (await repute(["doctor", "--json"])).out,
  );
  return findings.find(({ check }) => check === "Network");
};

test("doctor names the hosts that it tried, over what, what failed, and what to do about it", async () => {
  const web = await startWebServer(() => undefined);
  const port = new URL(web.url).port;
  expect(await networkOf([`${web.url}/list`, "http://127.0.0.1:9/list"])).toMatchObject({
    state: "ok",
    detail: `127.0.0.1, TCP port ${port}: connected; 127.0.0.1, TCP port 9: The connection was refused`,
    advice: null,
  });
  expect(await networkOf(["http://127.0.0.1:9/list"])).toMatchObject({
    state: "trouble",
    detail: "127.0.0.1, TCP port 9: The connection was refused",
    advice: expect.stringMatching(/outgoing TCP to port 9: .*HTTPS_PROXY is not used.*bundled data.*file:/),
  });
  expect(await networkOf(["http://127.0.0.1:9/list", "http://[::1]:9/list"])).toMatchObject({
    detail: "127.0.0.1, [::1], TCP port 9: The connection was refused",
  });
  expect(await networkOf(["https://a.example/list", "https://b.example/list"])).toMatchObject({
    detail: expect.stringMatching(
      /^a\.example, b\.example, DNS question to 127\.0\.0\.1:9: (?!.*b\.example)/,
    ),
  });
  expect(await networkOf(["https://lists.example/list"])).toMatchObject({
    state: "trouble",
    detail: expect.stringMatching(/^lists\.example, DNS question to 127\.0\.0\.1:9: ./),
    advice: expect.stringMatching(/port 53 to 127\.0\.0\.1:9, or set dns\.servers.*bundled data/),
  });
});
