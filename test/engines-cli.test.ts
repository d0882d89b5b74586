import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createRunner, expectFailure, expectNarrow } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { type Publisher, startPublisher } from "./publishers.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-engines-"));
const file = join(folder, "repute.yaml");
const { repute, json } = createRunner(folder, { REPUTE_DATA_DIR: join(folder, "data") });
let publisher: Publisher;

beforeAll(async () => {
  publisher = await startPublisher(({ url }, response) => {
    if (url === "/list")
      response.end(`${Array.from({ length: 9 }, (_, i) => `45.45.45.${i}`).join("\n")}\nnonsense\n`);
    else if (url === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
    else if (url === "/undated") response.end('{"made": "2026-11-20", "list": ["45.45.45.9"]}');
    // And `/silent` is never answered.
  });
  const common = { target: "ip", format: "plain" };
  const feeds = ["list", "page", "silent"].map((key) => ({
    ...common,
    key,
    url: `${publisher.url}/${key}`,
    enabled: key !== "list",
  }));
  const undated = { ...common, key: "undated", format: "json", path: "$.list[*]", published: "made_at" };
  const all = [...feeds, { ...undated, url: `${publisher.url}/undated` }];
  writeFileSync(file, `# ours\n${stringify({ engines: { disable: ["spamcop"], feeds: all } })}`);
  await putSnapshots(join(folder, "data"));
});
afterAll(async () => {
  await publisher.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("repute engines", () => {
  test("list shows class, terms and the line of what is off", async () => {
    const rows = await json(["engines", "list", "--off", "--class", "non_commercial"]);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.find(({ key }: { key: string }) => key === "openphish")).toMatchObject({
      enabled: false,
      disabled_class: "non_commercial",
      licence: { commercial: "no" },
      publisher: "openphish (github.com)",
      line: "engines: { enable: [openphish] }",
    });
    expectNarrow((await repute(["engines", "list", "--off"])).out);
    expectFailure(await repute(["engines", "list", "--class", "x"]), 2, "expected one of non_commercial");
  });

  test("list tells what is on and has nothing to answer from, or no key, and counts allowlists apart", async () => {
    const { out } = await repute(["engines", "list"]);
    expectNarrow(out);
    const stateOf = (key: string) => new RegExp(`^${key} +\\w+ +(\\S.*?)(?: {2}|$)`, "m").exec(out)?.[1];
    expect(["list", "page", "silent"].map(stateOf)).toEqual(["off", "on, no data", "on, no data"]);
    const rows: readonly Readonly<Record<string, unknown>>[] = await json(["engines", "list"]);
    const allow = rows.filter(({ kind }) => kind === "allow").length;
    expect(out).toContain(`\n${rows.length - allow} engines: `);
    expect(out.replaceAll(/\s+/g, " ")).toContain(`; ${allow} allowlists, which only clear: `);
    const wanting = rows.filter((row) => row["enabled"] === true && row["has_data"] === false);
    expect(out.replaceAll(/\s+/g, " ")).toContain(`no data: ${wanting.length} lists not retrieved yet`);
    for (const row of rows) {
      expect(row["has_key"], String(row["key"])).toBe(row["takes_key"] === null ? null : false);
      expect(row["has_data"] === null, String(row["key"])).toBe(row["kind"] === "dnsbl");
    }
    // What is on has no place among what is off.
    expect((await repute(["engines", "list", "--off"])).out).not.toContain("no data:");
  });

  test("try asks once, within ten seconds, and changes nothing", async () => {
    const startMs = Date.now();
    const { status, out } = await repute([
      "engines",
      "try",
      "list",
      "page",
      "silent",
      "abuseipdb_api",
      "--json",
    ]);
    expect(status).toBe(1);
    const trials = new Map(JSON.parse(out).map((trial: { key: string }) => [trial.key, trial]));
    expect(trials.get("list")).toMatchObject({
      ...{ outcome: "ok", entries: 9, dropped: 1, licence: null },
      samples: ["45.45.45.0", "45.45.45.1", "45.45.45.2", "45.45.45.3", "45.45.45.4"],
    });
    const { now, then, target } = Object(trials.get("list")).engines;
    expect([target, then - now]).toEqual(["ip", 1]);
    expect(trials.get("page")).toMatchObject({
      outcome: "failed",
      detail: "The file is a web page, not a list",
    });
    expect(trials.get("silent")).toMatchObject({ outcome: "failed" });
    expect(Object(trials.get("silent")).elapsed_ms).toBeLessThanOrEqual(10_500);
    expect(trials.get("abuseipdb_api")).toMatchObject({ detail: "It needs the key engines.keys.abuseipdb" });
    expect(publisher.asked).toHaveLength(3);
    expect(readdirSync(join(folder, "data", "feeds"))).toEqual([]);
    expect(Date.now() - startMs).toBeLessThan(60_000);
  });

  test("a list without a date where its definition tells of one is usable, and said to be so", async () => {
    const why = 'No past date stands at "made_at", where "published" says; the age counts from the retrieval';
    expect(await json(["engines", "try", "undated"])).toMatchObject([
      { outcome: "ok", entries: 1, samples: ["45.45.45.9"], detail: why },
    ]);
    const tried = await repute(["engines", "try", "undated"]);
    expect(tried.out.replaceAll(/\s+/g, " ")).toContain(why);
    expect((await repute(["feeds", "list"])).out).not.toContain("made_at");
    expect((await repute(["feeds", "update", "undated"])).status).toBe(0);
    const { out } = await repute(["feeds", "list"]);
    expect(out.replaceAll(/\s+/g, " ")).toContain(`undated: ${why}`);
    expectNarrow(out);
  });

  test("enable switches on a list of the operator's own in its entry", async () => {
    const isOn = async (key: string) =>
      (await json(["engines", "list"])).find((row: { key: string }) => row.key === key).enabled;
    expect(await isOn("list")).toBe(false);
    const { status, out, error } = await repute(["engines", "enable", "list"]);
    expect([status, out, error]).toEqual([0, "", 'Take "enabled: false" out of the entry of "list"\n']);
    const disabled = await repute(["engines", "enable", "spamcop", "page"]);
    expect(disabled.out).toBe("engines:\n  enable: [spamcop]\n");
    expect(disabled.error).toContain('Take "spamcop" out of engines.disable\n');
    expect(disabled.error).toContain('"page" is on already\n');
    expect((await repute(["engines", "enable", "list", "--write"])).error).toBe("");
    expect(await isOn("list")).toBe(true);
  });

  test("enable prints the lines, and writes them with --write beside the comments", async () => {
    expect((await repute(["engines", "enable", "openphish", "psbl"])).out).toBe(
      "engines:\n  enable: [openphish, psbl]\n",
    );
    expectFailure(await repute(["engines", "enable", "abuseipdb_api"]), 1, "REPUTE_KEY_ABUSEIPDB");
    expectFailure(await repute(["engines", "enable", "nothing"]), 2, 'There is no engine "nothing"');
    expectFailure(await repute(["engines", "enable"]), 2, "--class");
    const { status, error } = await repute(["engines", "enable", "--class", "low_volume", "--write"]);
    expect([status, error]).toEqual([0, expect.stringContaining("2 engines are off for this reason")]);
    expect((await repute(["engines", "enable", "spamcop", "--write"])).status).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(/^# ours\n/);
    const rows = await json(["engines", "list"]);
    const on = new Set(
      rows.filter(({ enabled }: { enabled: boolean }) => enabled).map(({ key }: { key: string }) => key),
    );
    expect([on.has("uribl_multi_black"), on.has("spamcop"), on.has("openphish")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
