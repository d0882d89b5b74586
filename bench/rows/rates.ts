import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { stringify } from "yaml";
import { z } from "zod";
import { openLookups } from "../../src/app/open-lookups.ts";
import { systemClock } from "../../src/base/clock.ts";
import { loadConfig } from "../../src/config/config.ts";
import { readCatalogue } from "../../src/engines/definitions.ts";
import { readZoneCatalogue } from "../../src/engines/dnsbl/builtin-zones.ts";
import { publicDnsAddresses } from "../../src/enrichment/catalogue/public-dns.ts";
import { readAddressEntries } from "../../src/feeds/addresses.ts";
import { checkIp } from "../../src/products/check-ip/product.ts";
import type { Deps } from "../../src/products/deps.ts";
import { domainSignals } from "../../src/products/domain-reputation/signals.ts";
import { scoreTarget } from "../../src/risk/score.ts";
import type { RiskScore } from "../../src/risk/shapes.ts";
import { parseDomain } from "../../src/targets/domain.ts";
import { formatIpv4, formatIpv6, parseIpv4Value } from "../../src/targets/ip.ts";
import type { Laboratory } from "../laboratory.ts";
import { projectFile } from "../processes.ts";
import type { Measurements, Row } from "../row.ts";
import { startNameless } from "../world.ts";

/** Publishers' lists that are too large, or not ours to ship: beside the project where it is developed. */
const DATA = projectFile("../shared/data");

/** What may never be called malicious (issue: CDN edges, Google's services, crawlers, Office 365, mail senders). */
const GUARDED = [
  "akamai",
  "bunny-net",
  "cloudflare",
  "fastly",
  "google-gmail-sending-ips",
  "googlebot",
  "openai-gptbot",
  "microsoft-office365-ip",
  "smtp-sending-ips",
  "public-dns-v6",
];
/** Clouds inside a CDN's whole space: their customers are no CDN's edge (Linode in Akamai's 172.224.0.0/12). */
const CUSTOMERS = ["linode"];
const GUARDED_NAMES = ["bank-website", "cisco_top1000", "google", "link-in-bio", "lots-project", "tranco10k"];

/** File of a publisher and the engine of the catalogue that rates it; null: rated as an operator's list is. */
const SOURCES: Readonly<Record<string, string | null>> = {
  "abuseipdb-s100-120d": "abuseipdb_30d",
  "alienvault-ssh-bruteforce": null,
  "binarydefense.com": "binarydefense_banlist",
  "blocklist.de-all": "blocklist_de_all",
  "cinsscore.com": "cins_army",
  "emergingthreats.net": "et_compromised",
  "greensnow.co": "greensnow",
  "isc.sans.edu": "dshield_top_1000",
  "nxdomain.no": null,
  "projecthoneypot.org": "projecthoneypot_rss",
  sekio: null,
};

/** The least result that says "malicious" (design 4.5). */
const ELEVATED = 50;
/** The least result that says "suspicious". */
const SUSPICIOUS = 20;
const IN_FLIGHT = 32;
/** Of the exceptions so many are named. */
const MAX_NAMED = 40;

/**
 * How often the score is wrong with eleven publishers' lists and IPsum fresh beside the seed: known good stays below 20,
 * what must not be called malicious below 50 though a source lists it, and what five lists name reaches 50.
 */
export const ratesRow: Row = {
  name: "rates",
  measure: async (laboratory) => {
    if (!existsSync(join(DATA, "sources"))) {
      laboratory.say("The rates are left out: the publishers' lists (../shared/data) are not here");
      return {};
    }
    const resolver = await startNameless();
    try {
      return await measureRates(laboratory, resolver.address);
    } finally {
      await resolver.close();
    }
  },
};

