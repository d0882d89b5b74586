import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noticeText } from "../scripts/notice.ts";
import { loadNetworkLists } from "../src/enrichment/ip/networks.ts";
import { readAddressEntries } from "../src/feeds/addresses.ts";
import { feedTextOf } from "../src/feeds/feed-text.ts";
import { rowsOf } from "../src/feeds/formats/rows.ts";
import { readSeedManifest } from "../src/feeds/retrieval/manifest.ts";
import { readSeed } from "../src/feeds/retrieval/read-source.ts";

const seedDir = join(import.meta.dirname, "../seed");
const manifest = readSeedManifest(seedDir);

/** The families of address of a file of the seed. */
const familiesOf = (file: string): ReadonlySet<string> =>
  new Set(
    [...rowsOf(feedTextOf(readSeed(seedDir, manifest, file).bytes))].flatMap((row) =>
      "dropped" in row ? [] : readAddressEntries(row.text).map(({ family }) => family),
    ),
  );

/** The first download takes the place of all that was shipped: of the other family nothing would be known any more. */
test("a list whose document is of one family has shipped data of that family alone", () => {
  const ofOne = loadNetworkLists().flatMap(({ key, url, seed }) => {
    const family = /\bipv([46])/.exec(url ?? "")?.[1];
    return family === undefined || seed === undefined ? [] : [{ key, family: `v${family}`, seed }];
  });
  expect(ofOne.length).toBeGreaterThan(8);
  expect(ofOne.filter(({ family, seed }) => [...familiesOf(seed)].join() !== family)).toEqual([]);
});

type Range = { readonly first: number; readonly last: number };

/** The IPv4 networks of a file of the seed. */
function rangesOf(file: string): readonly Range[] {
  return [...rowsOf(feedTextOf(readSeed(seedDir, manifest, file).bytes))].flatMap((row) =>
    "dropped" in row
      ? []
      : readAddressEntries(row.text).flatMap((entry) =>
          entry.family === "v4"
            ? [{ first: entry.value, last: entry.value + 2 ** (32 - entry.prefix) - 1 }]
            : [],
        ),
  );
}

const CLOUDS = ["misp-microsoft-azure", "misp-amazon-aws", "misp-google-gcp"].flatMap(rangesOf);

const sharedAddresses = (a: Range, b: Range): number =>
  Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);

/** Of a few networks a service can say that they are its own; of a cloud's part, no address tells whose customer it is. */
test.each([
  "ipranges-facebook",
  "ipranges-github",
  "ipranges-openai",
  "ipranges-perplexity",
  "ipranges-pingdom",
  "ipranges-statuscake",
  "ipranges-telegram",
  "ipranges-twitter",
])("%s names no part of a cloud after one of its customers", (file) => {
  const held = rangesOf(file).reduce(
    (sum, range) => sum + CLOUDS.reduce((part, cloud) => part + sharedAddresses(range, cloud), 0),
    0,
  );
  expect(held).toBeLessThan(50_000);
});

test("NOTICE is what is made of the manifest", () => {
  expect(readFileSync(join(seedDir, "../NOTICE"), "utf8")).toBe(noticeText(manifest));
});

test("several shipped lists name the address of the README's first command", () => {
  const readme = readFileSync(join(seedDir, "../README.md"), "utf8");
  const [, text = ""] = /check ip (\S+)$/m.exec(readme) ?? [];
  const named = manifest.filter(({ file }) =>
    [...rowsOf(feedTextOf(readSeed(seedDir, manifest, file).bytes))].some(
      (row) => !("dropped" in row) && row.text.split(/\s/)[0] === text,
    ),
  );
  expect(named.length).toBeGreaterThan(1);
});
