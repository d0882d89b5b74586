import { join } from "node:path";
import { expect, test } from "vitest";
import { createListingsBuilder } from "../src/blocklist-index/compile-index.ts";
import { defineEngines } from "../src/engines/definitions.ts";
import { enginesOptionsSchema } from "../src/engines/options.ts";
import { feedTextOf } from "../src/feeds/feed-text.ts";
import { loadFeed } from "../src/feeds/load.ts";
import { readSeedManifest } from "../src/feeds/retrieval/manifest.ts";
import { readSeed } from "../src/feeds/retrieval/read-source.ts";
import { parseDomain } from "../src/targets/domain.ts";
import { parseUrl } from "../src/targets/url.ts";

const seedDir = join(import.meta.dirname, "../seed");
const manifest = readSeedManifest(seedDir);
const lists = defineEngines({ engines: enginesOptionsSchema.parse({}), allowlists: [] }).flatMap(
  ({ feed }) => (feed?.target === "domain" && feed.seed !== null ? [{ ...feed, seed: feed.seed }] : []),
);

/** Every name that the list puts into the index. */
function namesOf({ seed, ...feed }: (typeof lists)[number]): readonly string[] {
  const names: string[] = [];
  const builder = {
    ...createListingsBuilder(),
    addName: (_: number, name: string) => void names.push(name),
  };
  const { bytes } = readSeed(seedDir, manifest, seed.file);
  loadFeed({ ...feed, seed, ...seed }, feedTextOf(bytes), { builder, list: 0 });
  return names;
}

const isTaken = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

test.each(lists.map((list) => [list.key, list] as const))(
  "every name of the seed of %s can be asked about, as a name and as the host of a URL",
  (_, list) => {
    const names = namesOf(list);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !isTaken(() => parseDomain(name)))).toEqual([]);
    expect(names.filter((name) => !isTaken(() => parseUrl(`http://${name}/`)))).toEqual([]);
  },
);

test("83 names of the phishing seed have an underscore", () => {
  const phishing = lists.find(({ key }) => key === "phishing_database_domains");
  if (phishing === undefined) throw new Error("The list is not in the catalogue");
  expect(namesOf(phishing).filter((name) => name.includes("_"))).toHaveLength(83);
});
