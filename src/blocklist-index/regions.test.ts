import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createListingsBuilder } from "./compile-index.ts";
import { openWholeListings } from "./open-index.ts";
import { wordsOf } from "./regions.ts";
import type { Listing, ListState } from "./types.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "repute-regions-"));
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

type Region<T> = { readonly first: T; readonly last: T; readonly set: number };
type Entry = { list: number; bits: bigint; prefix: number; seen: string | undefined };

/** Entries close together, so that they nest and touch, also at both ends of the space. */
const entries = (width: number): fc.Arbitrary<Entry[]> =>
  fc.array(
    fc.record({
      list: fc.nat(3),
      bits: fc
        .tuple(
          fc.constantFrom(0n, 1n, (1n << BigInt(width)) - 512n, 0x1234n << BigInt(width - 16)),
          fc.nat(511),
        )
        .map(([base, low]) => (base + BigInt(low)) & ((1n << BigInt(width)) - 1n)),
      prefix: fc.constantFrom(3, 12, 16, 20, width / 2, width - 9, width - 3, width - 1, width, width),
      seen: fc.constantFrom(undefined, undefined, "2026-01-01", "2026-02-01"),
    }),
    { maxLength: 40 },
  );

async function compiled(entriesOf: readonly Entry[], version: 4 | 6) {
  const path = join(folder, `${version}.bin`);
  const builder = createListingsBuilder();
  for (const { list, bits, prefix, seen } of entriesOf) {
    const detail = seen === undefined ? undefined : { lastSeen: seen };
    if (version === 4) builder.addIpv4(list, Number(bits), prefix, detail);
    else builder.addIpv6(list, wordsOf(bits), prefix, detail);
  }
  await builder.write(path, new Array(4).fill(STATE), "");
  const opened = openWholeListings(path);
  if (opened === null) throw new Error("The index was not readable");
  return opened;
}

const said = (listings: readonly Listing[]): string =>
  JSON.stringify(listings.map(({ list, value, detail }) => [list, value, detail]));

function regionOf<T extends number | bigint>(regions: readonly Region<T>[], address: T): Region<T> | null {
  return regions.find(({ first, last }) => first <= address && address <= last) ?? null;
}

const isAscending = (regions: readonly Region<number | bigint>[]): boolean =>
  regions.every(({ first, last }, i) => first <= last && (i === 0 || (regions[i - 1]?.last ?? 0) < first));

test("IPv4: the regions are what lookups say, each the same from its first to its last address", async () => {
  await fc.assert(
    fc.asyncProperty(entries(32), async (list) => {
      const { listings, regions } = await compiled(list, 4);
      const all: Region<number>[] = [];
      regions.eachIpv4((first, last, set) => all.push({ first, last, set }));
      expect(isAscending(all)).toBe(true);
      for (const { first, last } of all) {
        expect(said(listings.findIpv4(last))).toBe(said(listings.findIpv4(first)));
      }
      const probes = list.flatMap(({ bits, prefix }) => {
        const low = Number(bits & ~((1n << BigInt(32 - prefix)) - 1n));
        return [low - 1, low, Number(bits), low + 2 ** (32 - prefix) - 1, low + 2 ** (32 - prefix)];
      });
      for (const probe of probes.filter((address) => address >= 0 && address < 2 ** 32)) {
        const region = regionOf(all, probe);
        expect(region !== null).toBe(listings.findIpv4(probe).length > 0);
        if (region !== null)
          expect(said(listings.findIpv4(probe))).toBe(said(listings.findIpv4(region.first)));
      }
    }),
    { numRuns: 150 },
  );
});

test("IPv6: as IPv4, across the two layers", async () => {
  await fc.assert(
    fc.asyncProperty(entries(128), async (list) => {
      const { listings, regions } = await compiled(list, 6);
      const all: Region<bigint>[] = [];
      regions.eachIpv6((first, last, set) => all.push({ first, last, set }));
      expect(isAscending(all)).toBe(true);
      const find = (address: bigint) => listings.findIpv6(wordsOf(address));
      for (const { first, last } of all) expect(said(find(last))).toBe(said(find(first)));
      const top = 1n << 128n;
      const probes = list.flatMap(({ bits, prefix }) => {
        const size = 1n << BigInt(128 - prefix);
        const low = bits & ~(size - 1n);
        return [low - 1n, low, bits, low + size - 1n, low + size];
      });
      for (const probe of probes.filter((address) => address >= 0n && address < top)) {
        const region = regionOf(all, probe);
        expect(region !== null).toBe(find(probe).length > 0);
        if (region !== null) expect(said(find(probe))).toBe(said(find(region.first)));
      }
    }),
    { numRuns: 150 },
  );
});

test("regions of one set and one text of details say the same of their lists, and another text another", async () => {
  const at = (seen: string | undefined, bits: bigint): Entry => ({ list: 1, bits, prefix: 32, seen });
  const { regions } = await compiled([at("2026-01-01", 1n), at("2026-02-01", 2n), at(undefined, 3n)], 4);
  const keys: string[] = [];
  regions.eachIpv4((first, _last, set) => keys.push(`${set}:${regions.detailsAtIpv4(set, first)}`));
  expect(new Set(keys).size).toBe(3);
});

test("sets of one kind name the same lists, as exactly and in the same order of sizes as far as it matters", async () => {
  const matters = ["nothing", "exact", "size", "size"] as const;
  await fc.assert(
    fc.asyncProperty(entries(32), async (list) => {
      const { listings, regions } = await compiled(list, 4);
      const kinds = regions.kindsOf("v4", (number) => matters[number] ?? "nothing");
      const said = new Map<number, string>();
      regions.eachIpv4((first, _last, set) => {
        const found = listings.findIpv4(first).map(({ list: number, value }) => ({
          list: number,
          kind: matters[number],
          prefix: Number(value.split("/")[1] ?? 32),
        }));
        const sizes = found.filter(({ kind }) => kind === "size").map(({ prefix }) => prefix);
        const text = found.map(({ list: number, kind, prefix }) =>
          [
            number,
            kind !== "nothing" && prefix === 32,
            kind === "size" && sizes.filter((size) => size < prefix).length,
          ].join(),
        );
        const kind = kinds[set] ?? 0;
        expect(said.get(kind) ?? text.join(" ")).toBe(text.join(" "));
        said.set(kind, text.join(" "));
      });
      expect(new Set(said.values()).size).toBe(said.size);
    }),
    { numRuns: 150 },
  );
});
