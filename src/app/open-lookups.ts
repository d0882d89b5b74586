import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { CacheMetrics, EngineMetrics, ListMetrics } from "../base/metrics.ts";
import type { Config } from "../config/config.ts";
import { type Engines, feedsToCompile } from "../engines/consult.ts";
import { defineEngines, publisherKeysOf, type Switches } from "../engines/definitions.ts";
import { zoneEnginesOf } from "../engines/dnsbl/zones.ts";
import { unknownEngines } from "../engines/unknown-engines.ts";
import { urgencyOf } from "../engines/urgency.ts";
import { feedOfNameList, feedOfNetworkList } from "../enrichment/classifying-lists.ts";
import { loadNameLists } from "../enrichment/domain-names/name-lists.ts";
import { type ClassifyingRow, classifyingRows } from "../enrichment/ip/classifying-rows.ts";
import { loadNetworkLists } from "../enrichment/ip/networks.ts";
import type { TableRow } from "../enrichment/table-rows.ts";
import { defineTables } from "../enrichment/tables.ts";
import { unknownEnginesOfExports } from "../exports/unknown-engines.ts";
import type { FeedDefinition } from "../feeds/feed.ts";
import type { FeedExchange } from "../feeds/sharing/exchange.ts";
import type { Listener } from "../net/own-endpoints.ts";
import type { Deps } from "../products/deps.ts";
import { answeringLists } from "./answering-lists.ts";
import { openTables, type Preparation, prepareMissing } from "./data-parts.ts";
import { readSwitchesCopy, type SwitchSource, type SwitchWatch, watchSwitches } from "./engine-switches.ts";
import { type ExportBuilds, needTexts, openExportBuilds } from "./export-builds.ts";
import { type ListInError, listsInError } from "./lists-in-error.ts";
import type { Lists, ListsDeps } from "./live-index.ts";
import { type Network, openNetwork } from "./network.ts";
import { prepareFirstCalls } from "./prepare-first-calls.ts";
import { sweepSnapshots } from "./snapshots.ts";
import { type FeedHealth, healthOf } from "./source-health.ts";
import { openSwitchedLists, type SwitchedLists } from "./switched-lists.ts";
import { type EngineTrial, type EngineTrialDeps, tryEngine } from "./try-engine.ts";
import { type WiringParts, wireDeps } from "./wire-lookups.ts";

/** Everything that a lookup needs, wired to the data folder. */
export type Lookups = {
  readonly deps: Deps;
  readonly engines: Engines;
  readonly lists: Pick<Lists, "update" | "takeOver" | "keys" | "progress">;
  /** How the lists fare that are no engines. */
  readonly classifying: () => readonly ClassifyingRow[];
  /** How the tables of places and networks fare. */
  readonly tables: () => readonly TableRow[];
  /** Lists that should answer and cannot: the operator's, and those whose content may not answer. */
  readonly listsInError: () => readonly ListInError[];
  /** How every engine fares. */
  readonly feedHealth: () => readonly FeedHealth[];
  /** One download or self-test of an engine; changes nothing. Rejects when there is none of this key. */
  readonly tryEngine: (key: string) => Promise<EngineTrial>;
  /** Puts owners' switches into force as the database has them now. Rejects while that is away. */
  readonly lookAtSwitches: () => Promise<void>;
  /** Parts still being prepared; empty when lookups can be answered. */
  readonly missingParts: () => readonly string[];
  /** Resolves when nothing is missing; rejects when a part cannot be prepared. */
  readonly whenReady: () => Promise<void>;
  readonly exports: ExportBuilds;
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
  /** True: lookups are answered from the lists alone, nothing is sent. Default: false. */
  readonly isOffline?: boolean;
  /** Where owners' switches are; default: no database, only the copy in the data folder. */
  readonly switches?: SwitchSource | null;
  /** Default: no other machine. */
  readonly exchange?: FeedExchange | null;
  /** Default: not counted. */
  readonly metrics?: (EngineMetrics & ListMetrics & CacheMetrics) | null;
};

/** Opens the snapshots that fit and begins to prepare the others; returns at once. */
export async function openLookups(config: Config, options: LookupsOptions): Promise<Lookups> {
  const { log, clock, isUpdating = false, isOffline = false, exchange = null, metrics = null } = options;
  const { dataDir } = config;
  await sweepSnapshots(dataDir);
  const installed = openEngines(config, log);
  const zones = zoneEnginesOf(installed.definitions());
  const network = openNetwork(config, { zones, clock, log, isOffline });
  const stop = new AbortController();
  const { signal } = stop;
  const common = { dataDir, tables: defineTables(config.file.geo.tables), clock, log, signal };
  const listed = { ...common, http: network.outgoing.http, exchange, metrics };
  const { lists, exports } = openData(config, installed, listed, isUpdating);
  const preparation = openTables({ ...common, lists, isPatient: isUpdating });
  const tables = preparation.inForce;
  const deps = wireDeps({ ...{ config, log, clock, tables, network, metrics }, ...installed });
  const ready = beginPreparing(preparation);
  const switches = openSwitches(config, { installed, lists, ready, signal }, options);
  const run = (work: () => Promise<void>) => ready.then(work, () => undefined);
  const works = [() => prepareFirstCalls(deps), lists.run, exports.run];
  const running = () => [...works.map(run), network.outgoing.resolverTrust?.run(signal), switches?.run()];
  const background = isUpdating ? running() : [];
  return {
    deps,
    engines: deps.engines,
    lists: withTables(lists, preparation, exchange !== null),
    tables: tables.rows,
    classifying: () => classifyingRows(installed.classifying, lists.listings(), clock.now().getTime()),
    listsInError: () => listsInError({ ...installed, ...deps.engines }, lists.listings(), clock.now()),
    feedHealth: () => healthOf(installed, deps.engines, { stateOf: lists.stateOf, tables: tables.rows() }),
    tryEngine: createTrials(config, installed, { network, clock, signal }),
    lookAtSwitches: async () => switches?.look(),
    missingParts: () => [...tables.missing],
    whenReady: () => ready,
    exports,
    budgets: network.budgets,
    setSelf: network.outgoing.setSelf,
    close: async () => {
      stop.abort();
      await Promise.allSettled([ready, ...background]);
      await closeAll(deps, network);
    },
  };
}

