import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Listing, Listings } from "../../blocklist-index/types.ts";
import { isStale } from "../../feeds/list-age.ts";
import type { Ip } from "../../targets/ip.ts";
import { readPackaged } from "../../yaml/packaged-yaml.ts";
import { type NetworkFlag, type NetworkList, NetworkListSchema } from "../classifying-lists.ts";
import { type ClassifyingList, createListRoles, type ListRole } from "./list-roles.ts";

/** What a list can say of an address beside naming it. */
export type Flag = NetworkFlag | "vendor_drop";

/** A list of the engines' that sets a flag too, e.g. a list of open proxies. */
export type FlagList = {
  readonly key: string;
  readonly flag: Flag;
  /** False: the operator's own, asked of bogons too. */
  readonly builtin: boolean;
  readonly refreshMinutes: number;
  readonly provider: string | null;
};

/** One list that names an address, and what that says. */
export type NetworkHit = {
  readonly key: string;
  readonly flags: readonly Flag[];
  readonly builtin: boolean;
  /** Null for an engine's list. */
  readonly network: NetworkList | null;
  /** Brand of the VPN, relay or proxy whose list it is. */
  readonly provider: string | null;
  /** Length of the most specific prefix; 32 or 128 for the address itself, -1 for its AS. */
  readonly prefix: number;
};

/** What can be said at all at one time of one address family. */
export type Coverage = {
  /** Of which every list answers: an address without a hit has none of them. */
  readonly flags: ReadonlySet<Flag>;
  readonly networks: number;
  /** Keys of network lists that cannot answer: no content, or too old. */
  readonly missing: readonly string[];
  /** Milliseconds since the epoch: how old the oldest network list that answers is; null without any. */
  readonly asOfMs: number | null;
  readonly stale: boolean;
};

export type Networks = {
  /** Hits in the order of the index; those of `asn` behind them. */
  readonly find: (listings: Listings, ip: Ip, asn: number | null, nowMs: number) => readonly NetworkHit[];
  /** What a list of the index says by an entry of this prefix length; null: nothing of networks, or it is too old to. */
  readonly hitOf: (listings: Listings, list: number, prefix: number, nowMs: number) => NetworkHit | null;
  /** The same object as long as the lists' contents and what follows from their ages are the same. */
  readonly coverage: (listings: Listings, version: Ip["version"], nowMs: number) => Coverage;
  /** Flags of which every list answers, whatever the family: an address without a hit has none of them. */
  readonly knownFlags: (listings: Listings, nowMs: number) => ReadonlySet<Flag>;
};

const CATEGORY_FLAGS: Readonly<Record<string, Flag>> = {
  proxy: "is_proxy",
  tor: "is_tor",
  vpn: "is_vpn",
  hijacked: "vendor_drop",
};

/** The flag that an engine's category stands for (design 5.2, 5.4), else null. */
export const flagOfCategory = (category: string): Flag | null =>
  Object.hasOwn(CATEGORY_FLAGS, category) ? (CATEGORY_FLAGS[category] ?? null) : null;

/** The lists of `catalogue/networks.yaml`. Throws when the file does not fit its schema. */
export function loadNetworkLists(): readonly NetworkList[] {
  const path = fileURLToPath(new URL("../catalogue/networks.yaml", import.meta.url));
  return readPackaged(path, z.array(NetworkListSchema));
}

type Source = ClassifyingList<Flag> & Pick<NetworkHit, "network" | "provider">;

/** Lists grow old by the day: to look once a minute is often enough. */
const COVERED_MS = 60_000;

