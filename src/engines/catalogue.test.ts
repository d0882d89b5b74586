import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { NetworkListSchema } from "../feeds/feed.ts";
import { feedTextOf } from "../feeds/feed-text.ts";
import { allFormats } from "../feeds/formats/all.ts";
import { contentHashOf } from "../feeds/kept.ts";
import { loadFeed } from "../feeds/load.ts";
import { readSeedManifest } from "../feeds/manifest.ts";
import { readSeed } from "../feeds/read-source.ts";
import { createListingsBuilder } from "../listings/builder.ts";
import { CATALOGUE_FILES, defineEngines, readCatalogue } from "./definitions.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "./options.ts";

const seedDir = join(import.meta.dirname, "../../seed");
const manifest = readSeedManifest(seedDir);
const definitions = defineEngines({
  engines: enginesOptionsSchema.parse({}),
  allowlists: allowlistsOptionsSchema.parse([]),
});

const entries = CATALOGUE_FILES.flatMap(({ file }) => readCatalogue(file).map((entry) => ({ file, entry })));

describe.each(entries.map(({ file, entry }) => [entry.key, file, entry] as const))(
  "%s in %s",
  (_, __, entry) => {
    test("has a known format, a seed of the manifest, and a page about it", () => {
      expect(allFormats.map(({ name }) => name)).toContain(entry.format);
      expect(manifest.map(({ file }) => file)).toContain(entry.seed);
      expect(entry.homepage ?? entry.reference ?? entry.seed).toBeTruthy();
    });

    test("reads nearly every row of its seed", () => {
      const definition = definitions.find(({ engine }) => engine.key === entry.key);
      if (!definition?.feed || entry.seed === undefined) throw new Error("no list");
      const { bytes } = readSeed(seedDir, manifest, entry.seed);
      const counts = loadFeed(definition.feed, feedTextOf(bytes), {
        builder: createListingsBuilder(),
        list: 0,
      });
      expect(counts.entries).toBeGreaterThan(0);
      expect(counts.dropped).toBeLessThanOrEqual(counts.entries / 100);
    });
  },
);

test("keys of the catalogue are unique", () => {
  const keys = [...entries.map(({ entry }) => entry.key), ...networks().map(({ key }) => key)];
  expect(new Set(keys).size).toBe(keys.length);
});

test("seven engines or more name IPv4 addresses, one or more IPv6, six or more domains", () => {
  const engines = definitions.filter(({ engine }) => engine.kind === "feed");
  expect(engines.filter(({ engine }) => engine.target === "ip").length).toBeGreaterThanOrEqual(7);
  expect(engines.filter(({ coversBothFamilies }) => coversBothFamilies).length).toBeGreaterThanOrEqual(1);
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
    for (const { seed } of networks()) expect(manifest.map(({ file }) => file)).toContain(seed);
  });
});

function networks() {
  const path = join(import.meta.dirname, "../enrichment/catalogue/networks.yaml");
  return z.array(NetworkListSchema).parse(parse(readFileSync(path, "utf8")));
}
