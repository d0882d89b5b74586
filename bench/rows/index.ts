import { BlockList } from "node:net";
import { join } from "node:path";
import { Reader } from "mmdb-lib";
import { createListingsBuilder, LISTINGS_SNAPSHOT } from "../../src/blocklist-index/compile-index.ts";
import { openListings } from "../../src/blocklist-index/open-index.ts";
import { readSnapshot } from "../../src/blocklist-index/snapshot.ts";
import type { Listings, ListState } from "../../src/blocklist-index/types.ts";
import { readCidr } from "../../src/targets/cidr.ts";
import { parseIp } from "../../src/targets/ip.ts";
import { generateLists, listKey } from "../lists.ts";
import { mmdbFile } from "../mmdb-file.ts";
import type { Row } from "../row.ts";
import { interleave, median, medianRatio } from "../statistics.ts";
import { createSets } from "./sets.ts";

const ADDRESS_COUNT = 4096;
const MMDB_ENTRIES = 200_000;
/** As many as it can be asked about in the time of a bench: it goes through its rules one by one. */
const BLOCK_LIST_RULES = 20_000;

/** From the text of an address to the keys of the lists that name it, beside what Node and npm have for it. */
export const indexRow: Row = {
  name: "index",
  measure: async ({ dir, quick, entryCount, say }) => {
    say(`Compiling an index of ${entryCount.toLocaleString("en")} entries`);
    const { lists, addresses } = generateLists(ADDRESS_COUNT, entryCount);
    const keys = lists.map((_, list) => listKey(list));
    const path = join(dir, "index.bin");
    const counts = await compile(lists, keys, path);
    const listings = openListings(path);
    if (listings === null) throw new Error("The index cannot be read");
    say("Making Sets, a MaxMind DB and a BlockList of the same entries");
    const subjects = { index: engineFinder(listings), ...rivals(lists, keys, listings) };
    checkAlike(subjects, addresses);
    say("Asking them in turn");
    const ns = await interleave(quick ? 5 : 15, {
      index: () => nsPer(subjects.index, addresses, 40),
      sets: () => nsPer(subjects.sets, addresses, 10),
      mmdb: () => nsPer(subjects.mmdb, addresses, 10),
      blockList: () => nsPer(subjects.blockList, addresses.slice(0, quick ? 30 : 200), 1),
    });
    const { index = [], sets = [], mmdb = [], blockList = [] } = ns;
    return {
      text_to_engines_ns: median(index),
      sets_over_index: medianRatio(sets, index),
      mmdb_over_index: medianRatio(mmdb, index),
      block_list_over_index: medianRatio(blockList, index),
      bytes_per_ipv4: bytesOf(path, "v4.") / counts.v4,
      bytes_per_ipv6: bytesOf(path, "v6.") / counts.v6,
    };
  },
};

type Lists = readonly (readonly string[])[];

/** Writes the snapshot; how many entries of each family it holds. */
async function compile(
  lists: Lists,
  keys: readonly string[],
  path: string,
): Promise<{ v4: number; v6: number }> {
  const builder = createListingsBuilder();
  const counts = { v4: 0, v6: 0 };
  for (const [list, lines] of lists.entries()) {
    for (const line of lines) {
      const cidr = readCidr(line, { hostBits: "drop" });
      if (cidr === null) throw new Error(`Not a network: ${line}`);
      counts[cidr.network.version]++;
      if (cidr.network.version === "v4") builder.addIpv4(list, cidr.network.value, cidr.prefix);
      else builder.addIpv6(list, cidr.network.words, cidr.prefix);
    }
  }
  await builder.write(path, keys.map(stateOf), "bench");
  return counts;
}

const stateOf = (key: string): ListState => ({
  key,
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
  families: ["v4", "v6"],
});

/** Bytes of the snapshot's sections under a prefix: what the index takes in memory. */
function bytesOf(path: string, prefix: string): number {
  const sections = readSnapshot(path, LISTINGS_SNAPSHOT)?.sections ?? {};
  return Object.entries(sections)
    .filter(([name]) => name.startsWith(prefix))
    .reduce((bytes, [, section]) => bytes + section.byteLength, 0);
}

type Finder = (text: string) => readonly string[];

function engineFinder(listings: Listings): Finder {
  return (text) => {
    const ip = parseIp(text);
    const found = ip.version === "v4" ? listings.findIpv4(ip.value) : listings.findIpv6(ip.words);
    return found.map(({ list }) => listings.lists[list]?.key ?? "");
  };
}

function rivals(lists: Lists, keys: readonly string[], listings: Listings) {
  const find = engineFinder(listings);
  const ofIpv4 = lists.flatMap((lines) => lines.filter((line) => !line.includes(":")));
  const step = Math.ceil(ofIpv4.length / MMDB_ENTRIES);
  const entries = ofIpv4
    .filter((_, i) => i % step === 0)
    .map((line) => {
      const [network = "", length = "32"] = line.split("/");
      return { network, prefix: Number(length), lists: find(network) };
    });
  const reader = new Reader<never>(mmdbFile(entries));
  const blocked = new BlockList();
  for (const { network, prefix } of entries.slice(0, BLOCK_LIST_RULES)) blocked.addSubnet(network, prefix);
  return {
    sets: createSets(lists, keys),
    mmdb: (text: string): readonly string[] => (text.includes(":") ? [] : (reader.get(text) ?? [])),
    blockList: (text: string): readonly string[] =>
      blocked.check(text, text.includes(":") ? "ipv6" : "ipv4") ? ["bench"] : [],
  };
}

/** What is faster by giving other answers is no comparison; the two smaller ones know a part of the entries. */
function checkAlike(
  { index, sets, mmdb, blockList }: Readonly<Record<"index" | "sets" | "mmdb" | "blockList", Finder>>,
  addresses: readonly string[],
): void {
  for (const [i, address] of addresses.entries()) {
    const wanted = index(address).join();
    const isWrong =
      (!address.includes(":") && sets(address).join() !== wanted) ||
      (mmdb(address).length > 0 && wanted === "") ||
      (i < 10 && blockList(address).length > 0 && wanted === "");
    if (isWrong) throw new Error(`The answers for ${address} differ`);
  }
}

/** Nanoseconds of processor time for one address: of the clock's the neighbours would have their share. */
function nsPer(find: Finder, addresses: readonly string[], times: number): number {
  let found = 0;
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) for (const address of addresses) found += find(address).length;
  const { user, system } = process.cpuUsage(before);
  if (found === 0) throw new Error("Nothing was found");
  return ((user + system) * 1000) / (times * addresses.length);
}
