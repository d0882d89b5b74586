import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { createRunner, expectFailure, expectNarrow, NO_TABLES } from "./cli-runner.ts";
import { forEachDatabase } from "./databases.ts";
import { startChanging } from "./feed-world.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { response, TEST_CA_FILE, type WebAnswer } from "./servers/web-server.ts";

/** Programs take what a busy machine gives them. */
const SLOW = { timeout: 600_000 };

const folder = mkdtempSync(join(tmpdir(), "repute-feeds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = { readonly key: string; readonly last_error: string | null };

let installations = 0;

/** An installation with lists of the web: `good`, whose content the test sets, and `bad`, a web page, unless others are named. */
async function install(url: string, env: Readonly<Record<string, string>> = {}, keys = ["good", "bad"]) {
  const dataDir = join(folder, `data-${++installations}`);
  await putSnapshots(dataDir);
  const config = join(folder, `${installations}.yaml`);
  writeFileSync(
    config,
    `dns: { servers: ['127.0.0.1:9'], timeout_ms: 50 }
fetch: { ca_file: '${TEST_CA_FILE}' }
geo: ${JSON.stringify(NO_TABLES)}
engines:
  builtin: false
  feeds:
${keys.map((key) => `    - { key: ${key}, target: ip, format: plain, url: '${url}/${key}', refresh_minutes: 525600 }\n`).join("")}`,
  );
  return createRunner(folder, {
    REPUTE_DATA_DIR: dataDir,
    REPUTE_CONFIG: config,
    PORT: "0",
    HOST: "127.0.0.1",
    ...env,
  });
}

const startLists = () =>
  startChanging(({ path }) => response(path === "/good" ? "20.0.0.1\n" : "<html>sorry</html>"));

/** What `check` finds on the list, as another process sees it. */
async function isListed(repute: ReturnType<typeof createRunner>["repute"], ip: string): Promise<boolean> {
  const { out } = await repute(["check", "ip", ip, "--json"]);
  return JSON.parse(out).blacklists.engines.good?.detected === true;
}

function endAfterTest(child: ChildProcess): void {
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
  });
}

test(
  "feeds update refreshes what it is told, tells of failures, and lookups see the new content",
  SLOW,
  async () => {
    const { server } = await startLists();
    const { repute, json } = await install(server.url);
    const [row] = await json(["feeds", "update", "good"]);
    expect(row).toMatchObject({ key: "good", outcome: "updated", entries: 1, dropped: 0, last_error: null });
    expect(server.requests.map(({ path }) => path)).toEqual(["/good"]);
    expect(await isListed(repute, "20.0.0.1")).toBe(true);

    const all = await repute(["feeds", "update"]);
    expect(all.status).toBe(1);
    expect(all.out).toMatch(/^good +unchanged +1 /m);
    expect(all.out).toMatch(/^bad +failed +0 /m);
    expect(all.out).toContain("bad: The file is a web page, not a list");
    expect(all.error).toBe(
      "error: 1 of 2 lists could not be updated (bad: The file is a web page, not a list)\n",
    );
    expectNarrow(all.out);

    const list = await repute(["feeds", "list"]);
    expect(list.status).toBe(0);
    expect(list.out).toMatch(/^2 lists: 1 .*, 1 /m);
    expect(list.out).toMatch(/^ENGINE .*\nbad +feed .*\ngood +feed /);
    expect(list.out).not.toContain("--all");
    expect(list.out).toMatch(/The file is a web page, not a list \(of 127\.0\.0\.1:\d+\): bad/);
    expectNarrow(list.out);
    const rows = await json(["feeds", "list"]);
    expect(rows).toMatchObject([
      { key: "bad", status: "error", last_success: null, last_error: "The file is a web page, not a list" },
      { key: "good", status: "ok", entries: 1, seed: false, last_error: null },
    ]);
    for (const { next_attempt: next } of rows)
      expect(Date.parse(next)).toBeGreaterThan(systemClock.now().getTime());

    expectFailure(await repute(["feeds", "update", "nothing"]), 2, 'There is no list "nothing"');
  },
);

test(
  "feeds list names the rows of the operator's lists that give no entry, with their lines",
  SLOW,
  async () => {
    writeFileSync(join(folder, "rows"), "20.0.0.1\n# a remark\n10.0.0.0/33\n\nd.example\n20.0.0.2\n");
    writeFileSync(join(folder, "names"), "one.example\ntwo.example\n");
    writeFileSync(join(folder, "whole"), "20.0.0.3\n");
    const { repute, json } = await install(pathToFileURL(folder).href, {}, ["rows", "names", "whole"]);
    await repute(["feeds", "update"]);
    const reason = "not an address, network or AS number that a list may name";
    const rows = await json(["feeds", "list"]);
    expect(rows.map((row: { key: string; bad_rows: object[] }) => [row.key, row.bad_rows])).toEqual([
      [
        "names",
        [
          { line: 1, text: "one.example", reason },
          { line: 2, text: "two.example", reason },
        ],
      ],
      [
        "rows",
        [
          { line: 3, text: "10.0.0.0/33", reason },
          { line: 5, text: "d.example", reason },
        ],
      ],
      ["whole", []],
    ]);
    const { out } = await repute(["feeds", "list"]);
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain(`rows, line 3: "10.0.0.0/33" is ${reason} rows, line 5: "d.example" is ${reason}`);
    expect(text).toContain(`names, line 1: "one.example" is ${reason}`);
    expect(text).not.toContain("whole, line");
    expectNarrow(out);
  },
);

