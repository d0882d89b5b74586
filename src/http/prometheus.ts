import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Consulted, type Metrics, SIGN_IN_OUTCOMES, type SignInMetrics } from "../base/metrics.ts";
import type { EngineRow } from "../engines/rows.ts";
import type { TableRow } from "../enrichment/table-rows.ts";
import type { ExportShelf } from "../exports/shelf.ts";
import type { NamedBudget } from "../net/budget.ts";
import { createLookedAtExports } from "./prometheus-exports.ts";
import { createLookedAtTables } from "./prometheus-tables.ts";

/** What is looked at when the page is made, rather than counted on the way. */
export type MetricsSources = {
  readonly engines: () => readonly Pick<EngineRow, "key" | "entries" | "data_age_s" | "status">[];
  /** The tables of places and networks. */
  readonly tables: () => readonly Pick<TableRow, "key" | "entries" | "dataAgeS" | "status">[];
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** Whether all processes keep the limits together; null where each is meant to keep its own. */
  readonly areLimitsShared: () => boolean | null;
  /** Parts of the data that are still being prepared. */
  readonly missingParts: () => readonly string[];
  /** What lookups share out among accounts. */
  readonly budgets: readonly NamedBudget[];
  readonly exports: Pick<ExportShelf, "names" | "find" | "bouncersOf">;
};

/** Counts for Prometheus, and makes its page. */
export type Prometheus = {
  readonly metrics: Metrics;
  readonly contentType: string;
  readonly page: (sources: MetricsSources) => Promise<string>;
};

const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const ZONE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const COMPILE_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Everything at zero. `version` is the program's. */
export function createPrometheus({ version }: { readonly version: string }): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const info = new Gauge({
    name: "repute_build_info",
    help: "1, labelled with the version of the program",
    labelNames: ["version"],
    registers,
  });
  info.set({ version }, 1);
  const look = createLookedAt(registry);
  return {
    metrics: {
      ...createEngineMetrics(registry),
      ...createListMetrics(registry),
      ...createCacheMetrics(registry),
      ...createCallMetrics(registry),
      ...createSignInMetrics(registry),
    },
    contentType: registry.contentType,
    page: async (sources) => {
      await look(sources);
      return registry.metrics();
    },
  };
}

function createEngineMetrics(registry: Registry): Pick<Metrics, "consulted"> {
  // A call asks some sixty engines: they are counted in plain maps, which the page reads.
  const outcomes = new Map<string, Map<string, number>>();
  const count = (engine: string, outcome: string): void => {
    const counts = outcomes.get(engine) ?? new Map<string, number>();
    if (counts.size === 0) outcomes.set(engine, counts);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
  new Counter({
    name: "repute_engine_answers_total",
    help: "What engines said: detected, clear, or why they gave no answer",
    labelNames: ["engine", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [engine, counts] of outcomes) {
        for (const [outcome, number] of counts) this.inc({ engine, outcome }, number);
      }
    },
  });
  const zoneSeconds = new Histogram({
    name: "repute_zone_answer_seconds",
    help: "Time until a DNS blacklist answered; answers from the cache and missing ones are not in it",
    labelNames: ["engine"],
    buckets: ZONE_SECONDS,
    registers: [registry],
  });
  return {
    consulted: ({ verdicts, absences }: Consulted) => {
      for (const { engine, detected, elapsedMs } of verdicts) {
        count(engine.key, detected ? "detected" : "clear");
        if (engine.kind === "dnsbl" && elapsedMs > 0) {
          zoneSeconds.observe({ engine: engine.key }, elapsedMs / 1000);
        }
      }
      for (const { engine, status } of absences) count(engine.key, status);
    },
  };
}

function createListMetrics(registry: Registry): Pick<Metrics, "tried" | "compiled"> {
  const registers = [registry];
  const tries = new Counter({
    name: "repute_list_tries_total",
    help: "Attempts of this process at retrieving a list: ok, unchanged ones too, or failed",
    labelNames: ["list", "outcome"],
    registers,
  });
  const compilations = new Counter({
    name: "repute_index_builds_total",
    help: "Indexes compiled by this process: ok or failed",
    labelNames: ["outcome"],
    registers,
  });
  // From the start: what is first seen with 1 has not increased.
  for (const outcome of ["ok", "failed"]) compilations.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: "repute_index_build_seconds",
    help: "Time to compile an index of all lists",
    buckets: COMPILE_SECONDS,
    registers,
  });
  return {
    tried: (list, outcome) => tries.inc({ list, outcome }),
    compiled: (elapsedMs, outcome) => {
      compilations.inc({ outcome });
      if (outcome === "ok") seconds.observe(elapsedMs / 1000);
    },
  };
}

function createSignInMetrics(registry: Registry): SignInMetrics {
  const signIns = new Counter({
    name: "repute_sign_ins_total",
    help: "Sign-ins to the dashboard by what was shown: ok, failed, code_missing, locked after too many, off, or error",
    labelNames: ["by", "outcome"],
    registers: [registry],
  });
  // From the start: what is first seen with 1 has not increased.
  for (const by of ["password", "key"]) {
    for (const outcome of SIGN_IN_OUTCOMES) signIns.inc({ by, outcome }, 0);
  }
  return { signedIn: (by, outcome) => signIns.inc({ by, outcome }) };
}

