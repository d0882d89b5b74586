import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { CATEGORIES, CONFIDENCES } from "../src/engines/kind.ts";
import { formatIpv4, formatIpv6, ipv4Of } from "../src/targets/ip.ts";
import { specialPurposeOf } from "../src/targets/special-purpose.ts";
import { createChance } from "./statistics.ts";

export const LIST_COUNT = 60;

/** Every tenth entry is IPv6, as far as the bench goes: more than lists of today have. */
const IPV6_SHARE = 0.1;
/** Share of a list's entries that other lists may hold too, out of one pool of known bad addresses. */
const POOL_SHARE = 0.4;
const POOL_SIZE = 250_000;
const NETWORK_SHARE = 0.08;

/** The lists of an operator who has many, and what may be asked of them. */
export type GeneratedLists = {
  /** Lines of each list. */
  readonly lists: readonly (readonly string[])[];
  /** Addresses to ask about: every other one is on some list. */
  readonly addresses: readonly string[];
};

/**
 * 60 lists with so many entries in all, a few large and many small, that overlap as real ones do: addresses, some
 * networks, IPv6. The same in every run.
 */
export function generateLists(addressCount: number, entryCount: number): GeneratedLists {
  const chance = createChance(60);
  const pool = Array.from({ length: POOL_SIZE }, () => publicIpv4(chance));
  const listed: string[] = [];
  const lists = sizes(entryCount).map((size) => {
    const lines: string[] = [];
    for (let i = 0; i < size; i++) lines.push(entry(chance, pool));
    for (let i = 0; i < addressCount / 2 / LIST_COUNT; i++) {
      listed.push(addressIn(lines[Math.floor(chance() * lines.length)] ?? ""));
    }
    return lines;
  });
  const addresses: string[] = [];
  for (let i = 0; i < addressCount; i++) {
    const one = i % 2 === 0 ? listed[Math.floor(i / 2)] : undefined;
    addresses.push(one ?? formatIpv4(publicIpv4(chance)));
  }
  return { lists, addresses };
}

/** Writes a file for each list into `folder`; the text of the configuration that names them, as YAML. */
export function writeLists(folder: string, lists: GeneratedLists["lists"]): string {
  const feeds = lists.map((lines, list) => {
    const path = listFile(folder, list);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return feedOf(list, path);
  });
  return stringify({ engines: { builtin: false, feeds } });
}

/** Key of a list in the configuration. */
export const listKey = (list: number): string => `bench_list_${String(list).padStart(2, "0")}`;

/** Where `writeLists` writes a list. */
export const listFile = (folder: string, list: number): string => join(folder, `list-${list}.netset`);

/** Sizes that fall off as those of public lists do. */
function sizes(entryCount: number): number[] {
  const weights = Array.from({ length: LIST_COUNT }, (_, list) => 1 / (list + 1.5));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => Math.round((weight / sum) * entryCount));
}

function entry(chance: () => number, pool: readonly number[]): string {
  if (chance() < IPV6_SHARE) return ipv6Entry(chance);
  // Squared: some addresses are on a dozen lists, most on one.
  const value =
    chance() < POOL_SHARE ? (pool[Math.floor(chance() ** 2 * pool.length)] ?? 0) : publicIpv4(chance);
  if (chance() >= NETWORK_SHARE) return formatIpv4(value);
  const prefix = 20 + Math.floor(chance() * 10);
  return `${formatIpv4((value & (-1 << (32 - prefix))) >>> 0)}/${prefix}`;
}

function ipv6Entry(chance: () => number): string {
  const word = () => Math.floor(chance() * 2 ** 32);
  const first = 0x26000000 + Math.floor(chance() * 0x01000000);
  const kind = chance();
  if (kind < 0.6) return `${formatIpv6([first, word(), 0, 0])}/64`;
  if (kind < 0.8) return `${formatIpv6([first, (word() & 0xffff0000) >>> 0, 0, 0])}/48`;
  return formatIpv6([first, word(), word(), word()]);
}

/** An unsigned 32-bit address that is not special-purpose, in the parts of the space that are in use. */
export function publicIpv4(chance: () => number): number {
  for (;;) {
    const value = Math.floor((1 + chance() * 222) * 2 ** 24);
    if (specialPurposeOf(ipv4Of(value)) === null) return value;
  }
}

/** An address that the entry names: of a network its own first. */
const addressIn = (text: string): string => text.split("/", 1)[0] ?? "";

const feedOf = (list: number, path: string) => ({
  key: listKey(list),
  name: `Generated list ${list}`,
  target: "ip",
  url: pathToFileURL(path).href,
  format: "netset",
  category: CATEGORIES[list % CATEGORIES.length],
  confidence: CONFIDENCES[list % CONFIDENCES.length],
  reference: `https://lists.example/${list}?q={value}`,
});