async function measureRates({ dir, say }: Laboratory, resolver: string): Promise<Measurements> {
  const dataDir = join(dir, "rates");
  mkdirSync(dataDir);
  const file = join(dir, "rates.yaml");
  const ipsum = join(dir, "ipsum.txt");
  // Without the publisher's date in its head, which would make it as old as it is.
  writeFileSync(
    ipsum,
    lines("ipsum/ipsum.txt")
      .filter((line) => !line.startsWith("#"))
      .join("\n"),
  );
  writeFileSync(file, stringify(configuration(resolver, ipsum)));
  say("Compiling eleven publishers' lists and IPsum beside the seed");
  const config = loadConfig({ env: { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: file }, cwd: dataDir });
  const lookups = await openLookups(config, { log: pino({ level: "error" }), clock: systemClock });
  try {
    await lookups.whenReady();
    const networks = GUARDED.flatMap((name) => warninglist(name).map((value) => ({ name, value })));
    const isCustomer = coverOf(CUSTOMERS.flatMap((name) => lines(`ipranges/${name}.ipv4_merged.txt`)));
    const covers = coverOf([...networks.map(({ value }) => value), ...publicDnsAddresses()]);
    const fromSources = Object.keys(SOURCES).flatMap((name) => lines(`sources/${name}.txt`));
    const named = new Set([...fromSources, ...lines("ipsum/level1.txt")].filter(covers));
    const listed = [...named].filter((ip) => !isCustomer(ip));
    const samples = new Set([
      ...listed,
      ...publicDnsAddresses(),
      ...networks.flatMap(({ value }) => ends(value)),
    ]);
    const fives = lines("ipsum/level5.txt").filter((ip) => !covers(ip));
    console.log(
      `${named.size - listed.length} listed addresses of cloud customers inside those networks are left out`,
    );
    say(`Asking about ${samples.size} addresses and ${fives.length} that five lists name`);
    const names = await nameResults(lookups.deps);
    const guarded = [...(await resultsOf(samples, lookups.deps)), ...names];
    const wrong = guarded.filter(({ result }) => result >= ELEVATED);
    const known = guarded.filter(({ target }) => !named.has(target));
    const suspected = known.filter(({ result }) => result >= SUSPICIOUS);
    const reaching = await resultsOf(fives, lookups.deps);
    const missed = reaching.filter(({ result }) => result < ELEVATED);
    tell(
      `${wrong.length} of ${guarded.length} that must stay below ${ELEVATED} do not (${listed.length} of them are listed)`,
      wrong,
    );
    tell(
      `${suspected.length} of ${known.length} known good that no source lists (${names.length} of them names) are called suspicious`,
      suspected,
    );
    tell(`${missed.length} of ${reaching.length} that five lists name stay below ${ELEVATED}`, missed);
    return {
      known_good_below_20: (100 * (known.length - suspected.length)) / known.length,
      guarded_below_50: (100 * (guarded.length - wrong.length)) / guarded.length,
      ipsum_5_reached_50: (100 * (reaching.length - missed.length)) / reaching.length,
    };
  } finally {
    await lookups.close();
  }
}

const lines = (path: string): readonly string[] =>
  readFileSync(join(DATA, path), "utf8")
    .split("\n")
    .filter((line) => line !== "");

const listSchema = z.object({ list: z.array(z.string()) });
const warninglist = (name: string): readonly string[] =>
  listSchema.parse(JSON.parse(readFileSync(join(DATA, `warninglists/${name}.json`), "utf8"))).list;

/** Each file is an engine as the catalogue rates it; DNS blacklists are off. */
function configuration(resolver: string, ipsumFile: string): object {
  const catalogue = new Map(readCatalogue("ip.yaml").map((entry) => [entry.key, entry]));
  const rated = (key: string) => {
    const entry = catalogue.get(key);
    if (entry === undefined) throw new Error(`The catalogue has no engine "${key}"`);
    const { category, confidence, family, aggregate } = entry;
    return { category, confidence, aggregate, ...(family === undefined ? {} : { family }) };
  };
  const sources = Object.entries(SOURCES).map(([name, engine]) => ({
    key: engine ?? name.replace(/\W/g, "_"),
    target: "ip",
    format: "plain",
    url: pathToFileURL(join(DATA, `sources/${name}.txt`)).href,
    ...(engine === null ? {} : rated(engine)),
  }));
  const ipsum = [
    { key: "ipsum_3", min_count: 3, max_count: 4 },
    { key: "ipsum_5", min_count: 5, max_count: 7 },
    { key: "ipsum_8", min_count: 8 },
  ].map((entry) => ({
    target: "ip",
    format: "ipsum",
    url: pathToFileURL(ipsumFile).href,
    ...rated(entry.key),
    ...entry,
  }));
  const zones = readZoneCatalogue().map(({ key }) => key);
  return { dns: { servers: [resolver] }, engines: { disable: zones, feeds: [...sources, ...ipsum] } };
}

