import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createListingsBuilder } from "../blocklist-index/compile-index.ts";
import { openListings } from "../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../blocklist-index/types.ts";
import { parseIpv4Value } from "../targets/ip.ts";
import { compileFeeds, feedsFingerprint, hasSameRules } from "./compile.ts";
import type { FeedDefinition } from "./feed.ts";
import { readContent, readState } from "./feed-store.ts";
import { readSeedManifest } from "./retrieval/manifest.ts";
import { retrieveFiles } from "./test-updater.ts";

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "feeds-"));
  writeFileSync(join(dir, "manifest.yaml"), "[]");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const listPath = () => join(dir, "list.txt");

const feed = (more: Partial<FeedDefinition> = {}): FeedDefinition => ({
  key: "mine",
  name: "Mine",
  role: "engine",
  builtin: false,
  target: "ip",
  source: { kind: "file", path: listPath() },
  seed: null,
  format: "netset",
  options: {},
  refreshMinutes: 60,
  maxEntries: null,
  allowEmpty: false,
  ...more,
});

const MORNING = new Date("2026-11-21T09:00:00Z");
const NOON = new Date("2026-11-21T12:00:00Z");

type Result = { readonly state: ListState; readonly listings: Listings };

async function compile(definition: FeedDefinition, content: string | null, now = MORNING): Promise<Result> {
  if (content === null) rmSync(listPath(), { force: true });
  else writeFileSync(listPath(), content);
  const outFile = join(dir, "out.snapshot");
  const builder = createListingsBuilder();
  const keptDir = join(dir, "kept");
  await retrieveFiles([definition], keptDir, now);
  await compileFeeds({ feeds: [definition], builder, seedDir: dir, keptDir, outFile });
  const listings = openListings(outFile);
  const state = listings?.lists[0];
  if (listings === null || state === undefined) throw new Error("The index cannot be read");
  return { state, listings };
}

const find = (listings: Listings, address: string) => listings.findIpv4(parseIpv4Value(address) ?? 0);

const addresses = (count: number): string =>
  Array.from({ length: count }, (_, i) => `20.0.${i >> 8}.${i & 255}`).join("\n");

