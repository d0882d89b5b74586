import { readFile, rm, writeFile } from "node:fs/promises";
import { type Accounts, createAccounts } from "../accounts/account-store.ts";
import { readEngineSwitches } from "../accounts/engine-switches.ts";
import { createLedger, type LedgerWithUpkeep } from "../accounts/ledger/ledger.ts";
import { createTokenReader, type TokenReader } from "../accounts/token-reader.ts";
import { systemClock, systemRandom } from "../base/clock.ts";
import { makePrivateFolder } from "../base/folders.ts";
import type { Log } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { VERSION } from "../base/version.ts";
import { addressFileOf, type Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { startFaults } from "../config/start-faults.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { createOutageLog, type OutageLog } from "../db/outage-log.ts";
import { isDatabaseUnavailable } from "../db/unavailable.ts";
import { createSourceDays, type SourceDays, type SourceNow } from "../feeds/retrieval/source-days.ts";
import { createDatabaseExchange } from "../feeds/sharing/database-exchange.ts";
import type { HttpParts } from "../http/context.ts";
import type { DashboardParts } from "../http/dashboard/parts.ts";
import { openMonitoring } from "../http/metrics-server.ts";
import type { MetricsSources } from "../http/prometheus.ts";
import { createHttpServer } from "../http/server.ts";
import { type Limits, openLimits } from "../metering/limits/open.ts";
import { definePolicies } from "../risk/policy-options.ts";
import { createNetworkSet } from "../targets/cidr.ts";
import { createFirstAccount, type FirstAccount, firstAccountLines } from "./first-account.ts";
import { type Lookups, openLookups } from "./open-lookups.ts";
import { startUpkeep } from "./upkeep.ts";
import { type DashboardWiring, openDashboard } from "./wire-dashboard.ts";

export type Service = {
  /** Where it listens: `http://HOST:PORT`. */
  readonly address: string;
  /** Refuses what is new, finishes and settles what runs, then lets go of everything. */
  readonly close: () => Promise<void>;
};

/**
 * The running service: database, lookups, HTTP, wired. Listens before the first start's data is prepared. `print`
 * writes the few plain lines that a person looks for. Throws when the configuration, a port, the folder or the schema
 * refuses.
 */
export async function startService(config: Config, tell: Tell): Promise<Service> {
  const [fault] = startFaults(config.file);
  if (fault !== undefined) throw new ConfigError(`Invalid configuration: ${fault.message}`);
  makePrivateFolder(config.dataDir);
  const closers: Closer[] = [];
  const close = () => closeAll(closers);
  try {
    const db = await openDatabase({ url: config.databaseUrl, clock: systemClock });
    closers.push(db.close);
    return { address: await startOver(db, { config, closers, ...tell }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Tell = {
  readonly log: Log;
  readonly print: (line: string) => void;
  /** Tells of the first start's account; `ready`: lookups can be answered. Default: lines that are printed. */
  readonly welcome?: (first: FirstAccount, ready: Promise<void>) => void;
};

type Closer = () => Promise<unknown>;

/** The last opened first; what cannot be closed keeps nothing else open. */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await Promise.allSettled([close()]);
}

type Start = Tell & {
  readonly config: Config;
  /** What is opened is put here, to be closed in the opposite order. */
  readonly closers: Closer[];
};

/** Resolves to the address. */
async function startOver(db: Database, { config, closers, log, print, welcome }: Start): Promise<string> {
  const { clock } = db;
  const accounts = createAccounts({ db, clock, random: systemRandom });
  const ledger = createLedger({ db, clock, log, usage: config.file.usage });
  closers.push(ledger.flush);
  const monitoring = await openMonitoring(config.file.metrics.listen, VERSION);
  const metrics = monitoring?.metrics ?? null;
  const { lookups, limits } = await openOutside(db, { config, closers, log, metrics });
  const at = { address: "" };
  const days = createSourceDays({ db, clock });
  const dashboard = openDashboard({
    ...{ config, db, accounts, ledger, clock, log, metrics, lookups },
    limits: limits.limits,
    feeds: lookups.feedHealth,
    sourceHistory: days.history,
    sources: sourcesOf(lookups),
    address: () => at.address,
  });
  closers.push(dashboard.close);
  const outage = createOutageLog({ clock, log, isReachable: db.isReachable });
  const tokens = createTokenReader({ db, clock, log });
  const wired = { db, accounts, ledger, lookups, limits, metrics, dashboard, days, outage, tokens };
  const page = await monitoring?.serve(monitored(wired));
  if (page !== undefined) {
    closers.push(page.close);
    log.info({ address: page.address }, "The metrics can be read");
  }
  const upkeep = { ...wired, ...dashboard, sources: () => sourcesNow(lookups), config, log };
  closers.push(startUpkeep(upkeep), outage.close);
  const server = createHttpServer(httpParts(config, wired));
  const address = await server.listen(config.host, config.port);
  at.address = address;
  // Bulk runs do not wait for the callers that are still to be answered.
  closers.push(async () => void (await Promise.allSettled([server.close(), dashboard.handOn()])));
  const listeners = [{ host: config.host, address }, ...(page === undefined ? [] : [page])];
  lookups.setSelf(listeners);
  closers.push(await writeAddress(config, address, log));
  print(`Listening on ${listeningOn(config.host, address)}`);
  const first = config.bootstrap ? await createFirstAccount({ db, accounts, config, address }) : null;
  if (first !== null) tellOf(first, { print, welcome }, lookups.whenReady());
  return address;
}

type Outside = Pick<Start, "config" | "closers" | "log"> & { readonly metrics: Metrics | null };

/** What goes by this machine's own clock: lists and their ages, and limits. */
async function openOutside(db: Database, { config, closers, log, metrics }: Outside) {
  const own = { clock: systemClock, log };
  const exchange = createDatabaseExchange(db, systemRandom.uuid());
  const switches = () => readEngineSwitches(db.kysely);
  const lookups = await openLookups(config, { ...own, isUpdating: true, exchange, switches, metrics });
  closers.push(lookups.close);
  const limits = await openLimits({ ...placeOfLimits(config), ...own, random: systemRandom });
  closers.push(limits.limits.close);
  return { lookups, limits };
}

const placeOfLimits = ({ valkeyUrl, file }: Config) => ({ valkeyUrl, caFile: file.fetch.ca_file });

function tellOf(
  first: FirstAccount,
  { print, welcome }: Pick<Tell, "print"> & { readonly welcome: Tell["welcome"] | undefined },
  ready: Promise<void>,
): void {
  if (welcome) welcome(first, ready);
  else for (const line of firstAccountLines(first)) print(line);
}

const sourcesOf = (lookups: Lookups): DashboardWiring["sources"] => ({
  try: async (key) => {
    const { outcome, entries, dropped, samples, detail, elapsedMs, engines } = await lookups.tryEngine(key);
    const { now, then } = engines;
    const trial = { outcome, entries, dropped, samples: [...samples], detail, elapsed_ms: elapsedMs };
    return { ...trial, engines_now: now, engines_then: then };
  },
  update: async (key) => {
    await lookups.lists.update([key]);
  },
  lookAtSwitches: lookups.lookAtSwitches,
});

/** Every source that is asked, with its status; none while the data is being prepared. */
const sourcesNow = ({ engines, tables, missingParts }: Lookups): readonly SourceNow[] =>
  missingParts().length > 0
    ? []
    : [...engines.list().filter(({ status }) => status !== "disabled"), ...tables()];

/** For commands that print a link to the running service. Without it they go by the configuration. */
async function writeAddress(config: Config, address: string, log: Log): Promise<Closer> {
  const path = addressFileOf(config);
  try {
    await writeFile(path, address, { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, "Cannot write down the address of the service");
  }
  return async () => {
    // Of several on one data folder the last one is named.
    if ((await readFile(path, "utf8").catch(() => "")) === address) await rm(path, { force: true });
  };
}

type Wired = {
  readonly db: Database;
  readonly accounts: Accounts;
  readonly ledger: LedgerWithUpkeep;
  readonly lookups: Lookups;
  readonly limits: Limits;
  readonly metrics: Metrics | null;
  readonly dashboard: DashboardParts;
  readonly days: SourceDays;
  readonly outage: OutageLog;
  readonly tokens: TokenReader;
};

const monitored = ({ db, lookups, limits }: Wired): MetricsSources => ({
  engines: lookups.engines.list,
  tables: lookups.tables,
  isDatabaseReachable: db.isReachable,
  missingParts: lookups.missingParts,
  areLimitsShared: limits.areShared,
  budgets: lookups.budgets,
  exports: lookups.exports.shelf,
});

function httpParts(config: Config, wired: Wired): HttpParts {
  const { db, accounts, ledger, lookups, limits, metrics, dashboard, days, outage } = wired;
  const trusted = createNetworkSet(config.file.server.trust_proxy);
  return {
    calls: {
      deps: lookups.deps,
      clock: db.clock,
      ledger,
      missingParts: lookups.missingParts,
      storeTargets: config.file.usage.store_targets === true,
    },
    limits: limits.limits,
    freeLimits: limits.freeLimits,
    tokens: wired.tokens,
    exports: lookups.exports.shelf,
    areLimitsShared: limits.areShared,
    subscriptionOf: accounts.subscriptionOf,
    isDatabaseReachable: db.isReachable,
    tables: lookups.tables,
    sourceHistory: days.history,
    listProgress: lookups.lists.progress,
    listsInError: lookups.listsInError,
    policies: definePolicies(config.file.policies),
    gatePerSecond: config.file.gate.per_second,
    isTrustedProxy: (ip) => trusted.has(ip),
    isDatabaseUnavailable,
    explainFault: db.explain,
    noteOutage: outage.refused,
    metrics,
    randomUuid: systemRandom.uuid,
    version: VERSION,
    publicUrl: config.file.server.public_url ?? null,
    site: config.file.site,
    areAnswersCompressed: config.file.server.compress_answers === "on",
    dashboard,
  };
}

/** As it was told to; an address beneath a name or all of them is the one to call from here. */
function listeningOn(host: string, address: string): string {
  const { port } = new URL(address);
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
