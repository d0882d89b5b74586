import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createListingsBuilder } from "../../listings/builder.ts";
import type { Listings, ListState } from "../../listings/listings.ts";
import { emptyListings, openListings } from "../../listings/open.ts";
import { parseIpv4Value } from "../../targets/ip.ts";
import { loadNetworkLists } from "../networks.ts";
import { loadNameLists } from "./name-lists.ts";

const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  names_tranco: ["wikipedia.org", "paypall.com"],
  names_free_hosting: ["free-host.example"],
  names_dynamic_dns: ["dyn.example"],
  names_url_shorteners: ["short.example"],
  names_parking: ["park.example"],
  names_disposable_mail: ["throwaway.example"],
  ranges_sinkholes: ["192.0.2.7"],
  ranges_parking: ["198.51.100.7"],
};

/** A real index with a few names and addresses on each kind of classifying list. */
export async function openNamesWorld(): Promise<Listings> {
  const dir = mkdtempSync(join(tmpdir(), "names-"));
  const builder = createListingsBuilder();
  const keys = [...loadNameLists(), ...loadNetworkLists()].map(({ key }) => key);
  for (const [list, key] of keys.entries()) {
    for (const entry of ENTRIES[key] ?? []) {
      const value = parseIpv4Value(entry);
      if (value === null) builder.addName(list, entry);
      else builder.addIpv4(list, value, 32);
    }
  }
  const file = join(dir, "index");
  await builder.write(file, keys.map(stateOf), "names");
  const listings = openListings(file) ?? emptyListings();
  rmSync(dir, { recursive: true });
  return listings;
}

const stateOf = (key: string): ListState => ({
  key,
  entries: ENTRIES[key]?.length ?? 0,
  dropped: 0,
  droppedSamples: [],
  seed: true,
  retrievedAt: null,
  publishedAt: "2026-08-22T00:00:00Z",
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  loaded: true,
  contentHash: null,
  families: ["v4"],
});
