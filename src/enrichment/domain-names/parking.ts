import type { Listings } from "../../blocklist-index/types.ts";
import type { SilentFamilies } from "../../net/dns/host-addresses.ts";
import type { Ip } from "../../targets/ip.ts";
import type { NameFlag } from "../classifying-lists.ts";
import type { Flag, NetworkHit, Networks } from "../ip/networks.ts";
import type { NameLists } from "./name-lists.ts";

/** What a name is parked by, and whether it is known that it is, or is not. */
export type Parked = { readonly by: string | null; readonly isKnown: boolean };

/** What the networks that hold the addresses of a name say of it. */
export type AddressFlags = {
  readonly flags: ReadonlySet<Flag>;
  /** Whether the name is known not to have a flag that is not in `flags`. */
  readonly isKnown: (flag: Flag) => boolean;
};

/** The flags of the networks that hold the addresses. */
export function addressFlagsOf(
  { networks }: { readonly networks: Networks },
  listings: Listings,
  { addresses, silent = [] }: { readonly addresses: readonly Ip[] | null; readonly silent?: SilentFamilies },
  nowMs: number,
): AddressFlags {
  const flags = (addresses ?? []).flatMap((ip) => flagsOf(networks.find(listings, ip, null, nowMs)));
  const known = networks.knownFlags(listings, nowMs);
  return {
    flags: new Set(flags),
    isKnown: (flag) => silent.length === 0 && canTell(addresses, known, flag),
  };
}

/** Behind the edge of a content delivery network stand the sites of thousands, one of which may be parked. */
function flagsOf(hits: readonly NetworkHit[]): readonly Flag[] {
  const flags = hits.flatMap((hit) => hit.flags);
  return hits.some(({ network }) => network?.edge !== undefined)
    ? flags.filter((flag) => flag !== "parking")
    : flags;
}

/** A name without addresses, or name servers, has none on a list; of others the lists must answer. */
const canTell = <F>(found: readonly unknown[] | null, known: ReadonlySet<F>, flag: F): boolean =>
  found !== null && (found.length === 0 || known.has(flag));

type ParkingSources = {
  readonly addresses: AddressFlags;
  /** Flags of names that are known. */
  readonly names: ReadonlySet<NameFlag>;
  readonly nowMs: number;
};

/** Honest domains have at most thirteen. */
const MAX_NAME_SERVERS = 50;

/** What shows that the name is parked: its name servers, its addresses or its page. */
export function parkedBy(
  { nameLists }: { readonly nameLists: NameLists },
  listings: Listings,
  {
    nameServers,
    isForSale,
  }: { readonly nameServers: readonly string[] | null; readonly isForSale: boolean | null },
  { addresses, names, nowMs }: ParkingSources,
): Parked {
  const servers = nameServers?.slice(0, MAX_NAME_SERVERS) ?? [];
  const areAllAsked = servers.length === (nameServers?.length ?? 0);
  const isKnown = areAllAsked && canTell(nameServers, names, "parking_ns") && addresses.isKnown("parking");
  for (const server of servers) {
    const hit = nameLists.find(listings, server, nowMs).find(({ flag }) => flag === "parking_ns");
    if (hit) return { by: hit.value, isKnown: true };
  }
  if (addresses.flags.has("parking")) return { by: "parking address", isKnown: true };
  return isForSale ? { by: "sale page", isKnown: true } : { by: null, isKnown };
}
