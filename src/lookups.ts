import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, systemRandom } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";
import { createEngines, type Engines, feedsToCompile } from "./engines/consult.ts";
import { defineEngines, type EngineDefinition } from "./engines/definitions.ts";
import { openAsn } from "./enrichment/asn/open-asn.ts";
import { openAsnDatabase } from "./enrichment/asn/operator-asn.ts";
import { createIpEnrichment } from "./enrichment/enrich-ip.ts";
import { openGeo } from "./enrichment/geo/open-geo.ts";
import { openGeoDatabase } from "./enrichment/geo/operator-geo.ts";
import { createNetworks, type FlagList, flagOfCategory, loadNetworkLists } from "./enrichment/networks.ts";
import { feedsFingerprint } from "./feeds/compile.ts";
import { type FeedDefinition, feedOfNetworkList } from "./feeds/feed.ts";
import { createFileWatch, type FileWatch } from "./feeds/file-watch.ts";
import type { Listings } from "./listings/listings.ts";
import { emptyListings, openListings } from "./listings/open.ts";
import type { Log } from "./log.ts";
import { createDns } from "./net/dns.ts";
import { PARTS, type Part, prepareInChild, snapshotFile, sweepSnapshots } from "./snapshots.ts";

/** Everything that a lookup needs, wired to the data folder. */
export type Lookups = {
  readonly deps: Deps;
  readonly engines: Engines;
  /** Parts still being prepared; empty when lookups can be answered. */
  readonly missingParts: () => readonly string[];
  /** Resolves when nothing is missing; rejects when a part cannot be prepared. */
  readonly whenReady: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Tables = {
  listings: Listings;
  geo: ReturnType<typeof openGeo>;
  asn: ReturnType<typeof openAsn>;
  readonly missing: Set<Part>;
  watch: FileWatch;
};

type Setting = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly feeds: readonly FeedDefinition[];
  readonly tables: Tables;
  readonly signal: AbortSignal;
};

const SEED_DIR = fileURLToPath(new URL("../seed", import.meta.url));

/** How often the operator's files are looked at; each list is due by its own `refresh_minutes`. */
const WATCH_EVERY_MS = 5_000;
const RETRY_PREPARING_MS = 15_000;