describe("compileFeeds() of an operator's file", () => {
  test("counts entries, dropped rows and samples, and finds what the list names", async () => {
    const { state, listings } = await compile(feed(), "192.0.2.0/24 ; SBL1\n10.0.0.7\nwhat\n0.0.0.0/0\n");
    expect(state).toMatchObject({
      entries: 2,
      dropped: 2,
      seed: false,
      loaded: true,
      lastError: null,
      retrievedAt: "2026-11-21T09:00:00Z",
      changedAt: "2026-11-21T09:00:00Z",
      publishedAt: null,
      families: ["v4"],
    });
    expect(find(listings, "192.0.2.9")).toMatchObject([{ value: "192.0.2.0/24", exact: false }]);
    expect(find(listings, "192.0.2.9")[0]?.detail?.reason).toBe("SBL1");
    expect(find(listings, "10.0.0.7")).toHaveLength(1);
    expect(find(listings, "8.8.8.8")).toEqual([]);
  });

  test("keeps a range's own text as the value", async () => {
    const { listings } = await compile(feed(), "198.51.100.4 - 198.51.100.9\n");
    expect(find(listings, "198.51.100.8")[0]?.detail?.value).toBe("198.51.100.4-198.51.100.9");
  });

  test("takes the publisher's own date from the head of the file", async () => {
    const { state } = await compile(feed(), "# Last update: 2026-11-01\n192.0.2.7\n");
    expect(state.publishedAt).toBe("2026-11-01T00:00:00Z");
  });

  test("counts a look at unchanged content as a retrieval and no change", async () => {
    await compile(feed(), "192.0.2.7\n");
    const { state } = await compile(feed(), "192.0.2.7\n", NOON);
    expect(state.retrievedAt).toBe("2026-11-21T12:00:00Z");
    expect(state.changedAt).toBe("2026-11-21T09:00:00Z");
    const changed = await compile(feed(), "192.0.2.8\n", NOON);
    expect(changed.state.changedAt).toBe("2026-11-21T12:00:00Z");
  });

  test.each<{ content: string | null; error: string; why: string }>([
    { content: "", error: "The list is empty", why: "empty" },
    { content: "# only a comment\n", error: "The list is empty", why: "nothing but comments" },
    {
      content: "<html><body>192.0.2.7</body></html>",
      error: "The file is a web page, not a list",
      why: "HTML",
    },
    { content: addresses(60), error: "The list shrank from 200 to 60 entries", why: "shrunk to under half" },
    {
      content: "a b\nc d\n",
      error: 'No row of the list was understood: it is not of the format "netset"',
      why: "garbage",
    },
    { content: addresses(300), error: "The list has more than 250 entries", why: "larger than max_entries" },
    { content: null, error: "Cannot read the file: it does not exist", why: "gone" },
  ])(
    "rejects a file that is $why, keeps the content before it, and clears the error with the next success",
    async ({ content, error }) => {
      const mine = feed({ maxEntries: 250 });
      await compile(mine, addresses(200));
      const rejected = await compile(mine, content, NOON);
      expect(rejected.state).toMatchObject({
        loaded: true,
        entries: 200,
        lastError: error,
        lastAttempt: "2026-11-21T12:00:00Z",
        retrievedAt: "2026-11-21T09:00:00Z",
      });
      expect(find(rejected.listings, "20.0.0.199")).toHaveLength(1);
      expect((await compile(mine, addresses(199), NOON)).state).toMatchObject({
        entries: 199,
        lastError: null,
      });
    },
  );

  test.each([
    [addresses(100), addresses(3), 3, "a list of 100 may shrink"],
    [addresses(200), addresses(100), 100, "half is enough"],
  ])("accepts a shorter file: case %#", async (before, after, entries) => {
    await compile(feed(), before);
    expect((await compile(feed(), after, NOON)).state).toMatchObject({ entries, lastError: null });
  });

  test("accepts an empty file where allow_empty says so", async () => {
    await compile(feed({ allowEmpty: true }), addresses(200));
    const { state } = await compile(feed({ allowEmpty: true }), "", NOON);
    expect(state).toMatchObject({ loaded: true, entries: 0, lastError: null });
  });

  test("a file that never came is not loaded and says why", async () => {
    const { state } = await compile(feed(), null);
    expect(state).toMatchObject({
      loaded: false,
      entries: 0,
      lastError: "Cannot read the file: it does not exist",
    });
  });

  test("kept content that was cut short by a crash is not believed", async () => {
    await compile(feed(), addresses(200));
    const hash = readState(join(dir, "kept"), "mine")?.contentHash ?? "";
    writeFileSync(join(dir, "kept", `mine.${hash.slice(0, 16)}.zst`), "20.0.0.1\n");
    expect((await compile(feed(), null, NOON)).state.loaded).toBe(false);
  });

  test("an https list is not loaded before its first retrieval", async () => {
    const source = { kind: "web", url: "https://lists.example/x", headers: {} } as const;
    const { state } = await compile(feed({ source }), null);
    expect(state).toMatchObject({ loaded: false, lastAttempt: null, lastError: null });
  });

  test.each([
    ["10.0.0.0/8", "private"],
    ["127.0.0.1", "loopback"],
    ["192.0.0.0/16", "around a special range"],
    ["16.0.0.0/7", "shorter than /8"],
    ["2001::/15", "shorter than /16"],
    ["fe80::1", "link-local"],
    ["2001:db8::1", "documentation"],
    ["2002::/16", "all of 6to4"],
    ["2002:1400::/23", "6to4 of more than an IPv4 /8"],
    ["2001::/32", "all of Teredo"],
    ["64:ff9b::/96", "all of NAT64"],
    ["64:ff9b::/32", "around NAT64"],
    ["64:ff9b::1400:0/103", "NAT64 of more than an IPv4 /8"],
  ])("a built-in list loses %s", async (row) => {
    const { state } = await compile(feed({ builtin: true }), `20.0.0.1\n${row}\n`);
    expect(state).toMatchObject({ entries: 1, dropped: 1 });
    expect((await compile(feed(), `20.0.0.1\n${row}\n`)).state).toMatchObject({ entries: 2, dropped: 0 });
  });

  test.each([
    "2002:1400:1::1",
    "2002:1400::/24",
    "2001:0:1400:1::/64",
    "64:ff9b::1400:1",
    "64:ff9b::1400:0/104",
  ])("a built-in list keeps %s, a part of what stands for IPv4", async (row) => {
    const { state } = await compile(feed({ builtin: true }), `20.0.0.1\n${row}\n`);
    expect(state).toMatchObject({ entries: 2, dropped: 0 });
  });

  test("a list of AS numbers holds for both families", async () => {
    const { state, listings } = await compile(feed({ format: "plain" }), "AS64500 # bad hoster\n");
    expect(state.families).toEqual(["v4", "v6"]);
    expect(listings.findAsn(64500)).toMatchObject([{ value: "AS64500" }]);
  });

  test("a range is shown as its publisher writes it, without terminal codes", async () => {
    const { listings } = await compile(feed(), "20.0.0.1 - 20.0.0.3\n2a00::1-2a00::3%\u001b[2J\u202e\n");
    const [v4, v6] = [listings.findIpv4(0x14000002), listings.findIpv6([0x2a000000, 0, 0, 2])];
    expect([...v4, ...v6].map(({ detail }) => detail?.value)).toEqual([
      "20.0.0.1-20.0.0.3",
      "2a00::1-2a00::3%[2J",
    ]);
  });

  test("a URL list names its hosts too, once each, with the URL as the value", async () => {
    const urls = "http://bad.example/a\nhttp://bad.example/b\nhttp://192.0.2.7/c\n";
    const { state, listings } = await compile(feed({ target: "url", format: "plain" }), urls);
    expect(state.entries).toBe(3);
    expect(listings.findUrl("http://bad.example/b")).toHaveLength(1);
    expect(listings.findName("bad.example")[0]?.detail?.value).toBe("http://bad.example/a");
  });

  test("of a host's URLs the one seen last is named, wherever it stands", async () => {
    const seen = ["a,2020-01-02", "b,2026-11-20", "c,2024-05-06"];
    for (const order of [seen, seen.toReversed()]) {
      const rows = ["url,seen", ...order.map((row) => `http://bad.example/${row}`)].join("\n");
      const options = { column: "url", last_seen: "seen" };
      const { listings } = await compile(feed({ target: "url", format: "csv", options }), rows);
      expect(listings.findName("bad.example")).toMatchObject([
        { detail: { value: "http://bad.example/b", lastSeen: "2026-11-20T00:00:00Z" } },
      ]);
    }
  });
});

