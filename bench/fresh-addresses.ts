import { readFileSync } from "node:fs";
import { formatIpv4 } from "../src/targets/ip.ts";
import { LIST_COUNT, listFile, publicIpv4 } from "./lists.ts";
import { createChance } from "./statistics.ts";

/** More than any memory of the service holds: an address that comes again has been forgotten. */
const POOL_SIZE = 120_000;

/** IPv4 addresses, each once until all were taken. */
export type FreshAddresses = { readonly take: (count: number) => readonly string[] };

/** Every other address is on one of the lists in `folder`. */
export function createFreshAddresses(folder: string): FreshAddresses {
  const chance = createChance(61);
  const pool = new Set<string>();
  const perList = POOL_SIZE / 2 / LIST_COUNT;
  for (let list = 0; list < LIST_COUNT; list++) {
    const lines = readFileSync(listFile(folder, list), "utf8")
      .split("\n")
      .filter((line) => /^[\d.]+$/.test(line));
    for (let i = 0; i < perList; i++) {
      pool.add(lines[Math.floor(chance() * lines.length)] ?? "192.0.2.1");
      pool.add(formatIpv4(publicIpv4(chance)));
    }
  }
  const addresses = [...pool];
  let next = 0;
  return {
    take: (count) => Array.from({ length: count }, () => addresses[next++ % addresses.length] ?? ""),
  };
}
