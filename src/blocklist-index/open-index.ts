import { z } from "zod";
import { openAsns } from "./asns.ts";
import { exceptionOf, LISTINGS_SNAPSHOT } from "./compile-index.ts";
import { openDetails } from "./details.ts";
import { openIpv4 } from "./ipv4.ts";
import { openIpv6 } from "./ipv6.ts";
import { openRegions, type Regions } from "./regions.ts";
import { readSnapshot, readSnapshotAside, type Snapshot, u32Section } from "./snapshot.ts";
import { createTextHash } from "./text-hash.ts";
import { openTexts } from "./texts.ts";
import { type Listing, type Listings, listStateSchema } from "./types.ts";

const metaShape = z.object({ lists: z.array(listStateSchema) });

const NONE: readonly Listing[] = Object.freeze([]);
const findNothing = () => NONE;

/**
 * The index that a builder wrote at `path`; null when there is none that can be used (`readSnapshotOrReason`
 * says why). Lookups share scratch space and are synchronous; their results are not to be changed.
 */
export function openListings(path: string): Listings | null {
  const snapshot = readSnapshot(path, LISTINGS_SNAPSHOT);
  return snapshot === null ? null : listingsOf(snapshot);
}

/** As `openListings`, while calls are answered: the file is read piece by piece. */
export async function openListingsAside(path: string): Promise<Listings | null> {
  const snapshot = await readSnapshotAside(path, LISTINGS_SNAPSHOT);
  return snapshot === null ? null : listingsOf(snapshot);
}

/** The index at `path` together with a way to read it from end to end; null when there is none that can be used. */
export function openWholeListings(
  path: string,
): { readonly listings: Listings; readonly regions: Regions } | null {
  const snapshot = readSnapshot(path, LISTINGS_SNAPSHOT);
  const listings = snapshot === null ? null : listingsOf(snapshot);
  return snapshot === null || listings === null
    ? null
    : { listings, regions: openRegions(snapshot.sections) };
}

/** The index of no lists: finds nothing. */
export const emptyListings = (): Listings => ({
  lists: [],
  fingerprint: "",
  findIpv4: findNothing,
  findIpv6: findNothing,
  findAsn: findNothing,
  findName: findNothing,
  findException: findNothing,
  findUrl: findNothing,
  bytes: 0,
});

function listingsOf({ fingerprint, meta, sections, bytes }: Snapshot): Listings | null {
  const known = metaShape.safeParse(meta);
  if (!known.success) return null;
  const { lists } = known.data;
  const details = openDetails(sections);
  const [seed0 = 0, seed1 = 0] = u32Section(sections, "seeds");
  const hash = createTextHash([seed0, seed1]);
  const findName = openTexts(sections, "name", { hash, details });
  return {
    lists,
    fingerprint,
    findIpv4: rememberLatest(openIpv4(sections, details)),
    findIpv6: rememberLatest(openIpv6(sections, details)),
    findAsn: openAsns(sections, details),
    findName,
    findException: (name) => findName(exceptionOf(name)),
    findUrl: openTexts(sections, "url", { hash, details }),
    bytes,
  };
}

/** Engines and networks ask the same address one right after the other. */
function rememberLatest<Asked>(
  find: (asked: Asked) => readonly Listing[],
): (asked: Asked) => readonly Listing[] {
  let latest: Asked | null = null;
  let found = NONE;
  return (asked) => {
    if (latest !== asked) {
      found = find(asked);
      latest = asked;
    }
    return found;
  };
}
