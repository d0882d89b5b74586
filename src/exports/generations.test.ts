import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { HOUR_MS } from "../base/durations.ts";
import { publicDnsAddresses } from "../enrichment/catalogue/public-dns.ts";
import { readDifference } from "./generation.ts";
import { eachRow } from "./rows.ts";
import { createTestWorld, type TestWorld } from "./test-world.ts";

let world: TestWorld | null = null;
afterEach(() => world?.close());

const open = (...exports: readonly object[]): TestWorld => {
  world = createTestWorld(exports);
  return world;
};

const openWithShipped = (...exports: readonly object[]): TestWorld => {
  world = createTestWorld(exports, { hasShipped: true });
  return world;
};

const valuesOf = (made: TestWorld, name = "edge"): readonly string[] =>
  [...eachRow(made.generation(name))].map(({ value }) => value);

const hours = (made: TestWorld, count: number): Date => new Date(made.now.getTime() + count * HOUR_MS);

test("networks nested and apart, of both families, come out sorted, disjoint and as few as can be", async () => {
  const made = open({ name: "edge" });
  await made.make({
    block: {
      nets: {
        lines: ["45.10.0.0/16", "45.10.5.0/24", "45.11.0.0/16", "2a01:5::/32", "2a01:5:1::/48", "2a01:6::1"],
      },
      hosts: { lines: ["45.10.5.7", "45.9.255.255", "45.20.0.2", "45.20.0.3", "2a01:6::"] },
    },
  });
  expect(valuesOf(made)).toEqual([
    "45.9.255.255",
    "45.10.0.0/15",
    "45.20.0.2/31",
    "2a01:5::/32",
    "2a01:6::/127",
  ]);
});

test("what is allowed is cut out of networks: the rest of a /16 around an allowed /24 stays", async () => {
  const made = open({ name: "edge" }, { name: "raw", subtract: [] });
  await made.make({
    block: { nets: { lines: ["45.10.0.0/22", "2a01:5::/126"] } },
    allow: { ours: { lines: ["45.10.1.0/24", "2a01:5::2"] } },
  });
  expect(valuesOf(made)).toEqual(["45.10.0.0/24", "45.10.2.0/23", "2a01:5::/127", "2a01:5::3"]);
  // An allowlist still lowers the score: 9 at most.
  expect(valuesOf(made, "raw")).toEqual(["45.10.0.0/24", "45.10.2.0/23", "2a01:5::/127", "2a01:5::3"]);
  expect(made.state("edge").facts?.subtracted).toEqual({
    allowlists: 0,
    shared_infrastructure: 0,
    overrides: 2,
  });
});

test("a network inside 6to4 is exported where one IPv4 address judges all of it", async () => {
  const made = open({ name: "edge", aggregate: "none" });
  await made.make({
    block: {
      nets: {
        lines: [
          ...["2002:2d0a:101::/48", "2002:2d0a:102:8000::/49", "2002:2d0a:103::7", "2002:2d0a:104:5::/64"],
          // Two sites, a network of clients of Teredo and one of translated addresses: each address has its own.
          ...["2002:2d0a:200::/47", "2001:0:1::/48", "64:ff9b::2d0a:0/112"],
        ],
        more: { format: "netset" },
      },
    },
    allow: { ours: { lines: ["2002:2d0a:104:5:8000::/65"] } },
  });
  expect(valuesOf(made)).toEqual([
    ...["2002:2d0a:101::/48", "2002:2d0a:102:8000::/49", "2002:2d0a:103::7", "2002:2d0a:104:5::/65"],
  ]);
});

test("edges, resolvers and crawlers are cut out of networks that a list names whole", async () => {
  const made = openWithShipped({ name: "edge" });
  await made.make({ block: { nets: { lines: ["8.8.8.0/24", "104.16.0.0/12", "45.1.1.1"] } } });
  const text = made.body("edge.txt", { head: "0" }).split("\n");
  expect(text).toContain("45.1.1.1");
  expect(text).not.toContain("8.8.8.0/24");
  // The neighbours of the resolver at 8.8.8.8 stay.
  expect(text).toEqual(expect.arrayContaining(["8.8.8.0/29", "8.8.8.9", "8.8.8.10/31"]));
  // Cloudflare's 104.16.0.0/13 and 104.24.0.0/14 are its edge; 104.28.0.0/14 belongs to no service.
  expect(text.filter((line) => line.startsWith("104."))).toEqual(["104.28.0.0/14"]);
  expect(made.state("edge").facts?.subtracted.shared_infrastructure).toBeGreaterThan(1);
});

