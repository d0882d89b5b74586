import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Asn } from "../enrichment/ip/asn/asn.ts";
import { ROUTES_SNAPSHOT, routesFingerprint } from "../enrichment/ip/asn/build-routes.ts";
import { joinNetworks } from "../enrichment/ip/asn/networks-in-force.ts";
import { openAsn } from "../enrichment/ip/asn/open-asn.ts";
import { type RouteLookup, routesFrom } from "../enrichment/ip/asn/open-routes.ts";
import { mapContents, type RouteContents } from "../enrichment/ip/asn/route-contents.ts";
import { GEO_SNAPSHOT, geoFingerprint } from "../enrichment/ip/geo/build-geo.ts";
import { geoFrom, type OpenedGeo } from "../enrichment/ip/geo/open-geo.ts";
import type { TableDate } from "../enrichment/table-age.ts";
import { asOfDate, type TableRow, tableRows } from "../enrichment/table-rows.ts";
import { staleAfterS } from "../feeds/list-age.ts";
import type { TableDefinition, TableKind } from "../feeds/table.ts";
import type { Lists } from "./live-index.ts";
import { PARTS, type Part, prepareInChild, snapshotFile } from "./snapshots.ts";
import { openTableSnapshot, type TableSnapshot } from "./table-snapshot.ts";

/** The data that lookups ask, as far as it is there. */
export type Tables = {
  readonly lists: Lists;
  readonly geo: () => OpenedGeo | null;
  readonly asn: () => Asn | null;
  /** Parts still being prepared. */
  readonly missing: Set<Part>;
  /** Makes the snapshots of what was retrieved since. Rejects when that fails. */
  readonly compile: () => Promise<void>;
  /** How the retrieved tables fare. */
  readonly rows: () => readonly TableRow[];
};

