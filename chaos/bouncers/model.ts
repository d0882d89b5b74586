import { differenceOf } from "../../src/exports/difference.ts";
import { createEntryTable } from "../../src/exports/entries.ts";
import type { ExportFacts } from "../../src/exports/facts.ts";
import { type Generation, readGeneration } from "../../src/exports/generation.ts";
import { publish } from "../../src/exports/publish.ts";
import { createRowCollector } from "../../src/exports/rows.ts";
import { type ExportFiles, readState } from "../../src/exports/state.ts";
import { formatIpv4 } from "../../src/targets/ip.ts";

/** What is listed: IPv4 networks (`address/length` as numbers) and single IPv6 addresses by their last 32 bits. */
export type Listed = { readonly v4: ReadonlyMap<number, number>; readonly v6: ReadonlySet<number> };

/** Blocks of 256 addresses, each with one network or some single addresses: so networks are disjoint. */
const BLOCKS = 60;
const FIRST = 0x2d000000;
const LENGTHS = [24, 25, 27, 30, 32, 32, 32, 32];

/** The next state: about a fifth of the blocks is made anew. */
export function change(before: Listed, random: () => number): Listed {
  const v4 = new Map(before.v4);
  const pick = (n: number): number => Math.floor(random() * n);
  for (let block = 0; block < BLOCKS; block++) {
    if (before.v4.size > 0 && random() > 0.2) continue;
    const base = FIRST + block * 256;
    for (let i = 0; i < 256; i++) v4.delete(base + i);
    const length = LENGTHS[pick(LENGTHS.length)] ?? 32;
    const size = 2 ** (32 - length);
    if (random() > 0.15) v4.set(base + pick(256 / size) * size, length);
  }
  // Larger than a bouncer without ranges can be told.
  v4.set(0x2e000000, random() > 0.5 ? 16 : 20);
  const v6 = new Set([...before.v6].filter(() => random() > 0.3));
  while (v6.size < 12) v6.add(1 + pick(4000));
  return { v4, v6 };
}

/** As addresses alone: what the kernel's sets must hold. */
export function expanded({ v4, v6 }: Listed): ReadonlySet<string> {
  const all = new Set([...v6].map(ipv6Text));
  for (const [network, length] of v4) {
    if (length < 24) continue;
    for (let i = 0; i < 2 ** (32 - length); i++) all.add(formatIpv4(network + i));
  }
  return all;
}

/** As networks: what a bouncer that takes ranges must have. */
export const whole = ({ v4, v6 }: Listed): ReadonlySet<string> =>
  new Set([
    ...[...v4].map(([at, length]) => formatIpv4(at) + (length === 32 ? "" : `/${length}`)),
    ...[...v6].map(ipv6Text),
  ]);

const ipv6Text = (low: number): string => `2a01:6::${low.toString(16)}`;

/** Puts a generation with these rows in force, as a build does. */
export async function publishListed(
  files: ExportFiles,
  { v4, v6 }: Listed,
  { generation, now }: { readonly generation: number; readonly now: Date },
): Promise<void> {
  const entries = createEntryTable();
  const collector = createRowCollector(entries);
  const entry = entries.add({
    ...{ score: 70, lastSeen: 0, firstSeen: 0, isChallenged: false },
    ...{ families: ["test"], categories: ["attack" as const], sources: ["test"] },
  });
  for (const [at, length] of [...v4].sort(([a], [b]) => a - b)) collector.addIpv4(at, length, entry);
  for (const low of [...v6].sort((a, b) => a - b)) {
    collector.addIpv6((0x2a010006n << 96n) | BigInt(low), 128, entry);
  }
  const facts = factsOf({ generation, entries: v4.size + v6.size, ipv6: v6.size, now });
  const made: Generation = { ...collector.rows(), facts, islands: [] };
  const { facts: inForce } = readState(files);
  if (inForce !== null && differenceOf(readGeneration(files.generation(inForce.generation)), made) === null)
    throw new Error("The generation holds no change: the scenario shows nothing");
  await publish(files, made, { minEntries: 1, now, wanted: [] });
}

const factsOf = (of: { generation: number; entries: number; ipv6: number; now: Date }): ExportFacts => ({
  ...{ name: "edge", kind: "block", target: "ip", generation: of.generation },
  ...{ made_at: of.now.toISOString(), entries: of.entries },
  ...{ ipv4_entries: of.entries - of.ipv6, ipv6_entries: of.ipv6, challenged_entries: 0 },
  ...{ min_score: 50, cut_by_limit: 0 },
  subtracted: { allowlists: 0, shared_infrastructure: 0, overrides: 0 },
  ...{ promoted_addresses: 0, not_exportable: [] },
  sources: [
    {
      ...{ key: "test", name: "Test", data_age_s: 60, refresh_minutes: 60 },
      licence: { spdx: null, redistribution: "unknown" },
    },
  ],
});
