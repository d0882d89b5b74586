import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsumerMachine, openConsumerMachine } from "./consumer-shell.ts";
import { type ElasticServer, startElasticServer } from "./servers/elastic-server.ts";

// The lines of docs/consumers/ for programs that read logs, as they stand there.

let machine: ConsumerMachine;
let elastic: ElasticServer;
beforeAll(async () => {
  machine = await openConsumerMachine();
  elastic = await startElasticServer("let-me-in");
}, 900_000);
afterAll(async () => {
  await machine?.close();
  await elastic?.close();
});

const LISTED = ["45.10.5.7", "45.9.255.255", "45.10.5.200", "2a01:6::1", "2a01:5:1::9"];
const NOT_LISTED = ["45.64.1.7", "45.99.0.1", "2a01:5:2::1", "2a01:6::2"];

const enriched = (ip: string, list = "repute.edge") => elastic.enriched(list, ip);

/** Runs the lines under a mark as one script, with a token of their own. */
async function paste(mark: string, change = (lines: string) => lines) {
  await machine.sh(await machine.pasted("header"));
  return machine.sh(change(await machine.pasted(mark)));
}

const linesIn = (name: string): number =>
  readFileSync(join(machine.etc, name), "utf8").trimEnd().split("\n").length;

test("Elasticsearch has every entry as a network, and marks events from what is listed", async () => {
  const withKey = (lines: string) =>
    lines
      .replace("http://127.0.0.1:9200", elastic.url)
      .replace(/^# header = .*$/m, 'header = "Authorization: ApiKey let-me-in"');
  for (const [mark, change] of [["elastic-key", withKey], ["elastic-script"], ["elastic-load"]] as const)
    expect(await paste(mark, change)).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(elastic.documents("repute.edge")).toHaveLength(linesIn("edge.ndjson"));
  for (const ip of LISTED)
    expect([ip, enriched(ip)]).toEqual([ip, expect.objectContaining({ score: expect.any(Number) })]);
  for (const ip of NOT_LISTED) expect([ip, enriched(ip)]).toEqual([ip, null]);
});

const entry = (value: string) => ({ value, score: 90, categories: ["attack"], sources: ["mine"] });

/** Loads a list of another content. */
function load(name: string, values: readonly string[]) {
  const file = join(machine.folder("logs"), `${name}.ndjson`);
  writeFileSync(file, values.map((value) => `${JSON.stringify(entry(value))}\n`).join(""));
  return machine.sh(`repute-elastic ${file}`);
}

test("a new list takes the place of the one before, and one that Elasticsearch does not take whole does not", async () => {
  expect(await load("edge", ["45.3.3.3", "2a01:9::/32"])).toMatchObject({ status: 0, stderr: "" });
  expect(elastic.documents("repute.edge")).toHaveLength(2);
  expect([enriched("45.3.3.3"), enriched("45.10.5.7")]).toEqual([
    { score: 90, categories: ["attack"], sources: ["mine"] },
    null,
  ]);
  const refused = await load("edge", ["45.4.4.4", "no network"]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^repute-elastic: Elasticsearch did not take every entry of .*: \{"errors":true\}\n$/,
  );
  expect([enriched("45.4.4.4"), elastic.documents("repute.edge").length]).toEqual([null, 2]);
  expect(await load("edge", ["45.5.5.5"])).toMatchObject({ status: 0, stderr: "" });
  expect(enriched("45.5.5.5")).not.toBeNull();
  expect(elastic.indices()).toHaveLength(1);
});

test("a list takes the place of no other list, and of no index of another kind", async () => {
  const others = ["repute-logs", "repute.edge-events", "repute.edge_two.made-by-hand"];
  for (const name of others) {
    const body = JSON.stringify({ mappings: { properties: {} } });
    const headers = { authorization: "ApiKey let-me-in" };
    expect((await fetch(`${elastic.url}/${name}`, { method: "PUT", headers, body })).status).toBe(200);
  }
  for (const [name, value] of [
    ["edge", "45.6.6.6"],
    ["edge-two", "45.7.7.7"],
    ["edge", "45.8.8.8"],
  ] as const)
    expect(await load(name, [value])).toMatchObject({ status: 0, stderr: "" });
  expect([enriched("45.8.8.8"), enriched("45.7.7.7", "repute.edge-two")]).toEqual([
    expect.anything(),
    expect.anything(),
  ]);
  expect([enriched("45.6.6.6"), enriched("45.7.7.7")]).toEqual([null, null]);
  expect(elastic.indices()).toEqual(expect.arrayContaining(others));
  expect(elastic.indices()).toHaveLength(others.length + 2);
});

test("without its key Elasticsearch takes nothing, and the fetched file is tried again", async () => {
  const closed = (lines: string) => lines.replace("http://127.0.0.1:9200", elastic.url);
  expect((await paste("elastic-key", closed)).status).toBe(0);
  const before = elastic.documents("repute.edge");
  await machine.sh(`rm -f ${machine.etc}/edge.ndjson*`);
  const refused = await paste("elastic-load");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("401");
  expect(elastic.documents("repute.edge")).toEqual(before);
});

test("Splunk has a row for each entry, each a network", async () => {
  const lookups = machine.folder("lookups");
  const here = (lines: string) => lines.replace("/opt/splunk/etc/apps/search/lookups", lookups);
  mkdirSync(lookups, { recursive: true });
  expect(await paste("splunk-load", here)).toEqual({ status: 0, stdout: "", stderr: "" });
  const [head, ...rows] = readFileSync(join(lookups, "repute_edge.csv"), "utf8").trimEnd().split("\n");
  const values = rows.map((row) => row.slice(0, row.indexOf(",")));
  expect(head).toMatch(/^value,score,/);
  expect(values).toEqual(
    expect.arrayContaining(["45.9.255.255/32", "2a01:6::1/128", "45.11.0.0/16", "2a01:7:0:1::/64"]),
  );
  expect(values.filter((value) => !/^[0-9a-f:.]+\/\d{1,3}$/.test(value))).toEqual([]);
  expect(rows).toHaveLength(linesIn("edge.csv") - 1);
});
