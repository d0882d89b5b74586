import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { createRunner, NO_TABLES } from "./cli-runner.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { startTestService, type TestService, until } from "./service.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-changed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LISTED = "20.0.0.7";

type Change = {
  readonly content: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
};

/** Slips of an operator, by the key of the list. */
const CHANGES: Readonly<Record<string, Change>> = {
  of_field: {
    content: `{"ip":"${LISTED}"}`,
    before: { format: "ndjson", field: "ip" },
    after: { format: "ndjson", field: "address" },
  },
  of_filter: {
    content: `{"ip":"${LISTED}"}`,
    before: { format: "ndjson", field: "ip", allow_empty: true },
    after: { format: "ndjson", field: "ip", allow_empty: true, where: { kind: "c2" } },
  },
  of_format: { content: `${LISTED}\n`, before: { format: "plain" }, after: { format: "hosts" } },
  of_column: {
    content: `name,ip\na,${LISTED}\n`,
    before: { format: "csv", column: "ip" },
    after: { format: "csv", column: "name" },
  },
  of_path: {
    content: `{"a":["${LISTED}"]}`,
    before: { format: "json", path: "$.a[*]" },
    after: { format: "json", path: "$.b[*]" },
  },
};

const KEYS = Object.keys(CHANGES);

/** The configuration with the definitions of before or after, and one allowlist that changes likewise. */
function sections(when: "before" | "after") {
  const feeds = Object.entries(CHANGES).map(([key, change]) => {
    const path = join(folder, key);
    writeFileSync(path, change.content);
    return { key, target: "ip", url: pathToFileURL(path).href, confidence: "high", ...change[when] };
  });
  const allowed = join(folder, "allowed");
  writeFileSync(allowed, "20.0.0.8\n");
  const format = when === "before" ? "plain" : "adblock";
  const allowlists = [{ key: "allowed", target: "ip", url: pathToFileURL(allowed).href, format }];
  return { engines: { builtin: false, feeds }, allowlists };
}

async function check(service: TestService) {
  const { key } = await service.openAccount();
  const answer = await service.call({ path: "/api/check-ip", key, body: { ip: LISTED } });
  expect(answer.status).toBe(200);
  const { blacklists, risk_score: score } = Object(answer.of("data"));
  return { blacklists, score };
}

const isReady = async (service: TestService) =>
  (await service.call({ method: "GET", path: "/readyz" })).status === 200;

test("lists whose changed definition understands nothing of what is kept are errors, not clean answers", async () => {
  const dataDir = join(folder, "data");
  await putSnapshots(dataDir);
  const first = await startTestService({ dataDir, file: sections("before") });
  await until(() => isReady(first));
  const before = await check(first);
  expect(before.blacklists).toMatchObject({ detections: KEYS.length, coverage: 1 });
  expect(before.score.verdict).not.toBe("clean");
  const ready = await first.call({ method: "GET", path: "/readyz" });
  expect([ready.of("status"), ready.of("lists_in_error")]).toEqual(["ready", []]);
  await first.close();

  const second = await startTestService({ dataDir, file: sections("after") });
  await until(() => isReady(second));
  const { blacklists, score } = await check(second);
  expect(blacklists).toMatchObject({
    detections: 0,
    engines_count: 0,
    engines_total: KEYS.length,
    coverage: 0,
  });
  expect(score).toMatchObject({ verdict: "unknown" });
  expect(blacklists.engines_unavailable.map(({ key }: { key: string }) => key)).toEqual(KEYS.toSorted());
  for (const absence of blacklists.engines_unavailable) {
    expect(absence).toMatchObject({
      status: "error",
      detail: expect.stringMatching(/^(No row of the list was understood|Nothing stands at the list's path)/),
    });
  }
  const degraded = await second.call({ method: "GET", path: "/readyz" });
  expect([degraded.status, degraded.of("status")]).toEqual([200, "degraded"]);
  const named = Object(degraded.of("lists_in_error"));
  expect(named.map(({ key }: { key: string }) => key).toSorted()).toEqual(["allowed", ...KEYS].toSorted());
  // What is wrong with them is for the operator to read: `feeds list` says it.
  const status = await (await fetch(`${second.address}/status`)).text();
  const [silent = ""] = status.split("Answer with old data");
  expect(KEYS.filter((key) => !silent.includes(key))).toEqual([]);
  await second.close();
});

test("feeds list, feeds update and check say the same of such lists", async () => {
  const dataDir = join(folder, "cli");
  await putSnapshots(dataDir);
  const config = join(folder, "repute.yaml");
  const dns = { servers: ["127.0.0.1:9"], timeout_ms: 50 };
  const { repute, json } = createRunner(folder, { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: config });
  const write = (when: "before" | "after") =>
    writeFileSync(config, stringify({ dns, geo: NO_TABLES, ...sections(when) }));
  const statuses = (rows: readonly { key: string; status: string; entries: number }[]) =>
    rows.map(({ key, status, entries }) => [key, status, entries]);
  const all = (status: string, entries: number) =>
    ["allowed", ...KEYS].toSorted().map((key) => [key, status, entries]);

  write("before");
  expect(statuses(await json(["feeds", "list"]))).toEqual(all("ok", 1));
  write("after");
  const rows = await json(["feeds", "list"]);
  expect(statuses(rows)).toEqual(all("error", 0));
  for (const row of rows) expect(row).toMatchObject({ last_success: null, last_error: expect.any(String) });
  const updated = await repute(["feeds", "update", "--json"]);
  expect(updated.status).toBe(1);
  expect(statuses(JSON.parse(updated.out))).toEqual(all("error", 0));
  const told = await repute(["feeds", "update"]);
  expect(told.out).toMatch(/^of_field +failed +0 +0 +never$/m);
  expect(told.error).toContain("error: 6 of 6 lists could not be updated");
  expect(statuses(await json(["feeds", "list"]))).toEqual(all("error", 0));
  const checked = await repute(["check", "ip", LISTED, "--json"]);
  expect(JSON.parse(checked.out).risk_score.verdict).toBe("unknown");

  write("before");
  expect(statuses(await json(["feeds", "list"]))).toEqual(all("ok", 1));
});
