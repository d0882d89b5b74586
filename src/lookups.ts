import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { openTables, type Preparation, prepareMissing } from "./data-parts.ts";
import type { Deps } from "./deps.ts";
import { type Engines, feedsToCompile } from "./engines/consult.ts";
import { defineEngines, type EngineDefinition, unknownEngines } from "./engines/definitions.ts";
import { zoneEnginesOf } from "./engines/dnsbl/zones.ts";
import { OWN_LIST_FAILED } from "./engines/feed.ts";
import type { EngineRow } from "./engines/rows.ts";
import { type ClassifyingRow, classifyingRows } from "./enrichment/classifying-rows.ts";
import { loadNameLists } from "./enrichment/names/name-lists.ts";
import { loadNetworkLists } from "./enrichment/networks.ts";
import type { TableRow } from "./enrichment/table-rows.ts";
import { defineTables } from "./enrichment/tables.ts";
import type { FeedExchange } from "./feeds/exchange.ts";
import { type FeedDefinition, feedOfNameList, feedOfNetworkList } from "./feeds/feed.ts";
import type { Listings } from "./listings/listings.ts";
import { type Lists, openLists } from "./lists.ts";
import type { Log } from "./log.ts";
import type { CacheMetrics, EngineMetrics, ListMetrics } from "./metrics.ts";
import type { Listener } from "./net/own-endpoints.ts";
import { type Network, openNetwork } from "./network.ts";
import { sweepSnapshots } from "./snapshots.ts";
import { wireDeps } from "./wiring.ts";

/** Everything that a lookup needs, wired to the data folder. */
export type Lookups = {
  readonly deps: Deps;
  readonly engines: Engines;
  readonly lists: Pick<Lists, "update" | "takeOver" | "keys">;
  /** How the lists fare that are no engines. */
  readonly classifying: () => readonly ClassifyingRow[];
  /** How the tables of places and networks fare. */
  readonly tables: () => readonly TableRow[];
  /** Lists that should answer and cannot: the operator's, and those whose content may not answer. */
  readonly listsInError: () => readonly ListInError[];
  /** How every engine fares. */
  readonly feedHealth: () => readonly FeedHealth[];
  /** Parts still being prepared; empty when lookups can be answered. */
  readonly missingParts: () => readonly string[];
  /** Resolves when nothing is missing; rejects when a part cannot be prepared. */
  readonly whenReady: () => Promise<void>;
  /** What lookups share out among accounts. */
  readonly budgets: Network["budgets"];
  /** Where the service listens: no lookup goes there. */
  readonly setSelf: (listeners: readonly Listener[]) => void;
  readonly close: () => Promise<void>;
};

export type LookupsOptions = {
  readonly log: Log;
  readonly clock: Clock;
  /** Whether lists are retrieved and resolvers probed as they become due; the operator's files are read in any case. Default: false. */
  readonly isUpdating?: boolean;
  /** Default: no other machine. */
  readonly exchange?: FeedExchange | null;
  /** Default: nobody counts. */
  readonly metrics?: (EngineMetrics & ListMetrics & CacheMetrics) | null;
};

