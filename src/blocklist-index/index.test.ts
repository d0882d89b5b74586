import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ipv6Words, parseIpv4Value, parseIpv6Words } from "../targets/ip.ts";
import { createListingsBuilder, LISTINGS_SNAPSHOT } from "./compile-index.ts";
import { emptyListings, openListings } from "./open-index.ts";
import { readSnapshot, u32Section, uintSection, writeSnapshot } from "./snapshot.ts";
import type { Listings, ListingsBuilder, ListState } from "./types.ts";

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-listings-"));
  path = join(folder, "listings.snapshot");
});
afterAll(() => rmSync(folder, { recursive: true }));

const stateOf = (key: string): ListState => ({
  key,
  entries: 3,
  dropped: 1,
  seed: true,
  retrievedAt: null,
  publishedAt: "2026-06-01T00:00:00Z",
  changedAt: null,
  lastAttempt: "2026-06-02T00:00:00Z",
  lastError: "HTTP 503",
  loaded: true,
  contentHash: "0f",
  families: ["v4", "v6"],
});

async function compiled(fill: (builder: ListingsBuilder) => void, listCount = 8): Promise<Listings> {
  const builder = createListingsBuilder();
  fill(builder);
  const states = Array.from({ length: listCount }, (_, list) => stateOf(`list_${list}`));
  await builder.write(path, states, "of these lists");
  const listings = openListings(path);
  if (listings === null) throw new Error("The index was not readable");
  return listings;
}

const v4 = (text: string): number => parseIpv4Value(text) ?? Number.NaN;
const v6 = (text: string): Ipv6Words => parseIpv6Words(text) ?? [0, 0, 0, 0];

