import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkIp } from "../src/products/check-ip/product.ts";
import { createRunner, expectFailure, expectNarrow, type Outcome } from "./cli-runner.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = { readonly key: string; readonly kind: string; readonly status: string; readonly seed: boolean };

const listFile = join(folder, "list.txt");
const missingFile = join(folder, "missing.txt");
const dns = "dns: { servers: ['127.0.0.1:9'], timeout_ms: 50 }\n";
writeFileSync(listFile, "198.41.0.4\n");
// The name clears the screen and turns red, in a way that YAML reads; \x9b is the one-byte form of ESC [.
const hostileName = String.raw`"Evil \e[2J\e[31m\x9b2Jname"`;
writeFileSync(
  join(folder, "repute.yaml"),
  `${dns}engines:
  builtin: false
  feeds:
    - { key: mine, name: ${hostileName}, target: ip, format: plain, url: "${pathToFileURL(listFile)}" }
`,
);
const deafFile = join(folder, "deaf.yaml");
writeFileSync(
  deafFile,
  `${dns}engines:
  builtin: false
  feeds:
    - { key: gone, target: ip, format: plain, url: "${pathToFileURL(missingFile)}" }
`,
);

const { repute, json, start } = createRunner(folder, {
  REPUTE_DATA_DIR: join(folder, "data"),
  PORT: "0",
  HOST: "127.0.0.1",
});

