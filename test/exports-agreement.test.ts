import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { type Lookups, openLookups } from "../src/app/open-lookups.ts";
import { systemClock } from "../src/base/clock.ts";
import { loadConfig } from "../src/config/config.ts";
import { readGeneration } from "../src/exports/generation.ts";
import { eachRow } from "../src/exports/rows.ts";
import { exportFiles, exportsDirOf, readState } from "../src/exports/state.ts";
import { reportIp } from "../src/products/check-ip/report.ts";
import { formatIpv4, formatIpv6, parseIp } from "../src/targets/ip.ts";
import { specialPurposeOf } from "../src/targets/special-purpose.ts";
import { putSnapshots } from "./prepared-snapshots.ts";

/** The same numbers at every run: 32 bits that look like chance. */
const mixed = (i: number, salt: number): number => {
  let x = (Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d) >>> 0;
  return (x ^ (x >>> 15)) >>> 0;
};

const v4 = (i: number, salt: number): string =>
  formatIpv4((0x2e000000 | (mixed(i, salt) & 0x01ffffff)) >>> 0);
const v6 = (i: number, salt: number): string =>
  formatIpv6([0x2a010000 | (mixed(i, salt) & 0xffff), mixed(i, salt + 1), 0, mixed(i, salt + 2) & 0xffff]);
const network = (i: number, salt: number, prefix: number): string => {
  const address = (0x2e000000 | (mixed(i, salt) & 0x01ffffff)) >>> 0;
  return `${formatIpv4((address & (-1 << (32 - prefix))) >>> 0)}/${prefix}`;
};

