import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { type NetworkFlag, type NetworkList, NetworkListSchema } from "../feeds/feed.ts";
import type { Listing, Listings, ListState } from "../listings/listings.ts";
import type { Ip } from "../targets/ip.ts";

/** What a list can say of an address beside naming it. */
export type Flag = NetworkFlag | "vendor_drop";

/** A list of the engines' that sets a flag too, e.g. a list of open proxies. */
export type FlagList = {
  readonly key: string;
  readonly flag: Flag;
  /** False: the operator's own, asked of bogons too. */
  readonly builtin: boolean;
  readonly refreshMinutes: number;
};

/** One list that names an address, and what that says. */
export type NetworkHit = {
  readonly key: string;
  readonly flags: readonly Flag[];
  readonly builtin: boolean;
  /** Null for an engine's list. */
  readonly network: NetworkList | null;
  /** Length of the most specific prefix; 32 or 128 for the address itself, -1 for its AS. */
  readonly prefix: number;
};

/** What can be said at all at one time of one address family. */
export type Coverage = {
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
  readonly coverage: (listings: Listings, version: Ip["version"], nowMs: number) => Coverage;
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
  const path = fileURLToPath(new URL("./catalogue/networks.yaml", import.meta.url));
  return z.array(NetworkListSchema).parse(parse(readFileSync(path, "utf8")));
}

type Role = {
  readonly key: string;
  readonly flags: readonly Flag[];
  readonly builtin: boolean;
  readonly network: NetworkList | null;
  readonly families: ListState["families"];
  readonly asOfMs: number;
  readonly staleAtMs: number;
  readonly endsAtMs: number;
  /** How long after a look at its unchanged file the list may answer; null: looks do not count. */
  readonly lifeMs: number | null;
};

/** ISO 8601: when a look last found a list's file unchanged, which counts as a retrieval (design 15). */
type ConfirmedAt = (key: string) => string | null;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAILY_MINUTES = 1440;

/** Reads hits of the compiled index as what they say of networks. Ages as in design 3.4. */
export function createNetworks(
  lists: readonly NetworkList[],
  flagLists: readonly FlagList[],
  confirmedAt: ConfirmedAt = () => null,
): Networks {
  const rolesOf = rolesByIndex(lists, flagLists);
  const answers = (role: Role | null | undefined, nowMs: number): role is Role =>
    role != null && (nowMs <= role.endsAtMs || isConfirmed(role, confirmedAt, nowMs));
  const push = (hits: NetworkHit[], role: Role | null | undefined, nowMs: number, prefix: number): void => {
    if (!answers(role, nowMs)) return;
    const { key, flags, builtin, network } = role;
    hits.push({ key, flags, builtin, network, prefix });
  };
  const missing = (listings: Listings, nowMs: number): string[] => {
    const alive = new Set(rolesOf(listings).flatMap((role) => (answers(role, nowMs) ? [role.key] : [])));
    return lists.flatMap(({ key }) => (alive.has(key) ? [] : [key]));
  };
  let covered: { listings: Listings; untilMs: number; v4: Coverage; v6: Coverage } | null = null;
  return {
    find: (listings, ip, asn, nowMs) => {
      const roles = rolesOf(listings);
      const found = ip.version === "v4" ? listings.findIpv4(ip.value) : listings.findIpv6(ip.words);
      const hits: NetworkHit[] = [];
      for (const listing of found) push(hits, roles[listing.list], nowMs, prefixOf(listing, ip));
      if (asn === null) return hits;
      for (const listing of listings.findAsn(asn)) push(hits, roles[listing.list], nowMs, -1);
      return hits;
    },
    coverage: (listings, version, nowMs) => {
      // Lists grow old by the day: once a minute is often enough.
      if (covered === null || covered.listings !== listings || nowMs >= covered.untilMs) {
        const roles = rolesOf(listings).filter((role) => answers(role, nowMs));
        const gone = missing(listings, nowMs);
        const of = (family: "v4" | "v6") => coverageOf(roles, family, gone, nowMs);
        covered = { listings, untilMs: nowMs + 60_000, v4: of("v4"), v6: of("v6") };
      }
      return covered[version];
    },
  };
}

function isConfirmed({ key, lifeMs }: Role, confirmedAt: ConfirmedAt, nowMs: number): boolean {
  const confirmed = lifeMs === null ? null : confirmedAt(key);
  return confirmed !== null && lifeMs !== null && nowMs <= Date.parse(confirmed) + lifeMs;
}

/** Roles by the index's list numbers, made anew only when the index is another. */
function rolesByIndex(lists: readonly NetworkList[], flagLists: readonly FlagList[]) {
  const networks = new Map(lists.map((list) => [list.key, list]));
  const flags = new Map(flagLists.map((list) => [list.key, list]));
  let seen: Listings | null = null;
  let roles: readonly (Role | null)[] = [];
  return (listings: Listings): readonly (Role | null)[] => {
    if (listings !== seen) {
      seen = listings;
      roles = listings.lists.map((state) => roleOf(state, networks.get(state.key), flags.get(state.key)));
    }
    return roles;
  };
}

function roleOf(state: ListState, network: NetworkList | undefined, list: FlagList | undefined): Role | null {
  if (!state.loaded || (network === undefined && list === undefined)) return null;
  const dates = [state.retrievedAt, state.publishedAt].flatMap((date) => (date ? [Date.parse(date)] : []));
  if (dates.length === 0) return null;
  const asOfMs = Math.min(...dates);
  const refreshMs = (list?.refreshMinutes ?? DAILY_MINUTES) * 60_000;
  const lifeMs = Math.max(24 * refreshMs, 7 * DAY_MS);
  return {
    key: state.key,
    flags: network?.flags ?? (list ? [list.flag] : []),
    builtin: list?.builtin ?? true,
    network: network ?? null,
    families: state.families,
    asOfMs,
    staleAtMs: asOfMs + Math.max(3 * refreshMs, HOUR_MS),
    endsAtMs: asOfMs + (state.seed ? 400 * DAY_MS : lifeMs),
    // A publisher's own date does not become younger by looking.
    lifeMs: state.seed || state.publishedAt !== null || state.lastError !== null ? null : lifeMs,
  };
}

function coverageOf(
  all: readonly (Role | null)[],
  family: "v4" | "v6",
  missing: readonly string[],
  nowMs: number,
): Coverage {
  const roles = all.flatMap((role) => (role?.families.includes(family) ? [role] : []));
  const networks = roles.filter((role) => role.network !== null);
  return {
    flags: new Set(roles.flatMap((role) => role.flags)),
    networks: networks.length,
    missing,
    asOfMs: networks.length === 0 ? null : Math.min(...networks.map((role) => role.asOfMs)),
    stale: networks.some((role) => nowMs > role.staleAtMs),
  };
}

function prefixOf(listing: Listing, ip: Ip): number {
  if (listing.exact) return ip.version === "v4" ? 32 : 128;
  const slash = listing.value.lastIndexOf("/");
  return slash < 0 ? 0 : Number(listing.value.slice(slash + 1));
}