test("filters: score, categories, families, engines, age and limit", async () => {
  const made = open(
    { name: "all", min_score: 1 },
    { name: "high", min_score: 55 },
    { name: "spam", min_score: 1, categories: ["spam"] },
    { name: "nospam", min_score: 1, without: ["spam"] },
    { name: "two", min_score: 1, families_min: 2 },
    { name: "only", min_score: 1, engines: { only: ["c"] } },
    { name: "not", min_score: 1, engines: { without: ["a"] } },
    { name: "best", min_score: 1, limit: 1 },
    { name: "free", min_score: 1, redistribution: "allowed" },
  );
  await made.make({
    block: {
      a: { lines: ["45.0.0.1", "45.0.0.3"] },
      b: { lines: ["45.0.0.3", "45.0.0.5"], category: "spam" },
      c: { lines: ["45.0.0.7"], category: "scanner", confidence: "medium" },
    },
  });
  const lines = (name: string) =>
    valuesOf(made, name)
      .map((value) => value.slice(-1))
      .join("");
  expect(
    Object.fromEntries(
      ["all", "high", "spam", "nospam", "two", "only", "not", "best"].map((n) => [n, lines(n)]),
    ),
  ).toEqual({
    all: "1357",
    high: "13",
    spam: "35",
    nospam: "17",
    two: "3",
    only: "7",
    not: "357",
    best: "3",
  });
  expect(made.state("best").facts?.cut_by_limit).toBe(3);
  // Nothing is known of the licence of an operator's own list: an empty export is never put in force.
  expect(made.state("free")).toMatchObject({
    facts: null,
    held: { reason: "too_few", entries: 0, needed: 1 },
  });
});

test("as cut out counts what the export would hold but for that, not what its filters leave out", async () => {
  const filters = {
    all: {},
    high: { min_score: 55 },
    spam: { categories: ["spam"] },
    nospam: { without: ["spam"] },
    two: { families_min: 2 },
    young: { max_age_days: 3 },
    edge: { policy: "edge", min_score: undefined },
  };
  const target = { attack: ["45.0.0.1", "45.0.0.3"], spam: ["45.0.0.3", "45.0.0.5"] };
  const exports = Object.entries(filters).map(([name, filter]) => ({ name, min_score: 1, ...filter }));
  world = createTestWorld(exports, { policies: { edge: { block_at: 55, challenge_at: 20 } } });
  await world.make({
    block: {
      attack: { lines: [...target.attack, "45.1.0.1", "45.1.0.3"] },
      spam: { lines: [...target.spam, "45.1.0.1"], category: "spam" },
      old: {
        lines: ["45.0.0.7 2026-11-01"],
        more: { format: "csv", column: 0, delimiter: " ", last_seen: 1 },
      },
    },
    allow: { ours: { lines: ["45.0.0.0/24"] } },
  });
  const made = world;
  const cut = (name: string) => made.state(name).facts?.subtracted.overrides;
  expect(Object.fromEntries(Object.keys(filters).map((name) => [name, cut(name)]))).toEqual({
    ...{ all: 4, high: 2, spam: 2, nospam: 2, two: 1, young: 3, edge: 2 },
  });
});

test("the limit keeps the highest scores, also where their neighbours score less", async () => {
  const made = open(
    { name: "edge", min_score: 1, limit: 2 },
    { name: "apart", min_score: 1, limit: 2, aggregate: "none" },
  );
  await made.make({
    block: {
      c2: { lines: ["45.0.0.5", "2a01:5::1"], category: "c2" },
      attack: { lines: ["45.0.0.9", "45.0.0.11"] },
      scanner: { lines: ["45.0.0.4", "2a01:5::"], category: "scanner" },
    },
  });
  expect(valuesOf(made)).toEqual(["45.0.0.4/31", "2a01:5::/127"]);
  expect(valuesOf(made, "apart")).toEqual(["45.0.0.5", "2a01:5::1"]);
  expect(made.state("edge").facts?.cut_by_limit).toBe(2);
});

