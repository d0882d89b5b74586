import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addresses, feed } from "../../test/feed-world.ts";
import { createListingsBuilder } from "../blocklist-index/compile-index.ts";
import { openListings } from "../blocklist-index/open-index.ts";
import type { Listings } from "../blocklist-index/types.ts";
import { parseIpv4Value } from "../targets/ip.ts";
import { compileFeeds } from "./compile.ts";
import type { FeedDefinition } from "./feed.ts";
import { retrieveFiles } from "./test-updater.ts";

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "changed-"));
  writeFileSync(join(dir, "manifest.yaml"), "[]");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const SEED_DIR = join(import.meta.dirname, "../../seed");
const MORNING = new Date("2026-11-21T09:00:00Z");
const listPath = () => join(dir, "list.txt");
const keptDir = () => join(dir, "kept");

const mine = (more: Partial<FeedDefinition> = {}): FeedDefinition =>
  feed("https://lists.test/", { source: { kind: "file", path: listPath() }, ...more });

async function compile(feeds: readonly FeedDefinition[], seedDir = dir): Promise<Listings> {
  const outFile = join(dir, "out.snapshot");
  await compileFeeds({ feeds, builder: createListingsBuilder(), seedDir, keptDir: keptDir(), outFile });
  const listings = openListings(outFile);
  if (listings === null) throw new Error("The index cannot be read");
  return listings;
}

const find = (listings: Listings, address: string) => listings.findIpv4(parseIpv4Value(address) ?? 0);

/** What content is under `after` that was accepted under `before`; the file is not read again. */
async function change(content: string, before: Partial<FeedDefinition>, after: Partial<FeedDefinition>) {
  writeFileSync(listPath(), content);
  await retrieveFiles([mine(before)], keptDir(), MORNING);
  const [accepted] = (await compile([mine(before)])).lists;
  expect(accepted).toMatchObject({ loaded: true, fault: null });
  const listings = await compile([mine({ ...before, ...after })]);
  const [state] = listings.lists;
  if (state === undefined) throw new Error("The index has no list");
  return { state, listings };
}

/** Objects with an address each, under \`ip\` in the first \`named\`, under \`host\` in the others. */
const objects = (count: number, named: number): string =>
  Array.from({ length: count }, (_, i) => `{"${i < named ? "ip" : "host"}":"20.0.0.${i}"}`).join("\n");

