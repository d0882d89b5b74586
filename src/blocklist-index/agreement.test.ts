import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatIpv4, formatIpv6, type Ipv6Words, parseIpv4Value, parseIpv6Words } from "../targets/ip.ts";
import { createListingsBuilder } from "./compile-index.ts";
import { openListings } from "./open-index.ts";
import type { Listing, ListingDetail, Listings, ListingsBuilder, ListState } from "./types.ts";

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-agreement-"));
  path = join(folder, "listings.snapshot");
});
afterAll(() => rmSync(folder, { recursive: true }));

const STATE: ListState = {
  key: "list",
  entries: 0,
  dropped: 0,
  seed: false,
  retrievedAt: null,
  publishedAt: null,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: true,
  contentHash: null,
  families: [],
};

async function compiled(fill: (builder: ListingsBuilder) => void): Promise<Listings> {
  const builder = createListingsBuilder();
  fill(builder);
  await builder.write(path, new Array(8).fill(STATE), "");
  const listings = openListings(path);
  if (listings === null) throw new Error("The index was not readable");
  return listings;
}

const v4 = (text: string): number => parseIpv4Value(text) ?? Number.NaN;
const v6 = (text: string): Ipv6Words => parseIpv6Words(text) ?? [0, 0, 0, 0];

type Entry = { list: number; bits: bigint; prefix: number; detail: ListingDetail | undefined };