/** Opens the snapshots that fit and begins to prepare the others; returns at once. */
export async function openLookups(
  config: Config,
  { log, clock, isUpdating = false, exchange = null, metrics = null }: LookupsOptions,
): Promise<Lookups> {
  const { dataDir } = config;
  await sweepSnapshots(dataDir);
  const definitions = defineEngines({ engines: config.file.engines, allowlists: config.file.allowlists });
  for (const sentence of unknownEngines(config.file.engines, definitions)) log.warn(sentence);
  const network = openNetwork(config, { zones: zoneEnginesOf(definitions), clock, log });
  const { outgoing } = network;
  const { networkLists, nameLists, classifying } = loadClassifying();
  const feeds = feedsToCompile(definitions, classifying);
  const stop = new AbortController();
  const { signal } = stop;
  const retrieved = defineTables(config.file.geo.tables);
  const common = { dataDir, tables: retrieved, clock, log, signal };
  const lists = openLists({ ...common, feeds, http: outgoing.http, exchange, metrics });
  const preparation = openTables({ ...common, lists });
  const tables = preparation.inForce;
  const wired = { config, log, clock, tables, network, metrics };
  const deps = wireDeps({ ...wired, definitions, networkLists, nameLists });
  const ready = prepareMissing(preparation);
  ready.catch((error) => (signal.aborted ? undefined : log.error({ err: error }, "Cannot prepare the data")));
  const updating = isUpdating ? ready.then(lists.run, () => undefined) : undefined;
  const probing = isUpdating ? outgoing.resolverTrust?.run(signal) : undefined;
  return {
    deps,
    engines: deps.engines,
    lists: withTables(lists, preparation, exchange !== null),
    tables: tables.rows,
    classifying: () => classifyingRows(classifying, lists.listings(), clock.now().getTime()),
    listsInError: () => listsInError(feeds, lists.listings()),
    feedHealth: () => healthOf(definitions, deps.engines, lists.stateOf),
    missingParts: () => [...tables.missing],
    whenReady: () => ready,
    budgets: network.budgets,
    setSelf: outgoing.setSelf,
    close: async () => {
      stop.abort();
      await Promise.allSettled([ready, updating, probing]);
      await closeAll(deps, network);
    },
  };
}

/** The lists that only classify, and what is retrieved for them. */
function loadClassifying() {
  const networkLists = loadNetworkLists();
  const nameLists = loadNameLists();
  const classifying = [...networkLists.map(feedOfNetworkList), ...nameLists.map(feedOfNameList)];
  return { networkLists, nameLists, classifying };
}

/** Lists and tables as one: what is retrieved of either is compiled, and answers. */
const withTables = (lists: Lists, { inForce, tables }: Preparation, isShared: boolean): Lookups["lists"] => ({
  keys: lists.keys,
  update: async (keys, onDone) => {
    const outcomes = await lists.update(keys, onDone);
    if (tables.some(({ key }) => keys.includes(key))) await inForce.compile();
    return outcomes;
  },
  takeOver: async () => {
    await lists.takeOver();
    if (isShared) await inForce.compile();
  },
});

/** A list that cannot answer, and why. */
export type ListInError = { readonly key: string; readonly detail: string };

/**
 * A built-in list that was never retrieved is no error: many machines have no way to some publishers. Everybody may
 * read this, so that it does not say what is wrong with the operator's own lists.
 */
function listsInError(feeds: readonly FeedDefinition[], { lists }: Listings): readonly ListInError[] {
  const isOwn = new Map(feeds.map(({ key, builtin }) => [key, !builtin]));
  return lists.flatMap(({ key, loaded, lastError, fault }) => {
    const own = isOwn.get(key) === true;
    if (loaded || (fault ?? (own ? lastError : null)) === null) return [];
    return [{ key, detail: own ? OWN_LIST_FAILED : (fault ?? "") }];
  });
}

/** A row of `feeds list --json` with its plan and its try log. */
export type FeedHealth = EngineRow & {
  /** Null for what is asked live. */
  readonly refresh_minutes: number | null;
  /** Newest first. */
  readonly tries: { at: string; outcome: string; detail: string | null; elapsed_ms: number | null }[];
};

function healthOf(
  definitions: readonly EngineDefinition[],
  engines: Engines,
  stateOf: Lists["stateOf"],
): readonly FeedHealth[] {
  const byKey = new Map(definitions.map(({ engine }) => [engine.key, engine]));
  return engines.list().map((row) => ({
    ...row,
    refresh_minutes: row.kind === "dnsbl" ? null : (byKey.get(row.key)?.refreshMinutes ?? null),
    tries: (stateOf(row.key)?.tries ?? [])
      .map(({ at, outcome, detail, elapsedMs }) => ({ at, outcome, detail, elapsed_ms: elapsedMs }))
      .toReversed(),
  }));
}

async function closeAll(deps: Deps, network: Network): Promise<void> {
  await deps.registrations.close();
  await deps.pageAnalysis.close();
  await network.close();
}
