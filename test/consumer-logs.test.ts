import { mkdirSync, readFileSync } from "node:fs";
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
  expect(elastic.documents("repute")).toHaveLength(linesIn("edge.ndjson"));
  for (const ip of LISTED)
    expect([ip, elastic.enriched(ip)]).toEqual([ip, expect.objectContaining({ score: expect.any(Number) })]);
  for (const ip of NOT_LISTED) expect([ip, elastic.enriched(ip)]).toEqual([ip, null]);
});

test("a new list takes the place of the one before, and one that Elasticsearch does not take whole does not", async () => {
  const file = join(machine.folder("logs"), "list.ndjson");
  const load = (lines: readonly object[]) =>
    machine.sh(
      `cat >${file} <<'END'\n${lines.map((one) => `${JSON.stringify(one)}\n`).join("")}END\nrepute-elastic ${file}`,
    );
  const entry = (value: string) => ({ value, score: 90, categories: ["attack"], sources: ["mine"] });
  expect(await load([entry("45.3.3.3"), entry("2a01:9::/32")])).toMatchObject({ status: 0, stderr: "" });
  expect(elastic.documents("repute")).toHaveLength(2);
  expect([elastic.enriched("45.3.3.3"), elastic.enriched("45.10.5.7")]).toEqual([
    { score: 90, categories: ["attack"], sources: ["mine"] },
    null,
  ]);
  const refused = await load([entry("45.4.4.4"), entry("no network")]);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    `repute-elastic: Elasticsearch did not take every entry of ${file}: {"errors":true}\n`,
  ]);
  expect([elastic.enriched("45.4.4.4"), elastic.documents("repute").length]).toEqual([null, 2]);
  expect(await load([entry("45.5.5.5")])).toMatchObject({ status: 0, stderr: "" });
  expect(elastic.enriched("45.5.5.5")).not.toBeNull();
  expect(elastic.indices()).toHaveLength(1);
});

test("without its key Elasticsearch takes nothing, and the fetched file is tried again", async () => {
  const closed = (lines: string) => lines.replace("http://127.0.0.1:9200", elastic.url);
  expect((await paste("elastic-key", closed)).status).toBe(0);
  const before = elastic.documents("repute");
  await machine.sh(`rm -f ${machine.etc}/edge.ndjson*`);
  const refused = await paste("elastic-load");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("401");
  expect(elastic.documents("repute")).toEqual(before);
});

test("Splunk has a row for each entry, each a network", async () => {
  const lookups = machine.folder("lookups");
  const here = (lines: string) => lines.replace("/opt/splunk/etc/apps/search/lookups", lookups);
  mkdirSync(lookups, { recursive: true });
  expect(await paste("splunk-load", here)).toEqual({ status: 0, stdout: "", stderr: "" });
  const [head, ...rows] = readFileSync(join(lookups, "repute.csv"), "utf8").trimEnd().split("\n");
  const values = rows.map((row) => row.slice(0, row.indexOf(",")));
  expect(head).toMatch(/^value,score,/);
  expect(values).toEqual(
    expect.arrayContaining(["45.9.255.255/32", "2a01:6::1/128", "45.11.0.0/16", "2a01:7:0:1::/64"]),
  );
  expect(values.filter((value) => !/^[0-9a-f:.]+\/\d{1,3}$/.test(value))).toEqual([]);
  expect(rows).toHaveLength(linesIn("edge.csv") - 1);
});