describe("feedsFingerprint()", () => {
  const manifest = readSeedManifest(join(import.meta.dirname, "../../seed"));
  const of = (definition: FeedDefinition, contentHash: string | null = null) =>
    feedsFingerprint([definition], manifest)(() => contentHash);
  const web = feed({ source: { kind: "web", url: "https://lists.example/x", headers: {} } });

  test("changes with a definition, a seed and a content, and with nothing else", () => {
    expect(of(feed())).toBe(of(feed()));
    expect(of(feed({ format: "plain" }))).not.toBe(of(feed()));
    expect(of(feed(), "a")).not.toBe(of(feed()));
    expect(of(web, "a")).not.toBe(of(web));
    const seed = { file: "ipsum", format: "ipsum", options: {} };
    expect(of({ ...web, seed })).not.toBe(of({ ...web, seed: { ...seed, file: "http-threat" } }));
  });

  test("has the same rules while only downloads differ: such an index may answer", () => {
    expect(hasSameRules(of(web, "a"), of(web, "b"))).toBe(true);
    expect(hasSameRules(of(feed(), "a"), of(feed(), "b"))).toBe(false);
    expect(hasSameRules(of(web), of({ ...web, format: "plain" }))).toBe(false);
    expect(hasSameRules("", "")).toBe(false);
  });
});

test("what is kept is the publisher's file as it is, packed", async () => {
  await compile(feed(), "# mine\n192.0.2.7\n");
  const hash = readState(join(dir, "kept"), "mine")?.contentHash ?? "";
  const bytes = readContent(join(dir, "kept"), "mine", hash);
  expect(Buffer.from(bytes ?? []).toString()).toBe("# mine\n192.0.2.7\n");
});