function beginPreparing(preparation: Preparation): Promise<void> {
  const { log, signal, isPatient } = preparation;
  const ready = prepareMissing(preparation);
  ready.catch((error) => {
    // A command waits for it, and is told otherwise.
    if (isPatient && !signal.aborted) log.error({ err: error }, "Cannot prepare the data");
  });
  return ready;
}

const createTrials =
  (
    { dataDir, file }: Config,
    { definitions }: Installed,
    deps: Pick<EngineTrialDeps, "network" | "clock" | "signal">,
  ): Lookups["tryEngine"] =>
  async (key) => {
    const all = definitions();
    const found = all.find(({ engine }) => engine.key === key);
    if (found === undefined) throw new RangeError(`There is no engine "${key}"`);
    return tryEngine(found, all, { ...deps, dataDir, keys: publisherKeysOf(file.engines) });
  };

/** The engines of this installation as they are now, and the lists that they and the facts beside them are made of. */
type Installed = Pick<WiringParts, "definitions" | "networkLists" | "nameLists"> & {
  /** Lists that only classify. */
  readonly classifying: readonly FeedDefinition[];
  /** Lists that the index is to hold. */
  readonly feeds: () => readonly FeedDefinition[];
  readonly switches: () => Switches;
  readonly setSwitches: (switches: Switches) => void;
};

function openEngines(config: Config, log: Log): Installed {
  const { engines, allowlists, exports } = config.file;
  let switches = readSwitchesCopy(config.dataDir);
  let definitions = defineEngines({ engines, allowlists, switches });
  const slips = [...unknownEngines(engines, definitions), ...unknownEnginesOfExports(exports, definitions)];
  for (const sentence of slips) log.warn(sentence);
  const networkLists = loadNetworkLists();
  const nameLists = loadNameLists();
  const classifying = [...networkLists.map(feedOfNetworkList), ...nameLists.map(feedOfNameList)];
  return {
    definitions: () => definitions,
    networkLists,
    nameLists,
    classifying,
    feeds: () => feedsToCompile(definitions, classifying),
    switches: () => switches,
    setSwitches: (other) => {
      switches = other;
      definitions = defineEngines({ engines, allowlists, switches: other });
    },
  };
}

/** Lists and tables as one: what is retrieved of either is compiled, and answers. */
const withTables = (lists: Lists, { inForce, tables }: Preparation, isShared: boolean): Lookups["lists"] => ({
  keys: lists.keys,
  progress: lists.progress,
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

/** The lists, and the exports that are made of them. */
function openData(
  config: Config,
  installed: Installed,
  deps: Omit<ListsDeps, "feeds" | "keys" | "needsTexts" | "onIndex">,
  isUpdating: boolean,
): { readonly lists: SwitchedLists; readonly exports: ExportBuilds } {
  const onIndex = () => (isUpdating ? exports.request() : undefined);
  const keys = publisherKeysOf(config.file.engines);
  const made = {
    urgencyOf: urgencyOf(installed.definitions()),
    feeds: installed.feeds(),
    keys,
    needsTexts: needTexts(config.file),
    onIndex,
  };
  const lists = openSwitchedLists({ ...deps, ...made });
  const fingerprint = () => lists.listings().fingerprint;
  const { classifying, definitions, switches } = installed;
  const answering = () =>
    answeringLists({ classifying, definitions: definitions() }, lists.listings(), deps.clock.now().getTime());
  const exports = openExportBuilds({ ...deps, config, switches, fingerprint, answering });
  if (isUpdating && config.file.exports.length > 0) lists.onChange(exports.look);
  return { lists, exports };
}

type Switched = {
  readonly installed: Installed;
  readonly lists: SwitchedLists;
  readonly ready: Promise<void>;
  readonly signal: AbortSignal;
};

/** What keeps owners' switches in force; null without a database. */
const openSwitches = (
  { dataDir }: Config,
  { installed, lists, ready, signal }: Switched,
  { switches: source = null, clock, log }: LookupsOptions,
): SwitchWatch | null =>
  source === null
    ? null
    : watchSwitches({
        ...{ source, dataDir, clock, log, signal, known: installed.switches() },
        apply: async (switches) => {
          await ready;
          installed.setSwitches(switches);
          await lists.reopen(installed.feeds());
        },
      });

async function closeAll(deps: Deps, network: Network): Promise<void> {
  await deps.registrations.close();
  await deps.pageAnalysis.close();
  await network.close();
}
