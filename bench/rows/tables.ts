import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { prepareInChild } from "../../src/app/snapshots.ts";
import { readSnapshot } from "../../src/blocklist-index/snapshot.ts";
import { ROUTES_SNAPSHOT } from "../../src/enrichment/ip/asn/build-routes.ts";
import { type RouteLookup, routesFrom } from "../../src/enrichment/ip/asn/open-routes.ts";
import { defineTables, PUBLISHED_TABLES } from "../../src/enrichment/tables.ts";
import { writeContent, writeState } from "../../src/feeds/feed-store.ts";
import { NEVER_TRIED, NO_PREVIOUS } from "../../src/feeds/state.ts";
import { type Ip, ipv4Of, ipv6Of } from "../../src/targets/ip.ts";
import { asNames, ipv4Dump, ipv6Dump, numbers } from "../../test/ris.ts";
import type { Row } from "../row.ts";
import { median } from "../statistics.ts";

/** A routing table of today. */
const IPV4_ROUTES = 1_100_000;
const IPV6_ROUTES = 250_000;
const NAMES = 100_000;
const ADDRESSES = 100_000;
const WARMING = 3;

const KEYS = {
  v4: PUBLISHED_TABLES.routes_ipv4.key,
  v6: PUBLISHED_TABLES.routes_ipv6.key,
  names: PUBLISHED_TABLES.as_names.key,
};

/** Announced routes as the service has them: judged and compiled by its child process, opened, asked. */
export const tablesRow: Row = {
  name: "tables",
  measure: async ({ dir, quick, say }) => {
    say("Making up routing tables of today's size");
    const keptDir = join(dir, "tables");
    mkdirSync(keptDir);
    const ipv4 = ipv4Dump(IPV4_ROUTES);
    await keep(keptDir, KEYS.v4, ipv4);
    await keep(keptDir, KEYS.v6, ipv6Dump(IPV6_ROUTES));
    await keep(keptDir, KEYS.names, asNames(NAMES));
    say("Judging and compiling them");
    const judgeS = await judgeIpv4(dir, ipv4);
    const outFile = join(dir, "routes.bin");
    const compileS: number[] = [];
    for (let i = 0; i < (quick ? 1 : 3); i++) {
      const signal = new AbortController().signal;
      const job = { part: "routes", outFile, keptDir, keys: KEYS } as const;
      compileS.push(await seconds(() => prepareInChild(job, { signal, isAside: false })));
    }
    const { routes, megabytes } = open(outFile);
    say("Asking for routes");
    const addresses = makeAddresses();
    // The first rounds are those of code that is not compiled yet.
    const ns = Array.from({ length: WARMING + (quick ? 5 : 9) }, () => nsPer(routes, addresses));
    return {
      routes_compile_s: median(compileS),
      routes_judge_s: judgeS,
      routes_memory_mb: megabytes,
      route_lookup_ns: median(ns.slice(WARMING)),
    };
  },
};

async function keep(keptDir: string, key: string, text: string): Promise<void> {
  const contentHash = await writeContent(keptDir, key, Buffer.from(text));
  await writeState(keptDir, key, { ...NEVER_TRIED, contentHash });
}

/** Seconds for a dump as it came, packed. Throws when it is not accepted. */
async function judgeIpv4(dir: string, text: string): Promise<number> {
  const path = join(dir, "ipv4.gz");
  writeFileSync(path, gzipSync(text));
  const urls = {
    city: null,
    routes_ipv4: PUBLISHED_TABLES.routes_ipv4.url,
    routes_ipv6: null,
    as_names: null,
  };
  const [feed] = defineTables(urls);
  if (feed === undefined) throw new Error("There is no table of IPv4 routes");
  const candidate = { key: feed.key, path, isHtmlType: false, previous: NO_PREVIOUS };
  const job = { part: "downloads", downloads: [{ feed, candidate }], keptDir: join(dir, "tables") } as const;
  const signal = new AbortController().signal;
  return seconds(async () => {
    const [verdict] = await prepareInChild(job, { signal, isAside: false });
    if (verdict?.state !== "accepted") throw new Error(`The dump was not accepted: ${verdict?.reason}`);
  });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

function open(path: string): { routes: RouteLookup; megabytes: number } {
  const snapshot = readSnapshot(path, ROUTES_SNAPSHOT);
  if (snapshot === null) throw new Error("The routes cannot be read");
  // All of the file is one buffer in memory, and nothing is beside it.
  return { routes: routesFrom(snapshot), megabytes: statSync(path).size / 1e6 };
}

/** Nine in ten IPv4, in the parts of the space that are routed. */
function makeAddresses(): readonly Ip[] {
  const next = numbers(20_261_125);
  return Array.from({ length: ADDRESSES }, (_, i) =>
    i % 10 > 0
      ? ipv4Of(0x0100_0000 + (next() % (222 * 2 ** 24)))
      : ipv6Of([0x2400_0000 + (next() % 0x0600_0000), next(), next(), next()]),
  );
}

/** Nanoseconds of processor time for one address: of the clock's the neighbours would have their share. */
function nsPer(routes: RouteLookup, addresses: readonly Ip[]): number {
  let found = 0;
  const before = process.cpuUsage();
  for (const ip of addresses) if (routes.find(ip) !== null) found++;
  const { user, system } = process.cpuUsage(before);
  if (found === 0) throw new Error("No route was found");
  return ((user + system) * 1000) / addresses.length;
}