export type TablesDeps = {
  readonly dataDir: string;
  readonly lists: Lists;
  readonly tables: readonly TableDefinition[];
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** What is prepared, and how it is made. */
export type Preparation = TablesDeps & {
  /** Whether what cannot be prepared is tried again and again: a full disk may be emptied. */
  readonly isPatient: boolean;
  readonly inForce: Tables;
  readonly geography: TableSnapshot<OpenedGeo>;
  readonly takeAsn: (asn: Asn) => void;
};

const RETRY_PREPARING_MS = 15_000;

/** Opens the snapshots that fit; the others are missing. What is retrieved later replaces them. */
export function openTables(deps: TablesDeps & Pick<Preparation, "isPatient">): Preparation {
  const { dataDir, lists, tables, clock } = deps;
  let shipped = openAsn(snapshotFile(dataDir, "asn"));
  const geography = openGeography(deps);
  const routes = openRouteTables(deps);
  const missing = new Set<Part>();
  const networks = createNetworksInForce(deps, routes.current, () => shipped);
  lists.onChange(() => {
    for (const snapshot of [geography, routes]) if (snapshot.isBehind()) snapshot.request();
  });
  const inForce: Tables = {
    lists,
    geo: geography.current,
    asn: networks,
    missing,
    compile: async () => {
      await Promise.all([geography.make(), routes.make()]);
    },
    rows: () => {
      const network = shipped?.dates.v4.asOf ?? null;
      const dates = { routes_ipv4: network, routes_ipv6: network, as_names: null };
      // Without content of its own the geography in force is the shipped one.
      const city = geography.current()?.publishedAt ?? null;
      return tableRows(tables, lists.stateOf, { ...dates, city }, clock.now().getTime());
    },
  };
  const has: Record<Part, boolean> = {
    lists: !lists.isMissing(),
    asn: shipped !== null,
    geography: isUsable(geography, deps),
  };
  for (const part of PARTS) if (!has[part]) missing.add(part);
  return { ...deps, inForce, geography, takeAsn: (asn) => (shipped = asn) };
}

const keyOf = (tables: readonly TableDefinition[], kind: TableKind): string | null =>
  tables.find(({ table }) => table === kind)?.key ?? null;

const contentOf = ({ lists }: TablesDeps, key: string | null): string | null =>
  key === null ? null : (lists.stateOf(key)?.contentHash ?? null);

function openGeography(deps: TablesDeps): TableSnapshot<OpenedGeo> {
  const { dataDir, tables, signal } = deps;
  const city = keyOf(tables, "city");
  const outFile = snapshotFile(dataDir, "geography");
  const job = { part: "geography", outFile, keptDir: join(dataDir, "feeds"), city } as const;
  return openTableSnapshot({
    ...deps,
    name: "geography",
    path: outFile,
    kind: GEO_SNAPSHOT,
    openFrom: geoFrom,
    wanted: () => geoFingerprint(contentOf(deps, city)),
    compile: ({ isAside }) => prepareInChild(job, { signal, isAside }),
  });
}

/** A geography of other downloads answers until the new one is there, one of another package does not. */
const isUsable = ({ current, isBehind }: TableSnapshot<OpenedGeo>, deps: TablesDeps): boolean =>
  current() !== null && (!isBehind() || contentOf(deps, keyOf(deps.tables, "city")) !== null);

function openRouteTables(deps: TablesDeps): TableSnapshot<RouteLookup> {
  const { dataDir, signal } = deps;
  const keys = routeKeys(deps);
  const outFile = snapshotFile(dataDir, "routes");
  const job = { part: "routes", outFile, keptDir: join(dataDir, "feeds"), keys } as const;
  return openTableSnapshot({
    ...deps,
    name: "routes",
    path: outFile,
    // What is not retrieved any more does not answer.
    kind: Object.values(keys).every((key) => key === null) ? null : ROUTES_SNAPSHOT,
    openFrom: routesFrom,
    wanted: () => routesFingerprint(mapContents(keys, (key) => contentOf(deps, key))),
    compile: ({ isAside }) => prepareInChild(job, { signal, isAside }),
  });
}

const routeKeys = ({ tables }: TablesDeps): RouteContents<string> => ({
  v4: keyOf(tables, "routes_ipv4"),
  v6: keyOf(tables, "routes_ipv6"),
  names: keyOf(tables, "as_names"),
});

/** One table of routes and the shipped origins, made anew when either is another, or is known to be newer. */
function createNetworksInForce(
  deps: TablesDeps,
  routes: () => RouteLookup | null,
  shipped: () => Asn | null,
): () => Asn | null {
  const keys = routeKeys(deps);
  const dateOf = (key: string | null): TableDate => {
    const table = deps.tables.find((each) => each.key === key);
    const state = key === null ? null : deps.lists.stateOf(key);
    return { asOf: state && asOfDate(state), staleAfterS: staleAfterS(table?.refreshMinutes ?? 0) };
  };
  const join = (): Joined => {
    const dates = { v4: dateOf(keys.v4), v6: dateOf(keys.v6) };
    const made = { routes: routes(), shipped: shipped(), version: deps.lists.version(), dates };
    return { ...made, asn: joinNetworks(made.routes && { ...made.routes, dates }, made.shipped) };
  };
  let last = join();
  return () => {
    const isSame = last.routes === routes() && last.shipped === shipped();
    if (isSame && last.version === deps.lists.version()) return last.asn;
    const next = join();
    // Answers are remembered for as long as the table is the same one.
    const isAsOld = last.dates.v4.asOf === next.dates.v4.asOf && last.dates.v6.asOf === next.dates.v6.asOf;
    last = isSame && isAsOld ? { ...last, version: next.version } : next;
    return last.asn;
  };
}

type Joined = {
  readonly routes: RouteLookup | null;
  readonly shipped: Asn | null;
  readonly version: number;
  readonly dates: Asn["dates"];
  readonly asn: Asn | null;
};

/** Prepares what is missing. Two children at most: the geography alone takes as long as lists and AS numbers. */
export async function prepareMissing(preparation: Preparation): Promise<void> {
  const { inForce, lists } = preparation;
  const { missing } = inForce;
  const queues: Part[][] = [["lists", "asn"], ["geography"]];
  const run = async (queue: readonly Part[]) => {
    for (const part of queue) if (missing.has(part)) await preparePart(preparation, part);
  };
  await Promise.all([...queues.map(run), missing.has("lists") ? undefined : lists.prepare()]);
}

/** Prepares one part. */
async function preparePart(preparation: Preparation, part: Part): Promise<void> {
  const { log, clock, signal, isPatient } = preparation;
  for (;;) {
    log.info({ part }, `Preparing ${part}`);
    try {
      await makePart(preparation, part);
      log.info({ part }, `Prepared ${part}`);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPatient) throw error;
      log.error({ err: error, part }, `Cannot prepare ${part}; trying again`);
      await clock.sleep(RETRY_PREPARING_MS, signal);
    }
  }
}

async function makePart(preparation: Preparation, part: Part): Promise<void> {
  const { dataDir, signal, lists, geography, inForce, takeAsn } = preparation;
  if (part === "lists") await lists.prepare();
  else if (part === "geography") await geography.make();
  else {
    const outFile = snapshotFile(dataDir, "asn");
    await prepareInChild({ part: "asn", outFile }, { signal, isAside: false });
    const asn = openAsn(outFile);
    if (asn === null) throw new Error("The snapshot of asn cannot be read right after it was written");
    takeAsn(asn);
  }
  inForce.missing.delete(part);
}