/** Reads hits of the compiled index as what they say of networks. Ages as in design 3.4. */
export function createNetworks(lists: readonly NetworkList[], flagLists: readonly FlagList[]): Networks {
  const roles = createListRoles<Flag, Source>(sourcesOf(lists, flagLists));
  const hitOf = (
    role: ListRole<Source> | null | undefined,
    nowMs: number,
    prefix: number,
  ): NetworkHit | null => {
    if (!roles.answers(role, nowMs)) return null;
    const { key, flags, builtin, network, provider } = role.list;
    return { key, flags, builtin, network, provider, prefix };
  };
  const isNetwork = new Set(lists.map(({ key }) => key));
  let covered: { listings: Listings; fromMs: number; v4: Coverage; v6: Coverage } | null = null;
  return {
    knownFlags: roles.knownFlags,
    find: (listings, ip, asn, nowMs) => {
      const byList = roles.of(listings);
      const found = ip.version === "v4" ? listings.findIpv4(ip.value) : listings.findIpv6(ip.words);
      const hits: NetworkHit[] = [];
      const add = ({ list }: Listing, prefix: number): void => {
        const hit = hitOf(byList[list], nowMs, prefix);
        if (hit !== null) hits.push(hit);
      };
      for (const listing of found) add(listing, prefixOf(listing, ip));
      if (asn !== null) for (const listing of listings.findAsn(asn)) add(listing, -1);
      return hits;
    },
    hitOf: (listings, list, prefix, nowMs) => hitOf(roles.of(listings)[list], nowMs, prefix),
    coverage: (listings, version, nowMs) => {
      const isGood = covered?.listings === listings && Math.abs(nowMs - covered.fromMs) < COVERED_MS;
      if (covered === null || !isGood) {
        const alive = roles.of(listings).filter((role) => roles.answers(role, nowMs));
        const gone = roles.missing(listings, nowMs).filter((key) => isNetwork.has(key));
        const of = (family: "v4" | "v6") => ({
          flags: roles.knownFlags(listings, nowMs, family),
          ...coverageOf(alive, family, gone, nowMs),
        });
        // What is remembered of addresses stays good while only states of lists change, not what can be said.
        const before = covered?.listings.fingerprint === listings.fingerprint ? covered : null;
        covered = {
          listings,
          fromMs: nowMs,
          v4: sameOr(before?.v4, of("v4")),
          v6: sameOr(before?.v6, of("v6")),
        };
      }
      return covered[version];
    },
  };
}

/** The one before where it says the same. */
const sameOr = (before: Coverage | undefined, now: Coverage): Coverage =>
  before !== undefined && isDeepStrictEqual(before, now) ? before : now;

/** Network lists and the engines' lists that set a flag; one key is one list. */
function sourcesOf(lists: readonly NetworkList[], flagLists: readonly FlagList[]): readonly Source[] {
  const byKey = new Map<string, Source>();
  for (const { key, flag, ...rest } of flagLists)
    byKey.set(key, { key, flags: [flag], network: null, ...rest });
  for (const network of lists) {
    const { key, flags, refresh_minutes: refreshMinutes } = network;
    const provider = network.provider ?? null;
    byKey.set(key, {
      key,
      flags,
      builtin: byKey.get(key)?.builtin ?? true,
      refreshMinutes,
      network,
      provider,
    });
  }
  return [...byKey.values()];
}

function coverageOf(
  all: readonly (ListRole<Source> | null)[],
  family: "v4" | "v6",
  missing: readonly string[],
  nowMs: number,
): Omit<Coverage, "flags"> {
  const roles = all.flatMap((role) => (role?.families.includes(family) ? [role] : []));
  const networks = roles.filter((role) => role.list.network !== null);
  return {
    networks: networks.length,
    missing,
    asOfMs: networks.length === 0 ? null : Math.min(...networks.map((role) => role.asOfMs)),
    stale: networks.some((role) => isStale(role, nowMs)),
  };
}

function prefixOf(listing: Listing, ip: Ip): number {
  if (listing.exact) return ip.version === "v4" ? 32 : 128;
  const slash = listing.value.lastIndexOf("/");
  return slash < 0 ? 0 : Number(listing.value.slice(slash + 1));
}