/** First, middle and last address of a network. */
function ends(network: string): readonly string[] {
  const [entry] = readAddressEntries(network);
  if (entry === undefined || entry.family === "asn") return [];
  if (entry.family === "v6") return [formatIpv6(entry.words)];
  const size = 2 ** (32 - entry.prefix);
  return [0, size >>> 1, size - 1].map((offset) => formatIpv4(entry.value + offset));
}

/** Whether an IPv4 address lies in one of the networks. */
function coverOf(networks: Iterable<string>): (ip: string) => boolean {
  const spans = [...networks]
    .flatMap((network) => readAddressEntries(network))
    .flatMap((entry) =>
      entry.family === "v4" ? [{ from: entry.value, to: entry.value + 2 ** (32 - entry.prefix) - 1 }] : [],
    )
    .sort((a, b) => a.from - b.from);
  let reach = -1;
  const reaches = spans.map(({ to }) => (reach = Math.max(reach, to)));
  return (ip) => {
    const value = parseIpv4Value(ip);
    if (value === null) return false;
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((spans[middle]?.from ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return (reaches[low - 1] ?? -1) >= value;
  };
}

type Result = { readonly target: string; readonly result: number; readonly why: string };

const scoreSchema = z.object({
  risk_score: z.object({
    result: z.number(),
    factors: z.array(z.object({ key: z.string(), points: z.number() })),
  }),
});
type Score = z.infer<typeof scoreSchema>["risk_score"];

const resultFrom = (target: string, { result, factors }: Score | RiskScore): Result => ({
  target,
  result,
  why: factors.map(({ key, points }) => `${key} ${points}`).join(", "),
});

async function resultsOf(addresses: Iterable<string>, deps: Deps): Promise<readonly Result[]> {
  const queue = [...addresses];
  const results: Result[] = [];
  const { signal } = new AbortController();
  const work = async () => {
    for (let ip = queue.pop(); ip !== undefined; ip = queue.pop()) {
      const deadlineMs = systemClock.monotonicMs() + checkIp.deadlineMs;
      const { json } = await checkIp.prepare({ ip }).run(deps, { signal, deadlineMs });
      results.push(resultFrom(ip, scoreSchema.parse(JSON.parse(json("standard").join(""))).risk_score));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return results;
}

/** Names by what lists and tables say of them: their DNS, registry and certificate are not here. */
async function nameResults({ engines, domainFacts, clock }: Deps): Promise<readonly Result[]> {
  const { signal } = new AbortController();
  const names = new Set(GUARDED_NAMES.flatMap(warninglist).map((name) => name.replace(/^\./, "")));
  const results: Result[] = [];
  for (const text of names) {
    const domain = parseDomain(text, { singleLabel: true });
    const { name, registeredDomain } = domain;
    const deadlineMs = clock.monotonicMs() + 5000;
    const consultation = await engines.consult(
      { kind: "domain", name, registeredDomain },
      { signal, deadlineMs },
    );
    const evidence = { ageDays: null, addresses: null, nameServers: null, isForSale: null };
    const { facts, sharedInfrastructure } = domainFacts.judge(domain, evidence);
    const signals = domainSignals({ facts, listedAddresses: [], isCertificateInvalid: false });
    const computedAt = clock.now();
    const score = scoreTarget({ consultation, signals, sharedInfrastructure, isBogon: false, computedAt });
    results.push(resultFrom(name, score));
  }
  return results;
}

function tell(sentence: string, exceptions: readonly Result[]): void {
  console.log(sentence);
  const sorted = exceptions.toSorted((a, b) => b.result - a.result);
  for (const { target, result, why } of sorted.slice(0, MAX_NAMED))
    console.log(`  ${target}: ${result} (${why})`);
  if (sorted.length > MAX_NAMED) console.log(`  and ${sorted.length - MAX_NAMED} more`);
}