function createCacheMetrics(registry: Registry): Pick<Metrics, "cache"> {
  // Every call looks into several: numbers, which the page reads.
  const looks = new Map<string, { kept: number; asked: number }>();
  new Counter({
    name: "repute_cache_looks_total",
    help: "Looks into caches of what others answered: kept, or asked for anew",
    labelNames: ["cache", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { kept, asked }] of looks) {
        this.inc({ cache, outcome: "kept" }, kept);
        this.inc({ cache, outcome: "asked" }, asked);
      }
    },
  });
  return {
    cache: (name) => {
      const counts = { kept: 0, asked: 0 };
      looks.set(name, counts);
      return (isKept) => {
        if (isKept) counts.kept++;
        else counts.asked++;
      };
    },
  };
}

function createCallMetrics(registry: Registry): Pick<Metrics, "began" | "ended"> {
  const registers = [registry];
  const labelNames = ["endpoint", "status"] as const;
  const calls = new Counter({
    name: "repute_calls_total",
    help: "Requests but those of free tools, by endpoint and status; 499: the caller hung up",
    labelNames,
    registers,
  });
  const free = new Counter({
    name: "repute_free_calls_total",
    help: "Calls of free tools, by path and status",
    labelNames,
    registers,
  });
  const credits = new Counter({
    name: "repute_credits_charged_total",
    help: "Credits taken by answers",
    labelNames: ["endpoint"],
    registers,
  });
  const inFlight = new Gauge({ name: "repute_calls_in_flight", help: "Requests under way", registers });
  const seconds = new Histogram({
    name: "repute_call_seconds",
    help: "Time from a request's header to the last byte of its answer",
    labelNames: ["endpoint"],
    buckets: CALL_SECONDS,
    registers,
  });
  return {
    began: () => inFlight.inc(),
    ended: ({ kind, endpoint, status, elapsedMs, creditsCharged }) => {
      inFlight.dec();
      (kind === "free" ? free : calls).inc({ endpoint, status });
      seconds.observe({ endpoint }, elapsedMs / 1000);
      if (creditsCharged > 0) credits.inc({ endpoint }, creditsCharged);
    },
  };
}

/** What is looked at when the page is made. */
function createLookedAt(registry: Registry): (sources: MetricsSources) => Promise<void> {
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const entries = gauge("repute_engine_entries", "Entries of the engine's list in force", ["engine"]);
  const age = gauge("repute_engine_data_age_seconds", "Age of the engine's data", ["engine"]);
  const status = gauge("repute_engine_status", "1 for the state that the engine is in", ["engine", "status"]);
  const lookAtTables = createLookedAtTables(registry);
  const database = gauge("repute_database_reachable", "1 while the database can be read and written", []);
  const shared = gauge("repute_limits_shared", "0 while each process keeps its own limits, Valkey away", []);
  const ready = gauge("repute_ready", "1 when all data is prepared", []);
  const lookAtBudgets = createLookedAtBudgets(registry);
  const lookAtExports = createLookedAtExports(registry);
  return async ({
    engines,
    tables,
    isDatabaseReachable,
    areLimitsShared,
    missingParts,
    budgets,
    exports,
  }) => {
    lookAtBudgets(budgets);
    lookAtTables(tables());
    lookAtExports(exports);
    for (const one of [entries, age, status]) one.reset();
    for (const row of engines()) {
      const engine = row.key;
      entries.set({ engine }, row.entries);
      if (row.data_age_s !== null) age.set({ engine }, row.data_age_s);
      status.set({ engine, status: row.status }, 1);
    }
    database.set((await isDatabaseReachable()) ? 1 : 0);
    shared.set((areLimitsShared() ?? true) ? 1 : 0);
    ready.set(missingParts().length === 0 ? 1 : 0);
  };
}

/** No account is named: the page tells how much is in use, not by which account. */
function createLookedAtBudgets(registry: Registry): (budgets: readonly NamedBudget[]) => void {
  const labelNames = ["budget"] as const;
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const capacity = gauge("repute_budget_capacity", "What all accounts together may have: sockets or octets");
  const held = gauge("repute_budget_held", "What of it is in use");
  const waiting = gauge("repute_budget_waiting", "Requests that wait for a part of it");
  const refused = new Counter({
    name: "repute_budget_refused_total",
    help: "Requests refused as too many of the same account waited",
    labelNames,
    registers,
  });
  return (budgets) => {
    refused.reset();
    for (const { name, budget } of budgets) {
      const use = budget.use();
      capacity.set({ budget: name }, use.capacity);
      held.set({ budget: name }, use.held);
      waiting.set({ budget: name }, use.waiting);
      refused.inc({ budget: name }, use.refused);
    }
  };
}
