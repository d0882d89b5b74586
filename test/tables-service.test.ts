import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { createRunner, expectNarrow } from "./cli-runner.ts";
import { forEachDatabase } from "./databases.ts";
import { startChanging } from "./feed-world.ts";
import { database, ipv4Inside, nestedCity } from "./mmdb-file.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { risDump, risLine } from "./ris.ts";
import { response, TEST_CA_FILE } from "./servers/web-server.ts";

/** Programs take what a busy machine gives them. */
const SLOW = { timeout: 600_000 };

const folder = mkdtempSync(join(tmpdir(), "repute-tables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLES: Readonly<Record<string, Buffer>> = {
  "/city.mmdb.gz": gzipSync(
    database(
      128,
      [
        { network: ipv4Inside("8.8.8.0/24"), record: nestedCity("NL", "North Holland", "Amsterdam") },
        { network: "2001:db8::/32", record: nestedCity("DE", "Berlin", "Berlin") },
      ],
      28,
      systemClock.now(),
    ),
  ),
  "/v4.gz": gzipSync(
    risDump([
      risLine(64500, "8.8.8.0/24", 20),
      risLine(15169, "8.8.8.0/24", 390),
      risLine(3356, "8.0.0.0/9"),
      risLine(15169, "8.8.4.0/24"),
    ]),
  ),
  "/v6.gz": gzipSync(risDump([risLine(15169, "2001:4860::/32")])),
  "/names.txt": Buffer.from("15169 GOOGLE, US\n3356 LEVEL3, US\n"),
};

/** A publisher of tables whose octets the test changes. */
const startTables = () =>
  startChanging(({ path, headers }) => {
    const octets = TABLES[path];
    if (octets === undefined) return response("", { status: 404 });
    const etag = `"${octets.length}"`;
    return headers.get("if-none-match") === etag
      ? response("", { status: 304 })
      : response(octets, { headers: { ETag: etag } });
  });

let installations = 0;

async function install(url: string, env: Readonly<Record<string, string>> = {}) {
  const dataDir = join(folder, `data-${++installations}`);
  await putSnapshots(dataDir);
  const config = join(folder, `${installations}.yaml`);
  const urls = { city: "city.mmdb.gz", routes_ipv4: "v4.gz", routes_ipv6: "v6.gz", as_names: "names.txt" };
  const tables = Object.entries(urls).map(([name, file]) => `    ${name}: '${url}/${file}'\n`);
  writeFileSync(
    config,
    `dns: { servers: ['127.0.0.1:9'], timeout_ms: 50 }
fetch: { ca_file: '${TEST_CA_FILE}' }
geo:
  tables:
${tables.join("")}`,
  );
  return createRunner(folder, {
    REPUTE_DATA_DIR: dataDir,
    REPUTE_CONFIG: config,
    PORT: "0",
    HOST: "127.0.0.1",
    ...env,
  });
}

const KEYS = ["table-city", "table-routes-ipv4", "table-routes-ipv6", "table-as-names"];

test(
  "tables are updated by name, and an address shows its place, route, name and origins",
  SLOW,
  async () => {
    const { server, answer } = await startTables();
    const { repute, json } = await install(server.url);
    expect(await json(["check", "ip", "8.8.8.8"])).toMatchObject({
      asn: { asn: "AS15169", asname: "", route: "" },
    });

    const updated = await repute(["feeds", "update", ...KEYS]);
    expect(updated.error).toBe("");
    expect(updated.out).toMatch(/^table-routes-ipv4 +updated +4 /m);

    const report = await json(["check", "ip", "8.8.8.8"]);
    expect(report).toMatchObject({
      information: { country_code: "NL", city_name: "Amsterdam", isp: "Google LLC", asn: "AS15169" },
      asn: {
        asn: "AS15169",
        asname: "GOOGLE",
        route: "8.8.8.0/24",
        status: "active",
        org: "Google LLC",
        country_code: "US",
        total_ipv4_prefixes: 2,
        total_ipv4_ips: 512,
        total_ipv6_prefixes: 1,
        origins: ["AS15169", "AS64500"],
      },
    });
    const unknown: readonly string[] = report.unknown_fields;
    expect(unknown.filter((field) => field.startsWith("asn."))).not.toContain("asn.route");
    const filled = [
      "asname",
      "route",
      "country_code",
      "total_ipv4_prefixes",
      "total_ipv6_prefixes",
      "total_ipv4_ips",
    ];
    for (const field of filled) expect(unknown).not.toContain(`asn.${field}`);
    expect(await json(["check", "ip", "7.7.7.7"])).toMatchObject({ asn: { asn: "", status: "unrouted" } });

    const shown = (await repute(["check", "ip", "8.8.8.8"])).out;
    expect(shown).toMatch(/^ {2}Route +8\.8\.8\.0\/24 announced by AS15169, AS64500$/m);
    expect(shown).toMatch(/ · place data of \w+ 20\d\d · network data \d+ s old$/m);
    const { freshness } = report;
    expect(freshness.sources).toMatchObject({ place: { stale: false }, network: { stale: false } });

    const list = await repute(["feeds", "list"]);
    expect(list.out).toMatch(/^table-routes-ipv4 +ok +4 +/m);
    expectNarrow(list.out);

    answer(() => response("<html>sorry</html>", { headers: { "Content-Type": "text/html" } }));
    const failed = await repute(["feeds", "update", "table-routes-ipv4"]);
    expect(failed.status).toBe(1);
    expect(failed.out).toContain("table-routes-ipv4: The file is a web page, not a table");
    expect(await json(["check", "ip", "8.8.8.8"])).toMatchObject({ asn: { route: "8.8.8.0/24" } });
  },
);

function endAfterTest(child: ChildProcess): void {
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
  });
}

/** The answers of a running `serve`, with the key that the first one on a database prints. */
function watch(child: ChildProcess) {
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  return {
    key: () => /rpt_\w{43}/.exec(out)?.[0] ?? null,
    ask: async (ip: string, key: string) => {
      const address = /^Listening on (http:\S+)$/m.exec(out)?.[1];
      if (address === undefined) return null;
      const headers = { "content-type": "application/json", "x-api-key": key };
      const init = { method: "POST", headers, body: JSON.stringify({ ip }) };
      const answered = await fetch(`${address}/api/check-ip`, init);
      return JSON.parse(await answered.text()).data ?? null;
    },
  };
}

forEachDatabase((dialect, shared) => {
  const where = dialect === "sqlite" ? "one data folder" : "one PostgreSQL";
  test(`of three processes on ${where} one downloads each table, and all know it`, SLOW, async () => {
    const { server } = await startTables();
    const env: Record<string, string> = dialect === "sqlite" ? {} : { DATABASE_URL: shared.url() };
    const first = await install(server.url, env);
    const others = dialect === "sqlite" ? [first, first] : [1, 2].map(() => install(server.url, env));
    const processes = (await Promise.all([first, ...others])).map(({ start }) => {
      const child = start(["serve"]);
      endAfterTest(child);
      return watch(child);
    });
    const keyOfOwner = () => processes.map(({ key }) => key()).find((key) => key !== null);
    for (const { ask } of processes) {
      const isThere = async () => {
        const key = keyOfOwner();
        const report = key === undefined ? null : await ask("8.8.8.8", key);
        const { asn, information } = report ?? {};
        return (
          asn?.route === "8.8.8.0/24" && asn.asname === "GOOGLE" && information.city_name === "Amsterdam"
        );
      };
      while (!(await isThere())) await systemClock.sleep(50);
    }
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual(Object.keys(TABLES).toSorted());
  });
});