describe("a changed definition over content that is kept", () => {
  const ndjson = { format: "ndjson", options: { field: "ip" } };
  const csv = { format: "csv", options: { column: "ip" } };
  test.each<{
    content: string;
    before: Partial<FeedDefinition>;
    after: Partial<FeedDefinition>;
    fault: RegExp;
    why: string;
  }>([
    {
      content: '{"ip":"20.0.0.7"}',
      before: ndjson,
      after: { options: { field: "address" } },
      fault: /^No row of the list was understood: it is not of the format "ndjson"$/,
      why: "another field",
    },
    {
      content: '{"ip":"20.0.0.7"}',
      before: { ...ndjson, allowEmpty: true },
      after: { options: { field: "ip", where: { kind: "c2" } } },
      fault: /^No row/,
      why: "a filter by a member that no row has, where it may be empty",
    },
    {
      content: "20.0.0.7\n",
      before: {},
      after: { format: "hosts" },
      fault: /"hosts"$/,
      why: "another format",
    },
    {
      content: "20.0.0.7\n",
      before: {},
      after: { format: "json" },
      fault: /./,
      why: "a format that is a document",
    },
    {
      content: "ip,name\n20.0.0.7,a\n",
      before: csv,
      after: { options: { column: "name" } },
      fault: /^No row/,
      why: "another column",
    },
    {
      content: "ip,name\n20.0.0.7,a\n",
      before: csv,
      after: { options: { column: "address" } },
      fault: /^The header has no column "address"$/,
      why: "a column that is not there",
    },
    {
      content: "20.0.0.7\n",
      before: {},
      after: { target: "domain" },
      fault: /^No row/,
      why: "another target",
    },
    {
      content: "64500\n",
      before: { format: "plain", options: { via: "asn" } },
      after: { options: {} },
      fault: /^No row/,
      why: "AS numbers no more",
    },
    {
      content: "20.0.0.7;a\n",
      before: { format: "csv", options: { delimiter: ";" } },
      after: { options: { delimiter: "," } },
      fault: /^No row/,
      why: "another delimiter",
    },
    {
      content: '{"a":["20.0.0.7"]}',
      before: { format: "json", options: { path: "$.a[*]" } },
      after: { options: { path: "$.b[*]" } },
      fault: /^Nothing stands at the list's path/,
      why: "another path",
    },
    {
      content: "20.0.0.7 2\n",
      before: { format: "ipsum" },
      after: { options: { min_count: 3 } },
      fault: /^The list is empty$/,
      why: "a filter that leaves nothing",
    },
    {
      content: addresses(200),
      before: {},
      after: { maxEntries: 100 },
      fault: /more than 100/,
      why: "a limit",
    },
    {
      content: "20.0.0.7\nwhat\nis\nthis\n",
      before: {},
      after: { builtin: true },
      fault: /^3 of 4 rows were not understood$/,
      why: "the rules of built-in lists",
    },
    {
      content: objects(200, 20),
      before: { format: "ndjson", options: { field: ["ip", "host"] } },
      after: { options: { field: "ip" } },
      fault: /^The definition of the list changed, and 180 of 200 rows are not understood any more$/,
      why: "a field that few rows have",
    },
  ])("is an error where nothing passes by it: $why", async ({ content, before, after, fault }) => {
    const { state, listings } = await change(content, before, after);
    expect(state).toMatchObject({ loaded: false, entries: 0, dropped: 0, seed: false, retrievedAt: null });
    expect(state.fault).toMatch(fault);
    expect(state.lastError).toBe(state.fault);
    expect([find(listings, "20.0.0.7"), find(listings, "20.0.0.1")]).toEqual([[], []]);
    // The definition of before makes it an answer again.
    const again = await change(content, before, before);
    expect(again.state).toMatchObject({ loaded: true, fault: null, lastError: null });
  });

  test("answers by the new definition where it understands the content", async () => {
    const content = '{"ip":"20.0.0.7","seen":"20.0.0.8"}';
    const { listings, state } = await change(content, ndjson, { options: { field: "seen" } });
    expect(state).toMatchObject({ loaded: true, entries: 1, fault: null });
    expect([find(listings, "20.0.0.7").length, find(listings, "20.0.0.8").length]).toEqual([0, 1]);
  });

  test("leaves the other lists of the index as they are", async () => {
    writeFileSync(listPath(), addresses(3));
    const [good, bad] = [mine({ key: "good" }), mine({ key: "bad" })];
    await retrieveFiles([good, bad], keptDir(), MORNING);
    const changed = { ...bad, format: "hosts" };
    for (const feeds of [
      [good, changed],
      [changed, good],
    ]) {
      const listings = await compile(feeds);
      const list = feeds.indexOf(good);
      expect(listings.lists[list]).toMatchObject({ key: "good", entries: 3 });
      expect(find(listings, "20.0.0.1")).toMatchObject([{ list }]);
    }
  });

  test("answers from the seed where there is one, and says why", async () => {
    writeFileSync(listPath(), "20.0.0.7\n");
    const seed = { file: "public-dns", format: "plain", options: {} };
    await retrieveFiles([mine({ seed })], keptDir(), MORNING);
    const listings = await compile([mine({ seed, format: "hosts" })], SEED_DIR);
    expect(listings.lists[0]).toMatchObject({
      loaded: true,
      seed: true,
      fault: expect.stringMatching(/"hosts"$/),
    });
    expect([find(listings, "8.8.8.8").length, find(listings, "20.0.0.7").length]).toEqual([1, 0]);
  });

  test("a seed that its definition does not understand is an error as well", async () => {
    const source = { kind: "seed", file: "public-dns" } as const;
    const listings = await compile([mine({ source, target: "domain" })], SEED_DIR);
    expect(listings.lists[0]).toMatchObject({
      loaded: false,
      seed: false,
      fault: expect.stringMatching(/^No row of the list was understood/),
    });
  });
});
