import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countTable } from "../src/enrichment/ip/count-table.ts";
import { readContent } from "../src/feeds/feed-store.ts";
import type { TableDefinition, TableKind } from "../src/feeds/table.ts";
import { createClock, createWorld, startChanging } from "./feed-world.ts";
import { city, database, ipv4Inside, nestedCity } from "./mmdb-file.ts";
import { asNames, ipv4Dump, ipv6Dump } from "./ris.ts";
import { response } from "./servers/web-server.ts";

let keptDir = "";
beforeEach(() => {
  keptDir = mkdtempSync(join(tmpdir(), "tables-"));
});
afterEach(() => rmSync(keptDir, { recursive: true, force: true }));

const KEY = "table-mine";
const table = (kind: TableKind, url: string, minEntries = 1): TableDefinition => ({
  key: KEY,
  name: "Mine",
  table: kind,
  builtin: false,
  source: { kind: "web", url, headers: {} },
  refreshMinutes: 1440,
  minEntries,
});

/** A server that sends octets, and a look at it. */
async function openWorld(kind: TableKind, first: Buffer, maxBytes = 1_000_000) {
  const { server, answer } = await startChanging(() => response(first));
  const { updater, clock } = await createWorld(keptDir, [table(kind, `${server.url}/table`)], {
    countTable,
    maxBytes,
  });
  const look = async (octets: Buffer, type = "application/octet-stream") => {
    answer(() => response(octets, { headers: { "Content-Type": type } }));
    clock.advance(2 * 1440);
    await updater.update([KEY]);
    return updater.stateOf(KEY);
  };
  return { look, stateOf: () => updater.stateOf(KEY) };
}

const cities = (count: number): Buffer => {
  const entries = Array.from({ length: count }, (_, i) => ({
    network: ipv4Inside(`10.${i}.0.0/16`),
    record: nestedCity("NL", "North Holland", `City ${i}`),
  }));
  return database(128, [...entries, { network: "2001:db8::/32", record: nestedCity("DE", "B", "Berlin") }]);
};

const KINDS: readonly (readonly [TableKind, (count: number) => Buffer])[] = [
  ["city", cities],
  ["routes_ipv4", (count) => Buffer.from(ipv4Dump(count))],
  ["routes_ipv6", (count) => Buffer.from(ipv6Dump(count))],
  ["as_names", (count) => Buffer.from(asNames(count))],
];

describe.each(KINDS)("a table of %s", (kind, tableOf) => {
  test("keeps what it has when its publisher sends something broken", async () => {
    const good = tableOf(200);
    const { look } = await openWorld(kind, gzipSync(good), 3_000_000);
    const accepted = await look(gzipSync(good));
    expect(accepted).toMatchObject({ lastError: null, failures: 0 });
    const reasonOf = async (octets: Buffer, type?: string) => (await look(octets, type))?.lastError;
    expect(await reasonOf(Buffer.from("<!doctype html>\n<p>sorry</p>\n"), "text/html")).toBe(
      "The file is a web page, not a table",
    );
    expect(await reasonOf(Buffer.alloc(0))).toBe("The file is empty");
    expect(await reasonOf(gzipSync(Buffer.alloc(0)))).toBe("The file is empty");
    expect(await reasonOf(gzipSync(tableOf(100)))).toMatch(/^The table shrank from 20\d to 10\d rows$/);
    expect(await reasonOf(gzipSync(good).subarray(0, 400))).toMatch(/^The file cannot be unpacked: /);
    expect(await reasonOf(gzipSync(Buffer.alloc(3_000_001)))).toBe("The file is too large when unpacked");
    expect(await reasonOf(gzipSync(Buffer.from("nothing of the kind\n")))).not.toBeNull();
    const after = await look(gzipSync(good));
    expect(after).toMatchObject({ lastError: null, contentHash: accepted?.contentHash });
    expect(good.equals(readContent(keptDir, KEY, accepted?.contentHash ?? "") ?? Buffer.alloc(0))).toBe(true);
  });
});

test("a dump that is cut between two lines is shorter, and refused for that", async () => {
  const whole = ipv4Dump(1000);
  const { look } = await openWorld("routes_ipv4", Buffer.from(whole));
  await look(Buffer.from(whole));
  const cut = whole.slice(0, whole.lastIndexOf("\n", 0.85 * whole.length) + 1);
  expect((await look(Buffer.from(cut)))?.lastError).toMatch(/^The table shrank from 1020 to 8\d\d rows$/);
  expect((await look(Buffer.from(whole.slice(0, -3))))?.lastError).toMatch(/^The dump is cut short/);
});

test("a database of another kind is refused, and one of fewer rows than any publisher's", async () => {
  const { look, stateOf } = await openWorld("city", cities(10));
  const other = database(128, [{ network: ipv4Inside("10.0.0.0/8"), record: { asn: 1 } }]);
  expect((await look(other))?.lastError).toBe("The MaxMind DB holds no places");
  const half = database(32, [{ network: "10.0.0.0/8", record: city("AA", "S", "C") }]);
  expect((await look(half))?.lastError).toBe("The MaxMind DB does not hold both IPv4 and IPv6");
  expect(stateOf()?.contentHash).toBeNull();
  const { server } = await startChanging(() => response(cities(10)));
  const feeds = [{ ...table("city", `${server.url}/table`, 50), key: "table-large" }];
  const { updater } = await createWorld(keptDir, feeds, { countTable });
  const [outcome] = await updater.update(["table-large"]);
  expect(outcome?.last.detail).toBe("The table has 11 rows, fewer than 50");
});

test("a monthly file is looked for by this month's name and the one before, and asked for again by its own", async () => {
  const files = new Map([["/city-2026-10.mmdb", cities(10)]]);
  const { server } = await startChanging(({ path, headers }) => {
    const octets = files.get(path);
    if (octets === undefined) return response("", { status: 404 });
    const etag = `"same"`;
    if (headers.get("if-none-match") === etag) return response("", { status: 304 });
    return response(octets, { headers: { ETag: etag } });
  });
  const clock = createClock();
  const feeds = [table("city", `${server.url}/city-{month}.mmdb`)];
  const { updater } = await createWorld(keptDir, feeds, { countTable, clock });
  const look = async () => {
    const before = server.requests.length;
    clock.advance(1440);
    await updater.update([KEY]);
    const asked = server.requests.slice(before);
    const paths = asked.map(({ path, headers }) => `${path}${headers.has("if-none-match") ? " if new" : ""}`);
    return [updater.stateOf(KEY)?.tries.at(-1)?.outcome, ...paths];
  };
  expect(await look()).toEqual(["updated", "/city-2026-11.mmdb", "/city-2026-10.mmdb"]);
  expect(await look()).toEqual(["unchanged", "/city-2026-11.mmdb", "/city-2026-10.mmdb if new"]);
  files.set("/city-2026-11.mmdb", cities(11));
  expect(await look()).toEqual(["updated", "/city-2026-11.mmdb"]);
  expect(await look()).toEqual(["unchanged", "/city-2026-11.mmdb if new"]);
  clock.advance(10 * 1440);
  expect(await look()).toEqual(["unchanged", "/city-2026-12.mmdb", "/city-2026-11.mmdb if new"]);
  files.clear();
  expect(await look()).toEqual(["failed", "/city-2026-12.mmdb", "/city-2026-11.mmdb if new"]);
  expect(updater.stateOf(KEY)).toMatchObject({ entries: 12, lastError: "The server answered 404" });
});
