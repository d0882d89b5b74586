import { join } from "node:path";
import { messageOf } from "../base/caught.ts";
import { openWholeListings } from "../blocklist-index/open-index.ts";
import type { EntryMatters } from "../blocklist-index/regions.ts";
import type { Listings } from "../blocklist-index/types.ts";
import { defineEngines, type EngineDefinition } from "../engines/definitions.ts";
import type { AllowlistsOptions, EnginesOptions } from "../engines/options.ts";
import { KNOWN_SYSTEMS } from "../enrichment/catalogue/systems.ts";
import type { NetworkList } from "../enrichment/classifying-lists.ts";
import { createNameLists, loadNameLists } from "../enrichment/domain-names/name-lists.ts";
import { type RouteRanges, readRoutes } from "../enrichment/ip/asn/routes.ts";
import { createNetworks, loadNetworkLists } from "../enrichment/ip/networks.ts";
import { readState as readFeedState } from "../feeds/feed-store.ts";
import { withRetrievals } from "../feeds/retrievals.ts";
import { definePolicies, type PoliciesOptions } from "../risk/policy-options.ts";
import { mayBeStrong } from "../risk/strength.ts";
import { createAssessor } from "./assess.ts";
import { flagListsOf } from "./flag-lists.ts";
import { readGeneration } from "./generation.ts";
import { KNOWN_EDGES } from "./judge.ts";
import { type MakeParts, makeGenerations } from "./make.ts";
import { writeNamedBody } from "./named-bodies.ts";
import type { ExportOptions } from "./options.ts";
import { noteFault, publish } from "./publish.ts";
import { type ExportSpec, type SourceLicence, specOf } from "./spec.ts";
import { exportFiles, readState } from "./state.ts";
import { readTexts } from "./texts.ts";

/** Everything that a build reads and writes; plain data, so that it can be told to another process. */
export type ExportBuild = {
  /** `exports` in the data folder. */
  readonly dir: string;
  readonly listsFile: string;
  /** Where retrieved lists are kept, with what is known of their retrievals. */
  readonly keptDir: string;
  readonly asnFile: string;
  readonly textsFile: string;
  readonly exports: readonly ExportOptions[];
  readonly policies: PoliciesOptions;
  readonly engines: EnginesOptions;
  readonly allowlists: AllowlistsOptions;
  /** Engines that owners switched: true is on. */
  readonly switches: Readonly<Record<string, boolean>>;
  readonly nowMs: number;
  /** Ids of the bodies to write at once, by export. */
  readonly wanted: Readonly<Record<string, readonly string[]>>;
};

const MAX_GENERATION = 0xffff_ffff;

/**
 * Builds every export from the compiled index, for a process of its own. What fails for one export stops none of the
 * others; throws at the end, naming all that failed.
 */
export async function buildExports(build: ExportBuild): Promise<void> {
  const now = new Date(build.nowMs);
  const filesOf = (name: string) => exportFiles(join(build.dir, name));
  const generation = nextGeneration(
    build.exports.map(({ name }) => readState(filesOf(name)).facts?.generation ?? 0),
    now,
  );
  const parts = { ...openSources(build, now), generation };
  const policies = definePolicies(build.policies);
  const specs = build.exports.map((options) => specOf(options, { ...parts, policies }));
  const generations = makeGenerations(specs, parts);
  const faults: string[] = [];
  for (const [i, spec] of specs.entries()) {
    const files = filesOf(spec.name);
    const wanted = build.wanted[spec.name] ?? [];
    const candidate = generations[i];
    if (candidate === undefined) continue;
    try {
      assertCut(spec, parts);
      await publish(files, candidate, { minEntries: spec.minEntries, now, wanted });
    } catch (error) {
      const message = messageOf(error);
      faults.push(`${spec.name}: ${message}`);
      await noteFault(files, message, now).catch(() => undefined); // the disk may be full for this as well
    }
  }
  if (faults.length > 0) throw new Error(faults.join("; "));
}

/**
 * Throws where an allowlist of the operator's own was never read, whose entries are to be cut out of the export: they would be blocked.
 * What is kept of one that cannot be read now goes on to count.
 */
function assertCut({ kind, target, subtract }: ExportSpec, { definitions, listings }: MakeParts): void {
  if (kind === "allow" || !subtract.includes("overrides")) return;
  const loaded = new Set(listings.lists.flatMap(({ key, loaded: isLoaded }) => (isLoaded ? [key] : [])));
  const missing = definitions.find(
    ({ engine }) =>
      engine.kind === "allow" &&
      !engine.builtin &&
      engine.disabled === null &&
      (target !== "ip" || engine.target === "ip") &&
      !loaded.has(engine.key),
  );
  if (missing !== undefined)
    throw new Error(
      `The allowlist ${missing.engine.key} was never read: what it allows would be in the export`,
    );
}

