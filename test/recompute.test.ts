import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Lookups, openLookups } from "../src/app/open-lookups.ts";
import { systemClock } from "../src/base/clock.ts";
import { loadConfig } from "../src/config/config.ts";
import { CATEGORIES, CONFIDENCES, type Verdict } from "../src/engines/kind.ts";
import type { IpFacts } from "../src/enrichment/facts.ts";
import type { VendorEnrichment } from "../src/enrichment/vendor.ts";
import { checkIp } from "../src/products/check-ip/product.ts";
import { reportIp } from "../src/products/check-ip/report.ts";
import { CheckIpReport } from "../src/products/check-ip/shape.ts";
import { compactBy } from "../src/products/compact.ts";
import { type View, viewText } from "../src/products/views.ts";
import { parseIp } from "../src/targets/ip.ts";
import { putSnapshots } from "./prepared-snapshots.ts";
import { fromCompact, type ScoreByHand, scoreByHand } from "./score-by-hand.ts";
import { startDnsServer, type TestDnsServer } from "./servers/dns-server.ts";
import { environmentOf, knowsNobody } from "./service.ts";
import { absent, COMPUTED_AT, consultationOf, daysAgo, engine, hit, miss } from "./verdicts.ts";

const dataDir = mkdtempSync(join(tmpdir(), "repute-recompute-"));
let dns: TestDnsServer;
let lookups: Lookups;
beforeAll(async () => {
  await putSnapshots(dataDir);
  dns = await startDnsServer(knowsNobody);
  const config = loadConfig({ env: environmentOf(dataDir, dns), cwd: dataDir });
  lookups = await openLookups(config, { log: pino({ level: "silent" }), clock: systemClock });
  await lookups.whenReady();
});
afterAll(async () => {
  await lookups.close();
  await dns.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** How many addresses in all: lists of the seed give the half, chance the rest. */
const COUNT = 10_000;
/** Lists that accuse, lists that clear and lists that only classify. */
const SEEDS = [
  "ipsum",
  "maltrail-malware-ips",
  "maltrail-mass-scanner",
  "threatfox-ips",
  "http-threat",
  "phishing-database-ips",
  "proxies-http",
  "proxies-socks5",
  "misp-censys-scanning",
  "misp-smtp-sending-ips",
  "misp-smtp-receiving-ips",
  "misp-akamai",
  "ipranges-googlebot",
  "ipranges-protonvpn",
  "public-dns",
];

/** Addresses of a seed list, or the first ones of its networks, spread over the whole of it. */
function seedAddresses(file: string, count: number): readonly string[] {
  const text = brotliDecompressSync(readFileSync(new URL(`../seed/${file}.br`, import.meta.url))).toString();
  const lines = text.match(/^[\da-f][\da-f.:]*(?=[/:\s,]|$)/gim) ?? [];
  const step = Math.max(1, lines.length / count);
  return Array.from(
    { length: Math.min(count, lines.length) },
    (_, i) => lines[Math.floor(i * step)] ?? "",
  ).filter((line) => z.ipv4().safeParse(line).success || z.ipv6().safeParse(line).success);
}

/** The same in every run: a Weyl sequence over the whole space of IPv4. */
const anyAddress = (i: number): string => {
  const value = Math.imul(i + 1, 0x9e3779b1) >>> 0;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
};

function allAddresses(): readonly string[] {
  const listed = SEEDS.flatMap((file) => seedAddresses(file, 600));
  const others = Array.from({ length: COUNT - listed.length }, (_, i) => anyAddress(i));
  return [...listed, ...others];
}

const scoreSchema = z.object({
  result: z.number(),
  band: z.string(),
  verdict: z.string(),
  coverage: z.number(),
  base: z.number(),
  factors: z.array(
    z.object({
      key: z.string(),
      points: z.number(),
      strength: z.number(),
      engines: z.array(z.string()),
    }),
  ),
  adjustments: z.array(z.object({ key: z.string(), points: z.number() })),
});
const answerSchema = z.looseObject({ risk_score: scoreSchema });

/** The answer as its caller reads it, and the score in it. */
function asReceived(text: string): { readonly answer: object; readonly given: ScoreByHand } {
  const { risk_score: score, ...answer } = answerSchema.parse(JSON.parse(text));
  const factors = score.factors.map(
    ({ key, points, strength, engines }) => [key, points, strength, engines] as const,
  );
  const adjustments = score.adjustments.map(({ key, points }) => [key, points] as const);
  return { answer, given: { ...score, factors, adjustments } };
}

test(`score and coverage of ${COUNT} addresses are what their answers alone come to, standard and compact`, async () => {
  const addresses = allAddresses();
  expect(addresses).toHaveLength(COUNT);
  const { signal } = new AbortController();
  const seen = { results: new Set<number>(), caps: new Set<string>(), factors: new Set<string>() };
  let next = 0;
  const work = async () => {
    for (let ip = addresses[next++]; ip !== undefined; ip = addresses[next++]) {
      const deadlineMs = systemClock.monotonicMs() + checkIp.deadlineMs;
      const { json } = await checkIp.prepare({ ip }).run(lookups.deps, { signal, deadlineMs });
      const { answer, given } = asReceived(json("standard").join(""));
      expect(scoreByHand(answer), ip).toEqual(given);
      const compact = asReceived(json("compact").join(""));
      expect(compact.given, ip).toEqual(given);
      expect(scoreByHand(fromCompact(compact.answer)), ip).toEqual(given);
      seen.results.add(given.result);
      for (const [key] of given.adjustments) seen.caps.add(key);
      for (const [key] of given.factors) seen.factors.add(key);
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  expect(seen.results.size).toBeGreaterThan(20);
  expect([...seen.caps].sort()).toEqual(["allowlisted", "weak_only"]);
  expect([...seen.factors]).toEqual(expect.arrayContaining(["aggregate", "maltrail", "signal_vpn"]));
});

const KEYS = [..."abcdefghijkl"];

/** Engines of every rating and age: what a seed alone cannot show. */
const verdictOf = (
  key: string,
  confidences: readonly Verdict["confidence"][] = CONFIDENCES,
): fc.Arbitrary<Verdict> =>
  fc
    .record({
      family: fc.constantFrom("f1", "f2", "f3", key),
      category: fc.constantFrom(...CATEGORIES),
      confidence: fc.constantFrom(...confidences),
      level: fc.constantFrom("ip", "network", "embedded_ipv4"),
      isAggregate: fc.boolean(),
      seenDays: fc.option(fc.double({ min: -5, max: 60, noNaN: true })),
      dataAgeS: fc.nat({ max: 1e6 }),
      stale: fc.boolean(),
      seed: fc.boolean(),
      detected: fc.boolean(),
    })
    .map(({ family, category, confidence, level, isAggregate, seenDays, detected, ...rest }) => {
      const policyOr = category === "policy" ? "policy" : family;
      const aggregate = isAggregate && category !== "policy";
      const of = engine(key, {
        family: aggregate ? "aggregate" : policyOr,
        aggregate,
        category,
        confidence,
      });
      const lastSeen = seenDays === null ? null : daysAgo(seenDays);
      return detected
        ? hit(of, { ...rest, matched: { value: "20.0.0.7", level }, lastSeen })
        : miss(of, rest);
    });

const consultations = fc.record({
  verdicts: fc
    .uniqueArray(fc.constantFrom(...KEYS), { maxLength: 12 })
    .map((keys) => keys.sort())
    .chain((keys) => fc.tuple(...keys.map((key) => verdictOf(key)))),
  absences: fc.array(
    fc
      .tuple(fc.constantFrom("x", "y"), fc.constantFrom("timeout", "refused", "stale", "error"))
      .map(([key, status]) => absent(engine(key), status)),
    { maxLength: 8 },
  ),
  allowlists: fc.array(
    fc.constant(
      miss(engine("good", { kind: "allow" }), { matched: { value: "20.0.0.0/8", level: "network" } }),
    ),
    { maxLength: 1 },
  ),
});

const weakConsultations = fc.record({
  verdicts: fc.tuple(...KEYS.slice(0, 6).map((key) => verdictOf(key, ["low"]))),
  absences: fc.constant([]),
  allowlists: fc.constant([]),
});

const FLAGS = ["is_tor", "is_proxy", "is_residential_proxy", "is_webproxy", "is_vpn"] as const;

const NO_ANONYMITY: IpFacts["anonymity"] = {
  is_tor: false,
  is_proxy: false,
  is_residential_proxy: false,
  is_webproxy: false,
  is_vpn: false,
  is_hosting: false,
  is_relay: false,
  tor_role: null,
  sources: {},
  provider: null,
};

const anonymities = fc
  .record({
    flags: fc.subarray([...FLAGS]),
    repeated: fc.subarray(KEYS, { maxLength: 4 }),
  })
  .map(({ flags, repeated }): IpFacts["anonymity"] => ({
    ...NO_ANONYMITY,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    sources: Object.fromEntries(flags.map((flag, i) => [flag, repeated.slice(i)])),
  }));

const NO_RECORD: VendorEnrichment = {
  listed: false,
  dataset: null,
  botname: null,
  detection: null,
  heuristic: null,
  rule: null,
  listed_at: null,
  valid_until: null,
  seen_count: null,
  country_code: null,
  asn: null,
};
const vendors = fc.constantFrom(
  null,
  NO_RECORD,
  { ...NO_RECORD, listed: true, dataset: "ASN" },
  { ...NO_RECORD, listed: true, dataset: "XBL" },
);

test("so is the score of fresh, dated, stale and contradicting engines with any facts beside them", () => {
  const any = fc.record({
    ip: fc.constantFrom("20.0.0.7", "104.16.0.1", "8.8.8.8", "66.249.66.1", "10.0.0.1"),
    consultation: consultations,
    anonymity: anonymities,
    vendor: vendors,
    isFakeBot: fc.boolean(),
  });
  // The only kind that the cap of weak lists is for; of any kind, one in five hundred is of this one.
  const weak = fc.record({
    ip: fc.constant("20.0.0.7"),
    consultation: weakConsultations,
    anonymity: fc.constant(NO_ANONYMITY),
    vendor: fc.constant(null),
    isFakeBot: fc.constant(false),
  });
  const given = fc.oneof({ weight: 4, arbitrary: any }, { weight: 1, arbitrary: weak });
  const caps = new Set<string>();
  const compact = compactBy(CheckIpReport);
  fc.assert(
    fc.property(given, ({ ip: text, consultation, anonymity, vendor, isFakeBot }) => {
      const ip = parseIp(text);
      const { information, asn, ages } = lookups.deps.ipEnrichment.describe(ip);
      const report = reportIp({
        target: { ip, special: null, input: text },
        consultation: consultationOf(consultation),
        facts: {
          information: { ...information, is_fake_bot: isFakeBot },
          asn,
          anonymity,
          unknownFields: [],
          ages,
        },
        vendor: vendor && { said: vendor, asOf: COMPUTED_AT, cached: false },
        computedAt: COMPUTED_AT,
        elapsedMs: 1,
      });
      const asNoBogon = { ...report, information: { ...report.information, is_bogon: false } };
      const textOf = (view: View) => viewText(asNoBogon, view, { compact, verdict: (same) => same }).join("");
      const received = asReceived(textOf("standard"));
      expect(scoreByHand(received.answer)).toEqual(received.given);
      const shorter = asReceived(textOf("compact"));
      expect(shorter.given).toEqual(received.given);
      expect(scoreByHand(fromCompact(shorter.answer))).toEqual(received.given);
      for (const [key] of received.given.adjustments) caps.add(key);
    }),
    { numRuns: 1000 },
  );
  expect([...caps].sort()).toEqual(["allowlisted", "shared_infrastructure", "uncorroborated", "weak_only"]);
});