describe("check and feeds list, without a server:", () => {
  let first: Outcome;
  beforeAll(async () => {
    first = await repute(["check", "ip", "198.41.0.4"]);
  });

  test("the first start prepares what it needs, and answers; what it prepares is a terminal's business", () => {
    expect(first.status).toBe(0);
    expect(first.error).toBe("");
    expect(first.out).toContain("198.41.0.4");
    expect(first.out).toContain("Evil [2J[31m2Jname");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(first.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expectNarrow(first.out);
  });

  test("--json is the report of the interface, one value, hostile texts escaped", async () => {
    const { status, out, error } = await repute(["check", "ip", "198.41.0.4", "--json"]);
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(out.trimEnd()).not.toContain("\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(out.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    const report = JSON.parse(out);
    expect(checkIp.output.safeParse(report).error).toBeUndefined();
    expect(report.blacklists.engines.mine).toMatchObject({ detected: true });
  });

  test("values are recognised, one line of JSON for each in their order; one that is nothing refuses all", async () => {
    const { status, out } = await repute(["check", "198[.]41.0.4:80", "[::1]:53", "--json"]);
    expect(status).toBe(0);
    const reports = out.trimEnd().split("\n");
    expect(reports.map((line) => JSON.parse(line).ip)).toEqual(["198.41.0.4", "::1"]);
    expect(reports.map((line) => JSON.parse(line).blacklists.detections)).toEqual([1, 0]);
    const refused = await repute(["check", "198.41.0.4", "nothing"]);
    expect([refused.status, refused.out]).toEqual([2, ""]);
    expect(refused.error).toContain("This is not an address, network, name");
  });

  test("--view cuts what is told, as JSON and as text", async () => {
    const told = async (view: string) => {
      const args = ["check", "ip", "198.41.0.4", "--view", view];
      return { json: JSON.parse((await repute([...args, "--json"])).out), text: (await repute(args)).out };
    };
    const [full, compact, verdict] = [await told("full"), await told("compact"), await told("verdict")];
    expect(full.json.blacklists.engines.mine.seed).toBe(false);
    expect(compact.json.blacklists).toMatchObject({
      clear: { count: 0 },
      engines: { mine: { detected: true } },
    });
    expect(Object.keys(verdict.json)).toEqual(["ip", "risk_score", "unanswered_count", "freshness"]);
    for (const { text } of [full, compact, verdict]) expect(text).toMatch(/^Why$/m);
    expect([full, compact, verdict].map(({ text }) => text.includes("Listed (1)"))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a lookup that would not be charged fails with status 1, and shows what there is", async () => {
    const { status, out, error } = await repute(["check", "ip", "198.41.0.4", "--json"], {
      REPUTE_CONFIG: deafFile,
    });
    expect(status).toBe(1);
    expect(JSON.parse(out).blacklists.engines_unavailable).toHaveLength(1);
    expect(error.trimEnd().split("\n").at(-1)).toMatch(/^error: .*no engine answered/);
  });

  test("feeds list shows every engine and table, as JSON and as a table", async () => {
    const rows = await json(["feeds", "list"]);
    const [mine, ...tables] = rows;
    expect(tables.map(({ key, kind, status, seed }: Row) => [key, kind, status, seed])).toEqual([
      ["table-city", "table", "stale", true],
      ["table-routes-ipv4", "table", "stale", true],
      ["table-routes-ipv6", "table", "stale", true],
      ["table-as-names", "table", "never", false],
    ]);
    for (const table of tables) expect(Object.keys(table)).toEqual(Object.keys(mine));
    expect(mine).toMatchObject({
      key: "mine",
      kind: "feed",
      target: "ip",
      status: "ok",
      entries: 1,
      seed: false,
    });
    expect(Object.keys(mine)).toEqual(
      "key name kind target status entries dropped data_age_s last_success last_attempt last_error next_attempt changed_at seed bad_rows".split(
        " ",
      ),
    );
    const { status, out } = await repute(["feeds", "list"]);
    expect(status).toBe(0);
    expect(out).toMatch(/^mine +feed +ip +ok +1 /m);
    expect(out).toMatch(/^LIST THAT CLASSIFIES/m);
    expect(out).toMatch(/^x4bnet_vpn +(ok|stale|expired) +[\d,]+ \d+ d, seed$/m);
    expectNarrow(out);
  });
});

test("feeds list leaves out the engines that are off, says how many, and shows them with --all", async () => {
  const file = join(folder, "builtin.yaml");
  writeFileSync(file, `${dns}engines: { disable: [spamhaus_drop] }\n`);
  const env = { REPUTE_CONFIG: file };
  const off = (await json(["feeds", "list"], env)).filter(({ status }: Row) => status === "disabled").length;
  const [some, all] = [await repute(["feeds", "list"], env), await repute(["feeds", "list", "--all"], env)];
  for (const { status, out } of [some, all]) {
    expect(status).toBe(0);
    expectNarrow(out);
    expect(out).toMatch(new RegExp(`^\\d+ lists: .*\\b${off} disabled$`, "m"));
  }
  expect(some.out).not.toMatch(/^spamhaus_drop /m);
  expect(some.out).toContain(`\n${off} more engines are off; \`repute feeds list --all\` shows them\n`);
  expect(all.out).toMatch(/^spamhaus_drop +feed +ip +disabled +/m);
  expect(all.out).not.toContain("more engines");
  const ranks = ["error", "stale", "ok", "disabled"];
  const shown = [...all.out.matchAll(/^\w+ +(?:feed|dnsbl|allow) +\w+ +(\w+)/gm)].map(
    ([, word = ""]) => word,
  );
  const known = shown.filter((word) => ranks.includes(word)).map((word) => ranks.indexOf(word));
  expect(known).toEqual(known.toSorted((a, b) => a - b));
});

describe("serve", () => {
  const env = { REPUTE_DATA_DIR: join(folder, "served") };
  let child: ChildProcess;
  let output = "";
  let address = "";
  let key = "";

  beforeAll(async () => {
    child = start(["serve"], env);
    const { promise: printed, resolve, reject } = Promise.withResolvers<void>();
    child.stderr?.on("data", (chunk) => reject(new Error(String(chunk))));
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (/rpt_\w{43}' -H/.test(output)) resolve();
    });
    await printed;
    address = /^Listening on (http:\S+)$/m.exec(output)?.[1] ?? "";
    key = /rpt_\w{43}/.exec(output)?.[0] ?? "";
  });
  // Not SIGKILL: it would end the launcher alone.
  afterAll(() => child.kill("SIGTERM"));

  const subscription = (credential: string) =>
    fetch(`${address}/api/account/subscription`, { headers: { "X-API-Key": credential } });

  test("prints its address and, at the very first start, an account's key", async () => {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await subscription(key)).status).toBe(200);
    expect(await json(["account", "list"], env)).toMatchObject([
      { email: "owner@localhost", plan: "Enterprise" },
    ]);
  });

  test("what the command line changes holds at once", async () => {
    const made = await json(["key", "create", "--account", "owner@localhost"], env);
    expect((await subscription(made.key)).status).toBe(200);
    await repute(["key", "revoke", made.id], env);
    expect((await subscription(made.key)).status).toBe(401);
    await repute(["account", "disable", "owner@localhost"], env);
    expect((await subscription(key)).status).toBe(401);
    await repute(["account", "enable", "owner@localhost"], env);
    expect((await subscription(key)).status).toBe(200);
  });

  test("a second server on the same port fails in one line", async () => {
    const taken = await repute(["serve"], { ...env, PORT: new URL(address).port });
    // Its log may have begun to tell what it prepares.
    const logged = taken.out.split("\n").filter((line) => line !== "");
    for (const line of logged) expect(JSON.parse(line)).toHaveProperty("level");
    expectFailure({ ...taken, out: "" }, 1, "the port is taken");
  });

  test("a folder that cannot be written fails in one line", async () => {
    expectFailure(await repute(["serve"], { REPUTE_DATA_DIR: listFile }), 1, `Cannot use "${listFile}`);
  });

  test("SIGTERM stops it with status 0; beside the plain lines all it said is JSON", async () => {
    child.kill("SIGTERM");
    const [status] = await once(child, "exit");
    expect(status).toBe(0);
    const lines = output.trimEnd().split("\n");
    const plain = lines.filter((line) => !line.startsWith("{"));
    expect(plain[0]).toBe(`Listening on ${address}`);
    expect(plain.length).toBeLessThan(6);
    for (const line of lines.filter((one) => !plain.includes(one)))
      expect(JSON.parse(line)).toHaveProperty("level");
  });

  test("the next start creates no second account", async () => {
    const again = start(["serve"], env);
    let text = "";
    await new Promise<void>((resolve) => {
      again.stdout?.on("data", (chunk) => {
        text += chunk;
        if (text.includes("Listening on")) resolve();
      });
    });
    again.kill("SIGINT");
    const [status] = await once(again, "exit");
    expect(status).toBe(0);
    expect(text).not.toContain("rpt_");
  });
});
