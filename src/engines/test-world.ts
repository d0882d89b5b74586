import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Clock, systemClock } from "../base/clock.ts";
import { unavailable } from "../base/failure.ts";
import { createListingsBuilder } from "../blocklist-index/compile-index.ts";
import { emptyListings, openListings } from "../blocklist-index/open-index.ts";
import type { Listings, ListState } from "../blocklist-index/types.ts";
import { compileFeeds } from "../feeds/compile.ts";
import { retrieveFiles } from "../feeds/test-updater.ts";
import type { Dns } from "../net/dns/dns-types.ts";
import { readIp } from "../targets/ip.ts";
import { createEngines, type Engines, feedsToCompile } from "./consult.ts";
import { defineEngines } from "./definitions.ts";
import { createZones, zoneEnginesOf } from "./dnsbl/zones.ts";
import type { Consultation } from "./kind.ts";
import { allowlistsOptionsSchema, enginesOptionsSchema } from "./options.ts";
import type { DomainTarget, EngineTarget, IpTarget } from "./target.ts";

/** A folder for lists, and engines over them: what the tests of `consult.ts` stand on. */
const dir = mkdtempSync(join(tmpdir(), "consult-"));

/** For `afterAll`. */
export const removeWorlds = () => rmSync(dir, { recursive: true, force: true });

export const COMPILED = new Date("2026-11-21T09:00:00Z");
const seedDir = join(import.meta.dirname, "../../seed");

export type World = {
  readonly engines: Engines;
  readonly clock: { ms: number };
  readonly listings: Listings;
};

export async function open(options: {
  readonly engines: Record<string, unknown>;
  readonly lists?: Record<string, string>;
  readonly allowlists?: readonly Record<string, unknown>[];
  /** What is known of every list's retrievals beyond the index. */
  readonly retrievals?: () => Partial<ListState>;
  /** Resolver for the zones; without one there is none. */
  readonly dns?: Pick<Dns, "query">;
  /** Whether waits end by themselves; otherwise no time passes but what the test adds. */
  readonly timePasses?: boolean;
}): Promise<World> {
  // Another file of the same worker may have removed it.
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(options.lists ?? {})) writeFileSync(join(dir, name), text);
  const definitions = defineEngines({
    engines: enginesOptionsSchema.parse({ builtin: false, ...options.engines }),
    allowlists: allowlistsOptionsSchema.parse(options.allowlists ?? []),
  });
  const outFile = join(dir, "index.snapshot");
  const keptDir = mkdtempSync(join(dir, "kept-"));
  const feeds = feedsToCompile(definitions, []);
  await retrieveFiles(feeds, keptDir, COMPILED);
  await compileFeeds({ feeds, builder: createListingsBuilder(), seedDir, keptDir, outFile });
  const listings = openListings(outFile) ?? emptyListings();
  const clock = { ms: COMPILED.getTime() };
  const now = () => new Date(clock.ms);
  const openedMs = systemClock.monotonicMs();
  const passedMs = () => (options.timePasses ? systemClock.monotonicMs() - openedMs : 0);
  const worldClock: Clock = { now, monotonicMs: () => clock.ms + passedMs(), sleep: systemClock.sleep };
  const dns = options.dns ?? { query: async () => unavailable("dns", "error", "There is no resolver") };
  const engines = createEngines({
    definitions: () => definitions,
    listings: () => withRetrievals(listings, options.retrievals),
    zones: createZones(zoneEnginesOf(definitions), { dns, clock: worldClock, timeoutMs: 30_000 }),
    clock: worldClock,
  });
  return { engines, clock, listings };
}

const withRetrievals = (listings: Listings, retrievals?: () => Partial<ListState>): Listings =>
  retrievals
    ? { ...listings, lists: listings.lists.map((list) => ({ ...list, ...retrievals() })) }
    : listings;

export const fileUrl = (name: string) => pathToFileURL(join(dir, name)).href;

export const feed = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  target: "ip",
  url: fileUrl(`${key}.txt`),
  format: "netset",
  ...more,
});

export const ipTarget = (text: string, more: Partial<IpTarget> = {}): IpTarget => {
  const ip = readIp(text);
  if (ip === null) throw new Error(`"${text}" is no address`);
  return { kind: "ip", ip, embeddedIpv4: null, asn: null, isBogon: false, ...more };
};

export const domain = (name: string, registeredDomain: string | null = name): DomainTarget => ({
  kind: "domain",
  name,
  registeredDomain,
});

export const ask = async ({ engines, clock }: World, target: EngineTarget): Promise<Consultation> =>
  engines.consult(target, {
    signal: new AbortController().signal,
    deadlineMs: clock.ms + 60_000,
  });

export const matches = ({ verdicts }: Consultation) =>
  Object.fromEntries(verdicts.map(({ engine, matched }) => [engine.key, matched]));