/**
 * Seconds since 1970, or one more than the latest where builds follow faster or the clock was set back: serial numbers of
 * zones are made of it, which must grow also where the data folder is lost.
 */
const nextGeneration = (latest: readonly number[], now: Date): number =>
  Math.min(MAX_GENERATION, Math.max(Math.floor(now.getTime() / 1000), ...latest.map((one) => one + 1)));

/** What generations are made of. Throws where there is no index. */
export function openSources(
  build: Omit<ExportBuild, "wanted" | "nowMs">,
  now: Date,
): Omit<MakeParts, "generation"> {
  const whole = openWholeListings(build.listsFile);
  if (whole === null) throw new Error("There is no index of lists to make exports of");
  const { regions } = whole;
  const listings = withRetrievals(whole.listings, (key) => readFeedState(build.keptDir, key));
  const { engines, allowlists } = build;
  const switches = new Map(Object.entries(build.switches));
  const definitions = defineEngines({ engines, allowlists, switches });
  const networkLists = loadNetworkLists();
  const networks = createNetworks(networkLists, flagListsOf(definitions));
  const nameLists = createNameLists(loadNameLists());
  const needsTexts = build.exports.some(({ target }) => target !== "ip");
  const texts = needsTexts ? readTexts(build.textsFile, listings.fingerprint) : null;
  if (needsTexts && texts === null) throw new Error("The names of the index were not collected yet");
  return {
    listings,
    regions,
    texts,
    routes: routesThatMatter(build.asnFile, listings),
    definitions,
    licenceOf: licenceReader(definitions),
    nameOf: nameReader(definitions, networkLists),
    assessor: createAssessor({ definitions, listings, networks, nameLists, now }),
    mattersOf: mattersReader(listings, definitions, networkLists),
    now,
  };
}

/** Of networks around an address the smallest one speaks; hits of some engines are strong where they are the address itself. */
function mattersReader(
  { lists }: Listings,
  definitions: readonly EngineDefinition[],
  networkLists: readonly NetworkList[],
): (list: number) => EntryMatters {
  const networks = new Set(networkLists.map(({ key }) => key));
  const engines = new Map(definitions.map(({ engine }) => [engine.key, engine]));
  const matters = lists.map(({ key, seed }): EntryMatters => {
    const engine = engines.get(key);
    if (networks.has(key)) return "size";
    return engine !== undefined && mayBeStrong({ ...engine, seed }) ? "exact" : "nothing";
  });
  return (list) => matters[list] ?? "nothing";
}

/** Networks that a list names by AS number, and those whose AS says what they are for. */
const routesThatMatter = (asnFile: string, listings: Listings): RouteRanges | null =>
  readRoutes(asnFile, (asn) => {
    const system = KNOWN_SYSTEMS.get(asn);
    return system?.edge !== undefined || system?.use === "tor" || listings.findAsn(asn).length > 0;
  });

/** As the catalogue states the terms; of the operator's own lists nothing is known. */
function licenceReader(definitions: readonly EngineDefinition[]): (key: string) => SourceLicence {
  const byKey = new Map(definitions.map(({ engine }) => [engine.key, engine.licence]));
  return (key) => {
    const licence = byKey.get(key) ?? null;
    return { spdx: licence?.spdx ?? null, redistribution: licence?.redistribution ?? "unknown" };
  };
}

/** Lists that only classify are named after whose networks they hold. */
function nameReader(
  definitions: readonly EngineDefinition[],
  networkLists: readonly NetworkList[],
): (key: string) => string {
  const names = new Map([
    [KNOWN_EDGES, "Networks of known CDNs"],
    ["ranges_smtp_sending", "Mail senders in MISP"],
  ]);
  for (const { key, service, edge, cloud, provider } of networkLists) {
    const name = service?.name ?? edge?.name ?? cloud?.provider ?? provider;
    if (name !== undefined) names.set(key, name);
  }
  for (const { engine } of definitions) names.set(engine.key, engine.name);
  return (key) => names.get(key) ?? key;
}

/** Writes one body of the generation in force, for a process of its own. Throws where there is none. */
export async function buildBody(dir: string, name: string, id: string): Promise<void> {
  const files = exportFiles(join(dir, name));
  const { facts, differences } = readState(files);
  if (facts !== null) {
    const generation = readGeneration(files.generation(facts.generation));
    if ((await writeNamedBody(files, generation, { id, differences })) !== null) return;
  }
  throw new Error(`There is no ${id} of the export "${name}"`);
}
