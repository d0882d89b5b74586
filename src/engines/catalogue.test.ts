import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createListingsBuilder } from "../blocklist-index/compile-index.ts";
import { NetworkListSchema } from "../enrichment/classifying-lists.ts";
import { feedTextOf } from "../feeds/feed-text.ts";
import { allFormats } from "../feeds/formats/all.ts";
import { loadFeed } from "../feeds/load.ts";
import { contentHashOf } from "../feeds/retrieval/content-hash.ts";
import { readSeedManifest } from "../feeds/retrieval/manifest.ts";
import { readSeed } from "../feeds/retrieval/read-source.ts";
import { CATALOGUE_FILES, defineEngines, readCatalogue } from "./definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "./options.ts";

const seedDir = join(import.meta.dirname, "../../seed");
const manifest = readSeedManifest(seedDir);
const definitions = defineEngines({
  engines: enginesOptionsSchema.parse({}),
  allowlists: allowlistsOptionsSchema.parse([]),
});

const entries = CATALOGUE_FILES.flatMap(({ file }) => readCatalogue(file).map((entry) => ({ file, entry })));

test.each(entries.map(({ file, entry }) => [entry.key, file, entry] as const))(
  "%s in %s has a known format, a seed of the manifest or a place to be retrieved from, and a page about it",
  (_, __, entry) => {
    expect(allFormats.map(({ name }) => name)).toContain(entry.format);
    if (entry.seed !== undefined) expect(manifest.map(({ file }) => file)).toContain(entry.seed);
    expect(entry.homepage ?? entry.reference ?? entry.seed ?? entry.url).toBeTruthy();
  },
);

const seeded = entries.flatMap(({ entry }) =>
  entry.seed === undefined ? [] : [[entry.key, entry.seed] as const],
);
test.each(seeded)("%s reads nearly every row of its seed %s", (key, seed) => {
  const definition = definitions.find(({ engine }) => engine.key === key);
  if (!definition?.feed) throw new Error("no list");
  const { bytes } = readSeed(seedDir, manifest, seed);
  const counts = loadFeed({ ...definition.feed, ...definition.feed.seed }, feedTextOf(bytes), {
    builder: createListingsBuilder(),
    list: 0,
  });
  expect(counts.entries).toBeGreaterThan(0);
  expect(counts.dropped).toBeLessThanOrEqual(counts.entries / 100);
});

test.each([
  [2, []],
  [3, ["ipsum_3"]],
  [4, ["ipsum_3"]],
  [5, ["ipsum_5"]],
  [7, ["ipsum_5"]],
  [8, ["ipsum_8"]],
  [10, ["ipsum_8"]],
  [999, ["ipsum_8"]],
])("an address on %i lists of IPsum's is named by %j, and told the count", (count, keys) => {
  const ipsums = definitions.filter(
    ({ engine, feed }) => feed?.format === "ipsum" && engine.disabled === null,
  );
  const text = feedTextOf(Buffer.from(`192.0.2.7\t${count}\n`));
  const named = ipsums.filter(({ feed }) =>
    [...(allFormats.find(({ name }) => name === "ipsum")?.parse(text, feed?.options ?? {}) ?? [])].some(
      (entry) => "value" in entry && entry.detail?.reason === `Named by ${count} lists`,
    ),
  );
  expect(named.map(({ engine }) => engine.key)).toEqual(keys);
  for (const { engine } of named) {
    const isMany = engine.key === "ipsum_8";
    expect(engine).toMatchObject({
      aggregate: true,
      family: "aggregate",
      category: isMany ? "attack" : "aggregate",
    });
    expect(engine.confidence).toBe(count < 5 ? "medium" : "high");
  }
});

test("keys of the catalogue are unique", () => {
  const keys = [...entries.map(({ entry }) => entry.key), ...networks().map(({ key }) => key)];
  expect(new Set(keys).size).toBe(keys.length);
});

test("seven engines or more name IPv4 addresses, one or more IPv6, six or more domains", () => {
  const engines = definitions.filter(({ engine }) => engine.kind === "feed");
  expect(engines.filter(({ engine }) => engine.target === "ip").length).toBeGreaterThanOrEqual(7);
  expect(engines.filter(({ families }) => families?.includes("v6")).length).toBeGreaterThanOrEqual(1);
  expect(engines.filter(({ engine }) => engine.target === "domain").length).toBeGreaterThanOrEqual(6);
});

describe("the seed", () => {
  test.each(manifest.map((row) => [row.file, row] as const))(
    "%s is the file of the manifest, with its licence",
    (file, row) => {
      expect(contentHashOf(readFileSync(join(seedDir, `${file}.br`)))).toBe(row.sha256);
      if (row.licence_text !== undefined) {
        expect(existsSync(join(seedDir, "licences", row.licence_text))).toBe(true);
      }
      expect(row.licence === "MIT" ? row.licence_text : "text").toBeTruthy();
    },
  );

  test("is 12 MB at most", () => {
    const sizes = manifest.map(({ file }) => readFileSync(join(seedDir, `${file}.br`)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_000_000);
  });

  test("every list of it stands in NOTICE with its publisher and date", () => {
    const notice = readFileSync(join(seedDir, "../NOTICE"), "utf8");
    for (const { name, publisher, date } of manifest) {
      expect(notice).toContain(name);
      expect(notice).toContain(publisher);
      expect(notice).toContain(date.slice(0, 10));
    }
  });

  test("every network list that classifies is in it", () => {
    for (const { seed } of networks()) {
      if (seed !== undefined) expect(manifest.map(({ file }) => file)).toContain(seed);
    }
  });
});

test("the worked example of CONTRIBUTING.md is an entry of the catalogue", () => {
  const text = readFileSync(join(import.meta.dirname, "../../CONTRIBUTING.md"), "utf8");
  const [, example = ""] = /## Worked example: a list\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "repute-example-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "ip.yaml"), example);
  const found = readCatalogue(relative(join(import.meta.dirname, "catalogue"), join(folder, "ip.yaml")));
  expect(found.map(({ key }) => key)).toEqual(["example_bruteforce"]);
  const shipped = manifest.map(({ file }) => file);
  expect(found.filter(({ seed }) => seed !== undefined && !shipped.includes(seed))).toEqual([]);
});

function networks() {
  const path = join(import.meta.dirname, "../enrichment/catalogue/networks.yaml");
  return z.array(NetworkListSchema).parse(parse(readFileSync(path, "utf8")));
}
