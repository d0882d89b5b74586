import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { type Regions, wordsOf } from "../blocklist-index/regions.ts";
import type { Verdict } from "../engines/kind.ts";
import type { ListedEntry } from "../engines/listed.ts";
import { definePolicies } from "../risk/policy-options.ts";
import { formatIpv4, type Ip, ipv4Of, ipv6Of } from "../targets/ip.ts";
import type { Assessed } from "./assess.ts";
import { openSources } from "./build.ts";
import { type ExportDecision, judgeEntry } from "./judge.ts";
import { eachIpv4Piece, eachIpv6Piece } from "./pieces.ts";
import { specOf } from "./spec.ts";
import { createTestWorld, type TestLists, type TestWorld } from "./test-world.ts";

const worlds: TestWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** Networks around few addresses, so that many lie in each other: of operators' and of published ranges, and for special purposes. */
const HEARTS_V4 = [0x2e01_0203, 0x6810_0001, 0x0808_0808, 0x0a00_0001, 0xc058_6302, 0x42f9_4001, 0xdfff_ffff];
const HEARTS_V6 = ["2a01:4f8", "2606:4700", "2002:808", "64:ff9b", "2001:db8", "fd00"];

const entryV4 = fc
  .tuple(fc.constantFrom(...HEARTS_V4), fc.nat(3), fc.constantFrom(8, 12, 16, 20, 24, 28, 30, 31, 32, 32, 32))
  .map(([heart, beside, prefix]) => {
    const address = ((heart ^ beside) & (-1 << (32 - prefix))) >>> 0;
    return prefix === 32 ? formatIpv4(address) : `${formatIpv4(address)}/${prefix}`;
  });
const entryV6 = fc
  .tuple(fc.constantFrom(...HEARTS_V6), fc.nat(3), fc.constantFrom(32, 48, 64, 127, 128))
  .map(([heart, beside, prefix]) => {
    if (prefix < 127) return `${heart}::/${prefix}`;
    return prefix === 127 ? `${heart}::${beside & 2}/127` : `${heart}::${beside}`;
  });
const mapped = entryV4.map((text) => {
  const [address, prefix] = text.split("/");
  return prefix === undefined ? `::ffff:${address}` : `::ffff:${address}/${96 + Number(prefix)}`;
});
const lines = fc.array(
  fc.oneof({ weight: 6, arbitrary: entryV4 }, { weight: 4, arbitrary: entryV6 }, mapped),
  {
    maxLength: 12,
  },
);
/** A line with what it says beside an address stands among those that say nothing. */
const detailed = fc
  .array(fc.tuple(fc.oneof(entryV4, entryV6), fc.constantFrom("", "2026-11-20")), { maxLength: 8 })
  .map((rows) => ["ip,last_seen", ...rows.map((row) => row.join(","))]);

const lists: fc.Arbitrary<TestLists> = fc.record({
  block: fc.record({
    attackers: lines.map((some) => ({ lines: some })),
    tor: lines.map((some) => ({ lines: some, category: "tor", confidence: "medium" })),
    whole: lines.map((some) => ({ lines: some, category: "aggregate" })),
    dropped: lines.map((some) => ({ lines: some, category: "hijacked" })),
    v4: fc.array(entryV4, { maxLength: 6 }).map((some) => ({ lines: some, category: "vpn" })),
    seen: detailed.map((some) => ({
      lines: some,
      category: "spam",
      more: { format: "csv", column: "ip", last_seen: "last_seen" },
    })),
  }),
  allow: fc.record({
    ours: lines.map((some) => ({ lines: some })),
    theirs: lines.map((some) => ({ lines: some })),
  }),
});

const withoutText = (verdict: Verdict) => ({ ...verdict, matched: verdict.matched?.level });
const said = ({ consultation, ...rest }: Assessed) => ({
  ...rest,
  verdicts: consultation.verdicts.map(withoutText),
  allowlists: consultation.allowlists.map(withoutText),
  // Of what is said of networks, the order counts for nothing.
  networks: rest.networks.map(({ key, prefix }) => `${key}/${prefix}`).sort(),
});

/**
 * Compares both ways at both ends of every stretch that is judged by its entries alone, and its first address with that of the
 * class for which it is judged once; how many there were.
 */
function compare({ build, now }: TestWorld): Record<Ip["version"], number> {
  const { regions, assessor, mattersOf, ...sources } = openSources(build, now);
  const policies = definePolicies(build.policies);
  const specs = build.exports.map((options) => specOf(options, { ...sources, policies }));
  const kinds = { v4: regions.kindsOf("v4", mattersOf), v6: regions.kindsOf("v6", mattersOf) };
  const firstOfKind = new Map<string, readonly ExportDecision[]>();
  const counts = { v4: 0, v6: 0 };
  const check = (version: Ip["version"], set: number, ends: readonly [Ip, Ip]) => {
    counts[version]++;
    const byEntries = said(assessor.plain(version, entriesOf(regions, version, set)));
    for (const ip of ends)
      expect({ ip: ip.text, ...byEntries }).toEqual({ ip: ip.text, ...said(assessor.address(ip, null)) });
    const judged = specs.map((spec) => judgeEntry(assessor.address(ends[0], null), spec, now));
    const kind = `${version} ${kinds[version][set]}`;
    expect(judged).toEqual(firstOfKind.get(kind) ?? judged);
    firstOfKind.set(kind, judged);
  };
  eachIpv4Piece(regions, null, (first, last, set, { isPlain }) => {
    if (isPlain && regions.detailsAtIpv4(set, first) === "") check("v4", set, [ipv4Of(first), ipv4Of(last)]);
  });
  eachIpv6Piece(regions, null, (first, last, set, { isPlain }) => {
    if (isPlain && regions.detailsAtIpv6(set, first) === "")
      check("v6", set, [ipv6Of(wordsOf(first)), ipv6Of(wordsOf(last))]);
  });
  return counts;
}

function entriesOf(regions: Regions, version: Ip["version"], set: number): readonly ListedEntry[] {
  const entries: ListedEntry[] = [];
  regions.eachEntry(version, set, (list, prefix) => entries.push({ list, prefix }));
  return entries;
}

const EXPORTS = [
  { name: "edge" },
  { name: "all", min_score: 1, subtract: [], engines: { without: ["attackers"] } },
  { name: "services", kind: "allow" },
];

const worldOf = (hasShipped: boolean): TestWorld => {
  const world = createTestWorld(EXPORTS, { hasShipped });
  worlds.push(world);
  return world;
};

test("what lists say of addresses by their entries alone is what they say of each address", async () => {
  const total = { v4: 0, v6: 0 };
  await fc.assert(
    fc.asyncProperty(lists, async (given) => {
      const world = worldOf(false);
      await world.make(given);
      const { v4, v6 } = compare(world);
      total.v4 += v4;
      total.v6 += v6;
    }),
    { numRuns: 40, seed: 7 },
  );
  expect(total.v4).toBeGreaterThan(500);
  expect(total.v6).toBeGreaterThan(100);
});

test("the same inside published ranges, all of which are asked", async () => {
  const world = worldOf(true);
  const [given] = fc.sample(lists, { numRuns: 1, seed: 11 });
  await world.make(given ?? { block: {} });
  const { v4, v6 } = compare(world);
  expect(v4).toBeGreaterThan(10_000);
  expect(v6).toBeGreaterThan(1000);
});