test("beside a running server, which takes the new content over by itself", SLOW, async () => {
  const { server, answer } = await startLists();
  const { json, start } = await install(server.url);
  const child = start(["serve"]);
  endAfterTest(child);
  let log = "";
  child.stdout?.on("data", (chunk) => {
    log += chunk;
  });
  const compiled = () => log.split("Compiled the lists").length - 1;
  const until = async (holds: () => boolean) => {
    while (!holds()) await systemClock.sleep(50);
  };
  await until(() => server.requests.length === 2 && compiled() > 0);
  const address = /^Listening on (http:\S+)$/m.exec(log)?.[1] ?? "";
  const key = /rpt_\w{43}/.exec(log)?.[0] ?? "";
  const listed = async (ip: string): Promise<boolean> => {
    const answered = await fetch(`${address}/api/check-ip`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ ip }),
    });
    return JSON.parse(await answered.text()).data?.blacklists.engines.good?.detected === true;
  };
  // While its own first attempt is under way, that one would do for the command as well.
  while (!(await listed("20.0.0.1"))) await systemClock.sleep(50);
  answer(() => response("20.0.0.2\n"));
  await json(["feeds", "update", "good"]);
  while (!(await listed("20.0.0.2"))) await systemClock.sleep(50);
  expect(await listed("20.0.0.1")).toBe(false);
});

forEachDatabase((dialect, database) => {
  const where = dialect === "sqlite" ? "one data folder" : "data folders of their own";
  test(`of two servers with one database and ${where}, one downloads and both know`, SLOW, async () => {
    const { server } = await startLists();
    const env = { DATABASE_URL: database.url() };
    const one = await install(server.url, dialect === "sqlite" ? {} : env);
    const other = dialect === "sqlite" ? one : await install(server.url, env);
    for (const { start } of [one, other]) endAfterTest(start(["serve"]));
    // Each look is a start of the program: none before there is something to see.
    while (server.requests.length < 2) await systemClock.sleep(50);
    for (const { repute } of [one, other]) {
      while (!(await isListed(repute, "20.0.0.1"))) await systemClock.sleep(500);
    }
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual(["/bad", "/good"]);
  });

  test(`feeds update asks each list again while a server holds a slow one: ${where}`, SLOW, async () => {
    const keys = ["bomb", "endless", "line", "page"];
    const endless: Socket[] = [];
    const first: WebAnswer = ({ path }, socket) =>
      path === "/endless" ? void endless.push(socket) : response("20.0.0.1\n");
    const { server, answer } = await startChanging(first);
    const env = { DATABASE_URL: database.url() };
    const one = await install(server.url, dialect === "sqlite" ? {} : env, keys);
    const other = dialect === "sqlite" ? one : await install(server.url, env, keys);
    endAfterTest(one.start(["serve"]));
    const asked = (path: string) => server.requests.filter((request) => request.path === path).length;
    while (keys.some((key) => asked(`/${key}`) < 1)) await systemClock.sleep(50);
    for (const { repute } of [one, other]) {
      const rows = async () => JSON.parse((await repute(["feeds", "list", "--json"])).out || "[]");
      const isDone = (row: { key: string; last_success: string | null }) =>
        row.key === "endless" || row.last_success !== null;
      while (!(await rows()).every(isDone)) await systemClock.sleep(500);
    }

    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, "1.2.3.4\n"));
    const bodies: Readonly<Record<string, () => string | Buffer>> = {
      "/bomb": () => response(bomb),
      "/line": () => response(Buffer.alloc(30_000_000, "a")),
      "/page": () => response("<html>sorry</html>"),
    };
    answer(({ path }, socket) => bodies[path]?.() ?? void endless.push(socket));
    const updated = other.repute(["feeds", "update", "--json"]);
    while (["/bomb", "/line", "/page"].some((path) => asked(path) < 2)) await systemClock.sleep(50);
    while (endless.length < 2) {
      endless[0]?.destroy();
      await systemClock.sleep(50);
    }
    endless[1]?.destroy();
    const { status, out } = await updated;
    expect(status).toBe(1);
    const errors = {
      bomb: "The file is too large when unpacked",
      endless: expect.stringMatching(/./),
      line: 'No row of the list was understood: it is not of the format "plain"',
      page: "The file is a web page, not a list",
    };
    for (const rows of [
      JSON.parse(out),
      await other.json(["feeds", "list"]),
      await one.json(["feeds", "list"]),
    ]) {
      expect(rows.map(({ key, last_error }: Row) => [key, last_error])).toEqual(Object.entries(errors));
    }
    for (const key of keys) expect([key, asked(`/${key}`)]).toEqual([key, 2]);
  });
});
