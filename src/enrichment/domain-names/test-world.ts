import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createListingsBuilder } from "../../blocklist-index/compile-index.ts";
import { emptyListings, openListings } from "../../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../../blocklist-index/types.ts";
import { parseIpv4Value } from "../../targets/ip.ts";
import { type NameList, NameListSchema } from "../classifying-lists.ts";
import { loadNetworkLists } from "../ip/networks.ts";
import { loadNameLists } from "./name-lists.ts";

const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  names_tranco: ["wikipedia.org", "paypall.com"],
  names_free_hosting: ["free-host.example"],
  names_dynamic_dns: ["dyn.example"],
  names_url_shorteners: ["short.example"],
  names_parking: ["park.example", "registrar-servers.com", "wordpress.com", "parking.namecheap.com"],
  names_disposable_mail: ["throwaway.example"],
  ranges_sinkholes: ["192.0.2.7"],
  ranges_parking: ["198.51.100.7", "198.51.100.8", "198.51.100.9"],
  ranges_cloudflare: ["198.51.100.8"],
  seized_names: ["taken.example", "host.taken.test"],
};

/** A list of names taken from criminals; the catalogue has none. */
export const SEIZED_NAMES: NameList = NameListSchema.parse({
  key: "seized_names",
  url: "https://lists.example/seized.txt",
  format: "plain",
  flags: ["sinkhole"],
});

/** A real index with a few names and addresses on each kind of classifying list; those of `expired` are too old. */
export async function openNamesWorld(expired: readonly string[] = []): Promise<Listings> {
  const dir = mkdtempSync(join(tmpdir(), "names-"));
  const builder = createListingsBuilder();
  const keys = [...loadNameLists(), SEIZED_NAMES, ...loadNetworkLists()].map(({ key }) => key);
  for (const [list, key] of keys.entries()) {
    for (const entry of ENTRIES[key] ?? []) {
      const value = parseIpv4Value(entry);
      if (value === null) builder.addName(list, entry);
      else builder.addIpv4(list, value, 32);
    }
  }
  const file = join(dir, "index");
  const states = keys.map((key) => stateOf(key, expired.includes(key) ? "2025-01-15" : "2026-08-22"));
  await builder.write(file, states, "names");
  const listings = openListings(file) ?? emptyListings();
  rmSync(dir, { recursive: true });
  return listings;
}

const stateOf = (key: string, published: string): ListState => ({
  key,
  entries: ENTRIES[key]?.length ?? 0,
  dropped: 0,
  seed: true,
  retrievedAt: null,
  publishedAt: `${published}T00:00:00Z`,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: true,
  contentHash: null,
  families: ["v4"],
});