test("max_age_days asks for the newest last_seen, where a publisher gives one", async () => {
  const made = open({ name: "edge", min_score: 1, max_age_days: 3 });
  await made.make({
    block: {
      dated: {
        lines: ["ip,last_seen", "45.0.0.1,2026-11-20", "45.0.0.3,2026-11-01"],
        more: { format: "csv", column: "ip", last_seen: "last_seen" },
      },
      plain: { lines: ["45.0.0.5"] },
    },
  });
  expect(valuesOf(made)).toEqual(["45.0.0.1", "45.0.0.5"]);
});

test("promotion fills networks of which enough is listed, says how much it adds, and never one with an allowed address", async () => {
  const made = open({ name: "edge", aggregate: { promote: "24:16" } });
  const hosts = (net: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${net}.${i * 2 + 1}`);
  await made.make({
    block: { hosts: { lines: [...hosts("45.1.1", 16), ...hosts("45.1.2", 15), ...hosts("45.1.3", 40)] } },
    allow: { ours: { lines: ["45.1.3.200"] } },
  });
  const values = valuesOf(made);
  expect(values[0]).toBe("45.1.1.0/24");
  expect(values.slice(1, 16)).toEqual(hosts("45.1.2", 15));
  expect(values.slice(16)).toEqual(hosts("45.1.3", 40));
  expect(made.state("edge").facts?.promoted_addresses).toBe(240);
  expect(made.body("edge.txt")).toContain("240 addresses that no list names were added");
});

test("promotion takes in no public resolver, though no list names it", async () => {
  const resolvers = publicDnsAddresses().filter((text) => !text.includes(":"));
  const neighbours = [...resolvers, "45.1.1.1"].flatMap((text) =>
    [201, 203].map((last) => text.replace(/\d+$/, String(last))),
  );
  const made = open({ name: "edge", aggregate: { promote: "24:2" } });
  await made.make({ block: { hosts: { lines: neighbours.filter((text) => !resolvers.includes(text)) } } });
  expect(valuesOf(made).filter((value) => value.includes("/"))).toEqual(["45.1.1.0/24"]);
  expect(made.state("edge").facts?.promoted_addresses).toBe(254);
});

test("a generation is new when its rows are; its difference says what came and went", async () => {
  const made = open({ name: "edge" });
  await made.make({ block: { a: { lines: ["45.0.0.1", "45.0.0.3"] } } });
  const first = made.state("edge");
  await made.make({ block: { a: { lines: ["45.0.0.3", "45.0.0.1"] } } }, hours(made, 1));
  expect(made.state("edge").facts?.generation).toBe(first.facts?.generation);
  expect(made.state("edge").checkedAt).toBe("2026-11-21T13:00:00Z");
  await made.make({ block: { a: { lines: ["45.0.0.3", "45.0.0.9"] } } }, hours(made, 2));
  const second = made.state("edge").facts?.generation ?? 0;
  expect(second).toBeGreaterThan(first.facts?.generation ?? 0);
  const difference = readDifference(made.files("edge").difference(second));
  const read = (rows: typeof difference.added) =>
    [...eachRow(rows)].map(({ value, score }) => [value, score]);
  expect(difference).toMatchObject({ from: first.facts?.generation, to: second });
  expect(read(difference.added)).toEqual([["45.0.0.9", 60]]);
  expect(read(difference.removed)).toEqual([["45.0.0.1", 60]]);
  expect(readdirSync(made.files("edge").dir).sort()).toEqual([
    `${second}.bin`,
    `${second}.diff`,
    "state.json",
  ]);
});

test("published ranges are exported by service", async () => {
  const made = openWithShipped(
    { name: "cdn", kind: "allow", services: ["cdn"] },
    { name: "every", kind: "allow" },
  );
  await made.make({ block: { a: { lines: ["104.16.0.1"] } } });
  const cdn = valuesOf(made, "cdn");
  expect(cdn).toContain("104.16.0.0/13");
  expect(cdn.length).toBeLessThan(valuesOf(made, "every").length);
  const named = new Map(made.state("every").facts?.sources.map(({ key, name }) => [key, name]));
  expect([named.get("ranges_cloudflare"), named.get("ranges_bing")]).toEqual(["Cloudflare", "Bingbot"]);
  expect([...named].filter(([key, name]) => name === key)).toEqual([]);
});