const detail: fc.Arbitrary<ListingDetail | undefined> = fc.option(
  fc.record(
    {
      codes: fc.array(fc.constantFrom("ssh", "127.0.0.2", "ü")),
      reason: fc.constantFrom("", "brute force", "größer"),
      firstSeen: fc.constant("2026-01-01T00:00:00Z"),
      lastSeen: fc.constantFrom("2026-03-01", "2026-02-01T00:00:00Z", "never"),
      value: fc.constant("192.0.2.0-192.0.2.9"),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 2 },
);

/** Networks that overlap often: few distinct places, all prefix lengths. */
function entriesOf(width: number, places: readonly bigint[]): fc.Arbitrary<Entry[]> {
  const near = fc
    .tuple(fc.constantFrom(...places), fc.nat({ max: 5 }), fc.nat({ max: width - 1 }))
    .map(([place, add, bit]) => (place ^ (BigInt(add) << BigInt(bit))) & ((1n << BigInt(width)) - 1n));
  const prefix = fc.oneof(fc.integer({ min: 0, max: width }), fc.integer({ min: width - 4, max: width }));
  const entry = fc.record({ list: fc.nat({ max: 7 }), bits: near, prefix, detail });
  return fc.array(entry, { maxLength: 60 });
}

const cut = (bits: bigint, prefix: number, width: number): bigint =>
  (bits >> BigInt(width - prefix)) << BigInt(width - prefix);

const seenMs = (entry: Entry): number => {
  if (entry.detail === undefined) return -2;
  const ms = Date.parse(entry.detail.lastSeen ?? "");
  return Number.isNaN(ms) ? -1 : ms;
};

/** What the index must answer: of each list the longest prefix, and of its doubles the newest. */
function scan(
  entries: readonly Entry[],
  bits: bigint,
  width: number,
  format: (bits: bigint) => string,
): Listing[] {
  const best = new Map<number, Entry>();
  for (const entry of entries) {
    if (cut(bits, entry.prefix, width) !== cut(entry.bits, entry.prefix, width)) continue;
    const known = best.get(entry.list);
    const wins =
      known === undefined ||
      entry.prefix > known.prefix ||
      (entry.prefix === known.prefix && seenMs(entry) > seenMs(known));
    if (wins) best.set(entry.list, entry);
  }
  return [...best.values()]
    .sort((a, b) => a.list - b.list)
    .map(({ list, prefix, detail: known }) => {
      const text = format(cut(bits, prefix, width));
      const exact = prefix === width;
      const value = exact ? text : `${text}/${prefix}`;
      return { list, value, exact: exact && !known?.value?.includes("-"), detail: known ?? null };
    });
}

/** The edges of every network and their neighbours, where mistakes show. */
const probesOf = (entries: readonly Entry[], width: number, others: readonly bigint[]): bigint[] => {
  const all = (1n << BigInt(width)) - 1n;
  return entries
    .flatMap(({ bits, prefix }) => {
      const first = cut(bits, prefix, width);
      const last = first + (1n << BigInt(width - prefix)) - 1n;
      return [first, last, first - 1n, last + 1n, bits];
    })
    .concat(others, [0n, all])
    .map((probe) => probe & all);
};

const wordsOf = (bits: bigint): Ipv6Words => {
  const word = (shift: bigint) => Number((bits >> shift) & 0xffffffffn);
  return [word(96n), word(64n), word(32n), word(0n)];
};
const bitsOf = (words: Ipv6Words): bigint => words.reduce((bits, word) => (bits << 32n) | BigInt(word), 0n);

describe("the compiled index agrees with a plain scan", () => {
  test("over IPv4 networks of several lists, their edges and random addresses", async () => {
    const places = ["0.0.0.0", "10.0.0.0", "192.0.2.0", "192.0.255.255", "255.255.255.255"].map((text) =>
      BigInt(v4(text)),
    );
    const probe = fc.bigInt({ min: 0n, max: 0xffffffffn });
    await fc.assert(
      fc.asyncProperty(entriesOf(32, places), fc.array(probe), async (entries, others) => {
        const listings = await compiled((builder) => {
          for (const { list, bits, prefix, detail: known } of entries) {
            builder.addIpv4(list, Number(cut(bits, prefix, 32)), prefix, known);
          }
        });
        for (const bits of probesOf(entries, 32, others)) {
          const expected = scan(entries, bits, 32, (network) => formatIpv4(Number(network)));
          expect(listings.findIpv4(Number(bits)), formatIpv4(Number(bits))).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("over IPv6 networks of several lists, on both sides of /64", async () => {
    const places = ["::", "2001:db8::", "2001:db8:0:1:ffff:ffff:ffff:fff0", "2a02::1", "ffff::"].map((text) =>
      bitsOf(v6(text)),
    );
    const probe = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    const entries = entriesOf(128, places).map((made) =>
      made.map((entry, i) => (i % 3 === 0 ? { ...entry, prefix: 56 + (entry.prefix % 16) } : entry)),
    );
    await fc.assert(
      fc.asyncProperty(entries, fc.array(probe), async (made, others) => {
        const listings = await compiled((builder) => {
          for (const { list, bits, prefix, detail: known } of made) {
            builder.addIpv6(list, wordsOf(bits), prefix, known);
          }
        });
        for (const bits of probesOf(made, 128, others)) {
          const expected = scan(made, bits, 128, (network) => formatIpv6(wordsOf(network)));
          expect(listings.findIpv6(wordsOf(bits)), formatIpv6(wordsOf(bits))).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("over names, URLs and AS numbers", async () => {
    const text = fc.constantFrom(..."abcdefghij".split("").map((letter) => `${letter}.example`));
    const entry = fc.record({
      list: fc.nat({ max: 3 }),
      text,
      asn: fc.integer({ min: 64500, max: 64505 }),
      detail,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry), async (entries) => {
        const listings = await compiled((builder) => {
          for (const { list, text: name, asn, detail: known } of entries) {
            builder.addName(list, name, known);
            if (list > 0) builder.addUrl(list, `http://${name}/ü`, known);
            builder.addAsn(list, asn, known);
          }
        });
        const expected = (made: typeof entries, value: string, exact: boolean) =>
          scan(
            made.map(({ list, detail: known }) => ({ list, bits: 0n, prefix: 1, detail: known })),
            0n,
            1,
            () => value,
          ).map((listing) => ({ ...listing, value, exact }));
        for (const name of "abcdefghijk".split("").map((letter) => `${letter}.example`)) {
          const same = entries.filter((made) => made.text === name);
          expect(listings.findName(name)).toEqual(expected(same, name, true));
          const url = `http://${name}/ü`;
          const inUrls = same.filter(({ list }) => list > 0);
          expect(listings.findUrl(url)).toEqual(expected(inUrls, url, true));
        }
        for (let asn = 64499; asn < 64508; asn++) {
          const same = entries.filter((made) => made.asn === asn);
          expect(listings.findAsn(asn)).toEqual(expected(same, `AS${asn}`, false));
        }
      }),
      { numRuns: 60 },
    );
  });
});