const times = (count: number, make: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** 300,000 entries, of both families, networks inside each other, and allowed islands. */
const LISTS = {
  attackers: {
    category: "attack",
    lines: [...times(150_000, (i) => v4(i, 1)), ...times(20_000, (i) => v6(i, 1))],
  },
  networks: { category: "abuse", lines: times(3000, (i) => network(i, 5, 20 + (mixed(i, 6) % 9))) },
  scanners: {
    category: "scanner",
    lines: [...times(100_000, (i) => v4(i, 11)), ...times(20_000, (i) => v6(i, 11))],
  },
  reports: {
    category: "spam",
    lines: [...times(20_000, (i) => v4(i, 1)), ...times(20_000, (i) => v4(i, 17))],
  },
  shared: { category: "hijacked", lines: ["104.16.0.0/12", "8.8.8.0/24", "1.1.1.0/24"] },
};
const ALLOWED = times(400, (i) => network(i, 21, 22 + (mixed(i, 22) % 8)));

/** As of a process that was killed: no process has such a number. */
const halfWritten = (): string =>
  join(exportsDirOf(join(folder, "data")), "edge", `held.bin.${2 ** 22 + 1}-1.tmp`);

let folder = "";
let lookups: Lookups;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-agreement-"));
  const url = (name: string, lines: readonly string[]) => {
    mkdirSync(join(folder, "lists"), { recursive: true });
    const path = join(folder, "lists", `${name}.txt`);
    writeFileSync(path, lines.join("\n"));
    return { url: pathToFileURL(path).href, format: "plain", target: "ip" };
  };
  const feeds = Object.entries(LISTS).map(([key, { category, lines }]) => ({
    key,
    category,
    confidence: "high",
    ...url(key, lines),
  }));
  const config = {
    dns: { servers: ["127.0.0.1:9"], timeout_ms: 50 },
    engines: { builtin: false, feeds },
    allowlists: [{ key: "ours", ...url("ours", ALLOWED) }],
    exports: [{ name: "edge" }],
  };
  writeFileSync(join(folder, "repute.yaml"), stringify(config));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  await putSnapshots(dataDir);
  mkdirSync(join(exportsDirOf(dataDir), "edge"), { recursive: true });
  writeFileSync(halfWritten(), "");
  const env = { REPUTE_DATA_DIR: dataDir, REPUTE_CONFIG: join(folder, "repute.yaml") };
  lookups = await openLookups(loadConfig({ env, cwd: folder }), {
    log: pino({ level: "silent" }),
    clock: systemClock,
  });
  await lookups.whenReady();
  await lookups.exports.now();
});
afterAll(async () => {
  await lookups?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Scored = {
  readonly score: number;
  readonly isAllowed: boolean;
  readonly isShared: boolean;
  readonly detections: number;
};

/** What check-ip says with zones off, without waiting for what DNS would add. */
async function ask(address: string): Promise<Scored> {
  const { engines, ipEnrichment, clock } = lookups.deps;
  const ip = parseIp(address);
  const special = specialPurposeOf(ip);
  const context = { signal: AbortSignal.timeout(10_000), deadlineMs: clock.monotonicMs() };
  const target = {
    kind: "ip",
    ip,
    embeddedIpv4: special?.embeddedIpv4 ?? null,
    asn: ipEnrichment.asnOf(ip, special),
    isBogon: special?.isBogon ?? false,
  } as const;
  const [consultation, { facts, vendor }] = await Promise.all([
    engines.consult(target, { ...context, isListsOnly: true }),
    ipEnrichment.enrich(ip, special, context),
  ]);
  const computedAt = clock.now();
  const gathered = {
    target: { ip, special, input: address },
    consultation,
    facts,
    vendor,
    computedAt,
    elapsedMs: 0,
  };
  const report = reportIp(gathered);
  return {
    score: report.risk_score.result,
    isAllowed: consultation.allowlists.length > 0,
    isShared: report.risk_score.adjustments.some(({ key }) => key === "shared_infrastructure"),
    detections: report.blacklists.detections,
  };
}

const exported = (): ReadonlySet<string> => {
  const files = exportFiles(join(exportsDirOf(join(folder, "data")), "edge"));
  const { facts } = readState(files);
  if (facts === null) throw new Error("The export was not built");
  const single = [...eachRow(readGeneration(files.generation(facts.generation)))].filter(
    ({ prefix, version }) => prefix === (version === "v4" ? 32 : 128),
  );
  return new Set(single.map(({ value }) => value));
};

test("300,000 entries: 10,000 exported values are at the least score or above when they are asked, and none is allowed", async () => {
  const values = [...exported()];
  expect(values.length).toBeGreaterThan(100_000);
  const step = Math.floor(values.length / 10_000);
  for (let i = 0; i < 10_000; i++) {
    const value = values[i * step] ?? "";
    const said = await ask(value);
    expect({ value, ...said, isHigh: said.score >= 50 }).toMatchObject({
      isHigh: true,
      isAllowed: false,
      isShared: false,
    });
  }
});

test("10,000 values that lists name and the export has not are below the least score, or allowed", async () => {
  const files = exportFiles(join(exportsDirOf(join(folder, "data")), "edge"));
  const generation = readGeneration(files.generation(readState(files).facts?.generation ?? 0));
  const { words, prefixes } = generation.rows.v4;
  const isIn = (address: number): boolean => {
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((words[middle] ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && address < (words[low - 1] ?? 0) + 2 ** (32 - (prefixes[low - 1] ?? 32));
  };
  let asked = 0;
  const candidates = [
    ...LISTS.scanners.lines.slice(0, 100_000),
    ...ALLOWED.map((net) => net.split("/")[0] ?? ""),
  ];
  for (const value of candidates.toReversed()) {
    const number = value.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
    if (asked === 10_000) break;
    if (isIn(number)) continue;
    asked++;
    const { score, isAllowed } = await ask(value);
    expect({ value, isOut: score < 50 || isAllowed }).toEqual({ value, isOut: true });
  }
  expect(asked).toBe(10_000);
});

test("no address of an allowlist or of shared infrastructure is in it, though lists name their networks whole", async () => {
  const values = exported();
  for (const value of ["8.8.8.8", "1.1.1.1", "104.16.0.1"]) expect(values.has(value)).toBe(false);
  const text = readState(exportFiles(join(exportsDirOf(join(folder, "data")), "edge"))).facts;
  expect(text?.subtracted.shared_infrastructure).toBeGreaterThan(2);
  expect(text?.subtracted.overrides).toBeGreaterThan(100);
});

test("what a killed build left half written is gone after the next one", () => {
  expect(existsSync(halfWritten())).toBe(false);
});