/** Opens the snapshots that fit and begins to prepare the others; returns at once. */
export async function openLookups(
  config: Config,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<Lookups> {
  await sweepSnapshots(config.dataDir);
  const definitions = defineEngines({ engines: config.file.engines, allowlists: config.file.allowlists });
  const networkLists = loadNetworkLists();
  const feeds = feedsToCompile(definitions, networkLists.map(feedOfNetworkList));
  const stop = new AbortController();
  const tables = openTables(config, feeds, clock);
  const setting: Setting = { config, log, clock, feeds, tables, signal: stop.signal };
  const confirmedAt = (key: string) => tables.watch.confirmedAt(key);
  const networks = createNetworks(networkLists, flagListsOf(definitions), confirmedAt);
  const deps = wireDeps(setting, definitions, networks);
  const ready = prepareMissing(setting);
  ready.catch((error) =>
    stop.signal.aborted ? undefined : log.error({ err: error }, "Cannot prepare the data"),
  );
  const watching = watchFiles(setting);
  return {
    deps,
    engines: deps.engines,
    missingParts: () => [...tables.missing],
    whenReady: () => ready,
    close: async () => {
      stop.abort();
      await Promise.allSettled([ready, watching]);
      deps.dns.close();
    },
  };
}

function openTables(config: Config, feeds: readonly FeedDefinition[], clock: Clock): Tables {
  const listings = openListings(snapshotFile(config.dataDir, "lists"));
  const isCurrent = listings !== null && listings.fingerprint === feedsFingerprint(feeds, SEED_DIR);
  const geo = openGeo(snapshotFile(config.dataDir, "geography"));
  const asn = openAsn(snapshotFile(config.dataDir, "asn"));
  const has: Record<Part, boolean> = { lists: isCurrent, asn: asn !== null, geography: geo !== null };
  return {
    listings: isCurrent ? listings : emptyListings(),
    geo,
    asn,
    missing: new Set(PARTS.filter((part) => !has[part])),
    watch: createFileWatch(feeds, clock),
  };
}

function wireDeps(
  { config, log, clock, tables }: Setting,
  definitions: readonly EngineDefinition[],
  networks: ReturnType<typeof createNetworks>,
): Deps {
  const { dns: dnsOptions, geo, enrichment } = config.file;
  const timeoutMs = dnsOptions.timeout_ms;
  const dns = createDns({ servers: dnsOptions.servers, timeoutMs, clock, random: systemRandom });
  const ipEnrichment = createIpEnrichment({
    geo: () => tables.geo,
    asn: () => tables.asn,
    listings: () => tables.listings,
    operatorGeo: geo.database === null ? null : openGeoDatabase(geo.database),
    operatorAsn: geo.asn_database === null ? null : openAsnDatabase(geo.asn_database),
    networks,
    dns,
    clock,
    options: { dnsTimeoutMs: timeoutMs, asnListingZone: enrichment.asn_listing.zone },
  });
  const engines = createEngines({
    definitions,
    listings: () => tables.listings,
    clock,
    confirmedAt: (key) => tables.watch.confirmedAt(key),
  });
  return { clock, log, dns, engines, ipEnrichment };
}

/** Engines whose category is a flag of an address as well: a list of open proxies sets `is_proxy`. */
const flagListsOf = (definitions: readonly EngineDefinition[]): FlagList[] =>
  definitions.flatMap(({ engine }) => {
    const flag = flagOfCategory(engine.category);
    if (flag === null || engine.kind !== "feed" || engine.target !== "ip" || engine.disabled !== null)
      return [];
    return [{ key: engine.key, flag, builtin: engine.builtin, refreshMinutes: engine.refreshMinutes }];
  });

// Two children at most: one for lists and AS numbers, one for the geography, which alone takes as long as both.
async function prepareMissing(setting: Setting): Promise<void> {
  const { missing } = setting.tables;
  const queues: Part[][] = [["lists", "asn"], ["geography"]];
  const run = async (queue: readonly Part[]) => {
    for (const part of queue) if (missing.has(part)) await preparePart(setting, part);
  };
  await Promise.all(queues.map(run));
}

/** Prepares one part, again and again until it is there: a full disk may be emptied. */
async function preparePart(setting: Setting, part: Part): Promise<void> {
  const { log, clock, signal } = setting;
  for (;;) {
    log.info({ part }, `Preparing ${part}`);
    try {
      await makePart(setting, part);
      log.info({ part }, `Prepared ${part}`);
      return;
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, part }, `Cannot prepare ${part}; trying again`);
      await clock.sleep(RETRY_PREPARING_MS, signal);
    }
  }
}

async function makePart({ config, feeds, tables, clock, signal }: Setting, part: Part): Promise<void> {
  const outFile = snapshotFile(config.dataDir, part);
  if (part === "lists") {
    const keptDir = join(config.dataDir, "feeds");
    const watch = createFileWatch(feeds, clock);
    await prepareInChild({ part, outFile, feeds, seedDir: SEED_DIR, keptDir }, signal);
    tables.listings = present(openListings(outFile), part);
    tables.watch = watch;
  } else {
    await prepareInChild({ part, outFile }, signal);
    if (part === "asn") tables.asn = present(openAsn(outFile), part);
    else tables.geo = present(openGeo(outFile), part);
  }
  tables.missing.delete(part);
}

function present<T>(table: T | null, part: Part): T {
  if (table === null) throw new Error(`The snapshot of ${part} cannot be read right after it was written`);
  return table;
}

/** Compiles the lists anew when a file changed, while the old index goes on answering. */
async function watchFiles(setting: Setting): Promise<void> {
  const { tables, clock, log, signal } = setting;
  while (!signal.aborted) {
    try {
      await clock.sleep(WATCH_EVERY_MS, signal);
      const changed = tables.missing.has("lists") ? [] : tables.watch.look();
      if (changed.length === 0) continue;
      log.info({ lists: changed }, "Lists changed");
      await makePart(setting, "lists");
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "Cannot compile changed lists; the old ones go on");
    }
  }
}