describe("the compiled index", () => {
  test("names the most specific entry of each list and whether it is the address itself", async () => {
    const listings = await compiled((builder) => {
      builder.addIpv4(0, v4("192.0.2.0"), 24);
      builder.addIpv4(0, v4("192.0.2.7"), 32, { reason: "ssh" });
      builder.addIpv4(3, v4("192.0.0.0"), 16);
      builder.addIpv6(1, v6("2001:db8::"), 32);
      builder.addIpv6(1, v6("2001:db8::7"), 128);
    });
    expect(listings.findIpv4(v4("192.0.2.7"))).toEqual([
      { list: 0, value: "192.0.2.7", exact: true, detail: { reason: "ssh" } },
      { list: 3, value: "192.0.0.0/16", exact: false, detail: null },
    ]);
    expect(listings.findIpv4(v4("192.0.2.8"))[0]?.value).toBe("192.0.2.0/24");
    expect(listings.findIpv6(v6("2001:db8::7"))).toEqual([
      { list: 1, value: "2001:db8::7", exact: true, detail: null },
    ]);
    expect(listings.findIpv6(v6("2001:db8::8"))[0]?.value).toBe("2001:db8::/32");
  });

  test("clears host bits of what it is given", async () => {
    const listings = await compiled((builder) => {
      builder.addIpv4(0, v4("192.0.2.77"), 24);
      builder.addIpv6(0, v6("2001:db8::77"), 64);
    });
    expect(listings.findIpv4(v4("192.0.2.1"))[0]?.value).toBe("192.0.2.0/24");
    expect(listings.findIpv6(v6("2001:db8::1"))[0]?.value).toBe("2001:db8::/64");
  });

  test("carries the state of its lists, its fingerprint and its size", async () => {
    const listings = await compiled(() => undefined, 2);
    expect(listings.lists).toEqual([stateOf("list_0"), stateOf("list_1")]);
    expect(listings.fingerprint).toBe("of these lists");
    expect(listings.bytes).toBe(readFileSync(path).byteLength);
  });

  test("of no entries finds nothing, and neither does emptyListings()", async () => {
    for (const listings of [await compiled(() => undefined), emptyListings()]) {
      expect(listings.findIpv4(v4("192.0.2.1"))).toEqual([]);
      expect(listings.findIpv6(v6("2001:db8::1"))).toEqual([]);
      expect(listings.findAsn(64500)).toEqual([]);
      expect(listings.findName("example.org")).toEqual([]);
      expect(listings.findUrl("http://example.org/")).toEqual([]);
    }
  });

  test("finds each of 20,000 names and none of 20,000 others", async () => {
    const listings = await compiled((builder) => {
      for (let i = 0; i < 20_000; i++) builder.addName(i % 8, `host-${i}.example.org`);
    });
    for (let i = 0; i < 20_000; i++) {
      expect(listings.findName(`host-${i}.example.org`)[0]?.list).toBe(i % 8);
      expect(listings.findName(`guest-${i}.example.org`)).toHaveLength(0);
    }
  });

  test("hashes names differently in each build", async () => {
    const lows = async () => {
      await compiled((builder) => builder.addName(0, "example.org"));
      return u32Section(readSnapshot(path, LISTINGS_SNAPSHOT)?.sections ?? {}, "name.lows")[0];
    };
    expect(new Set([await lows(), await lows(), await lows()]).size).toBe(3);
  });

  test("widens set numbers beyond 65,535 distinct sets", async () => {
    // 17 lists name all subsets of themselves, one per address: 131,071 sets.
    const listings = await compiled((builder) => {
      for (let subset = 1; subset < 2 ** 17; subset++) {
        for (let list = 0; list < 17; list++) {
          if (subset & (1 << list)) builder.addIpv4(list, 0x0a000000 + subset, 32);
        }
      }
    }, 17);
    const sections = readSnapshot(path, LISTINGS_SNAPSHOT)?.sections ?? {};
    expect(uintSection(sections, "v4.sets")).toBeInstanceOf(Uint32Array);
    for (let subset = 1; subset < 2 ** 17; subset += 97) {
      const found = listings.findIpv4(0x0a000000 + subset);
      expect(found.reduce((bits, { list }) => bits | (1 << list), 0)).toBe(subset);
    }
  });

  test("takes at most 6 bytes for an isolated address with a u16 set number, beyond what is fixed", async () => {
    const bytesWith = async (count: number) => {
      const listings = await compiled((builder) => {
        for (let i = 0; i < count; i++) builder.addIpv4(i % 8, Math.imul(i, 0x9e3779b1) >>> 0, 32);
      });
      return listings.bytes;
    };
    expect(((await bytesWith(20_000)) - (await bytesWith(0))) / 20_000).toBeLessThan(6);
  });

  test.each([
    ["truncated", (file: Buffer) => file.subarray(0, file.length - 16)],
    ["damaged", (file: Buffer) => Buffer.concat([file.subarray(0, 5000), Buffer.of(1), file.subarray(5001)])],
    ["replaced by text", () => Buffer.from("192.0.2.1\n")],
  ])("is not opened from a file that is %s", async (_, damage) => {
    await compiled((builder) => builder.addIpv4(0, v4("192.0.2.1"), 32));
    const file = readFileSync(path);
    file[5000] = 0;
    writeFileSync(path, damage(file));
    expect(openListings(path)).toBeNull();
  });

  test("is not opened from a snapshot whose states of lists lack a field", async () => {
    const { contentHash: _, ...older } = stateOf("older");
    const meta = { lists: [older] };
    await writeSnapshot(path, { ...LISTINGS_SNAPSHOT, fingerprint: "", meta, sections: {} });
    expect(openListings(path)).toBeNull();
  });

  test("is not opened where there is no file", () => {
    expect(openListings(join(folder, "none"))).toBeNull();
  });
});

describe("createListingsBuilder()", () => {
  test.each([
    ["a list number below 0", (builder: ListingsBuilder) => builder.addName(-1, "example.org")],
    ["a list number beyond 65,535", (builder: ListingsBuilder) => builder.addAsn(65_536, 64500)],
    ["an IPv4 prefix beyond /32", (builder: ListingsBuilder) => builder.addIpv4(0, 0, 33)],
    ["an IPv6 prefix beyond /128", (builder: ListingsBuilder) => builder.addIpv6(0, [0, 0, 0, 0], 129)],
    ["a prefix that is no number", (builder: ListingsBuilder) => builder.addIpv4(0, 0, Number.NaN)],
  ])("refuses %s", (_, add) => {
    expect(() => add(createListingsBuilder())).toThrow(RangeError);
  });

  test("refuses to write an entry of a list that has no state", async () => {
    const builder = createListingsBuilder();
    builder.addIpv4(2, 0, 8);
    await expect(builder.write(path, [stateOf("only")], "")).rejects.toThrow("list 2 of 1 lists");
  });
});
