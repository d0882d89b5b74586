import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { snapshotFile } from "../src/app/snapshots.ts";
import { systemClock } from "../src/base/clock.ts";
import { publicDnsAddresses } from "../src/enrichment/catalogue/public-dns.ts";
import { KNOWN_SYSTEMS } from "../src/enrichment/catalogue/systems.ts";
import { readRoutes } from "../src/enrichment/ip/asn/routes.ts";
import { loadNetworkLists } from "../src/enrichment/ip/networks.ts";
import { type Generation, readGeneration } from "../src/exports/generation.ts";
import { type ExportRow, eachRow } from "../src/exports/rows.ts";
import { exportFiles, exportsDirOf, readState } from "../src/exports/state.ts";
import { isLong } from "./long-form.ts";
import {
  common,
  holds,
  type Nested,
  type Range,
  rangeOf,
  rangeOfNumbers,
  sizeOf,
  union,
  whereFirst,
} from "./ranges.ts";
import { BUILTIN_ZONES, startTestService, type TestAccount, type TestService, until } from "./service.ts";

// The shipped lists, and own ones that name them again, name what is shared, and allow some of it.

const ASKED = isLong ? 10_000 : 2000;
const BATCH = 100;
const POLICY = { block_at: 70, challenge_at: 40, families_min: 2 };

const seed = (name: string): readonly string[] =>
  brotliDecompressSync(readFileSync(new URL(`../seed/${name}.br`, import.meta.url)))
    .toString("utf8")
    .split("\n")
    .map((line) => line.split(/[ #]/, 1)[0] ?? "")
    .filter((line) => line !== "");

const every = (n: number, lines: readonly string[]) => lines.filter((_, i) => i % n === 0);
const around = (lines: readonly string[]) =>
  lines.filter((line) => /^[\d.]+$/.test(line)).map((line) => line.replace(/\d+$/, "0/24"));

const OWN = {
  own_attack: { category: "attack", confidence: "high", lines: every(2, seed("maltrail-malware-ips")) },
  own_networks: { category: "abuse", confidence: "medium", lines: around(every(40, seed("ipsum"))) },
  // Wide enough to hold edges, resolvers, crawlers and senders.
  own_wide: {
    category: "abuse",
    confidence: "high",
    lines: [
      "8.8.0.0/16",
      "66.249.64.0/18",
      "104.16.0.0/12",
      "151.101.0.0/16",
      "2606:4700::/32",
      "2.16.0.0/13",
      "209.85.128.0/17",
      "23.32.0.0/11",
    ],
  },
};
const ALLOWED = [...around(every(97, seed("ipsum"))), "2606:4700:10::/44", "45.0.0.0/8"];

let folder = "";
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "repute-shipped-"));
  const list = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), [...new Set(lines)].join("\n"));
    return { key: name, target: "ip", format: "netset", url: pathToFileURL(join(folder, name)).href };
  };
  const feeds = Object.entries(OWN).map(([key, { lines, ...kind }]) => ({ ...list(key, lines), ...kind }));
  service = await startTestService({
    file: {
      engines: { disable: BUILTIN_ZONES, feeds },
      allowlists: [list("own_allowed", ALLOWED)],
      policies: { edge: POLICY },
      exports: [
        { name: "edge" },
        { name: "blocked", policy: "edge" },
        { name: "whole", min_score: 1, subtract: [] },
      ],
    },
  });
  account = await service.openAccount({ credits: 1_000_000 });
  await until(() => ["edge", "blocked", "whole"].every((name) => factsOf(name) !== null));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const filesOf = (name: string) => exportFiles(join(exportsDirOf(service.dataDir), name));
const factsOf = (name: string) => readState(filesOf(name)).facts;
const generation = (name: string): Generation =>
  readGeneration(filesOf(name).generation(factsOf(name)?.generation ?? 0));

/** So many rows of them, evenly spread. */
const spread = (rows: readonly ExportRow[], count: number): readonly ExportRow[] =>
  Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]).flatMap(
    (row) => row ?? [],
  );

const rowsOf = (name: string): readonly ExportRow[] => [...eachRow(generation(name))];
const addressOf = ({ value }: ExportRow): string => value.split("/", 1)[0] ?? "";

type Said = {
  readonly ip: string;
  readonly score: number;
  readonly action: string;
  /** Whether an allowlist names it, or many share it. */
  readonly isSpared: boolean;
};

const SHARED = ["edge_service", "is_public_dns", "is_major_provider_spf_ip", "is_search_engine_bot"];

/** What check-ip says of the first address of each row. */
async function ask(rows: readonly ExportRow[]): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (let done = 0; done < rows.length; done += BATCH) {
    const ips = rows.slice(done, done + BATCH).map(addressOf);
    const path = "/api/bulk/check-ip?policy=edge";
    const answer = await service.call({ path, key: account.key, body: { ips } });
    for (const [i, one] of Object.entries(Object(answer.of("data", "results")))) {
      const { risk_score, disposition, information, blacklists } = Object(one).result;
      said.push({
        ip: ips[Number(i)] ?? "",
        score: risk_score.result,
        action: disposition.action,
        isSpared:
          SHARED.some((fact) => Boolean(information[fact])) || Object.keys(blacklists.allowlists).length > 0,
      });
    }
  }
  return said;
}

test("exported values are at the least score or above, and none of them is allowed or shared", async () => {
  const said = await ask(spread(rowsOf("edge"), ASKED));
  expect(said).toHaveLength(ASKED);
  expect(said.filter((one) => one.score < 50 || one.isSpared)).toEqual([]);
});

test("what a policy exports is what it blocks when it is asked", async () => {
  const rows = rowsOf("blocked");
  expect(rows.length).toBeGreaterThan(ASKED);
  const said = await ask(spread(rows, ASKED));
  expect(said.filter(({ action }) => action !== "block")).toEqual([]);
});

test("values that lists name and the export has not are below the least score, or allowed", async () => {
  const exported = union(rowsOf("edge").map(({ value }) => rangeOf(value)));
  const left = rowsOf("whole").filter((row) => !holds(exported, rangeOf(row.value).first));
  expect(left.length).toBeGreaterThan(ASKED);
  const said = await ask(spread(left, ASKED));
  expect(said.filter((one) => one.score >= 50 && !one.isSpared)).toEqual([]);
});

const DATES = new Map<string, string>(
  parse(readFileSync(new URL("../seed/manifest.yaml", import.meta.url), "utf8")).map(
    ({ file, date }: { file: string; date: string }) => [file, date],
  ),
);

/** A shipped list of more than 400 days says nothing any more. */
const isExpired = (file: string): boolean =>
  systemClock.now().getTime() - Date.parse(DATES.get(file) ?? "") > 400 * 86_400_000;

/** Edges, resolvers, senders and crawlers, read of the seed by a program of this test's own. */
function sharedRanges(): readonly Range[] {
  const shared: Range[] = publicDnsAddresses().map(rangeOf);
  const networks: Nested<"edge" | "cloud">[] = [];
  for (const { seed: file, flags, edge, cloud } of loadNetworkLists()) {
    if (file === undefined || isExpired(file)) continue;
    const ranges = seed(file).map(rangeOf);
    const kind: "edge" | "cloud" | null = edge ? "edge" : cloud ? "cloud" : null;
    if (flags.includes("mail_sender") || flags.includes("search_engine_bot")) shared.push(...ranges);
    if (kind !== null) networks.push(...ranges.map((range) => ({ ...range, kind })));
  }
  const routes = readRoutes(
    snapshotFile(service.dataDir, "asn"),
    (asn) => KNOWN_SYSTEMS.get(asn)?.edge !== undefined,
  );
  if (routes === null) throw new Error("There is no table of routes");
  return union([
    ...shared,
    ...whereFirst(networks, "edge"),
    ...[...routes.v4, ...routes.v6].map(rangeOfNumbers),
  ]);
}

test("not one address of an allowlist or of shared infrastructure is exported", () => {
  const ranges = (name: string) => union(rowsOf(name).map(({ value }) => rangeOf(value)));
  const [edge, blocked, whole] = [ranges("edge"), ranges("blocked"), ranges("whole")];
  const shared = sharedRanges();
  const allowed = union(ALLOWED.map(rangeOf));
  for (const exported of [edge, blocked]) {
    expect([common(exported, shared), common(exported, allowed)]).toEqual([[], []]);
  }
  // The measure finds what was cut out, of both families.
  expect(sizeOf(common(whole, shared))).toBeGreaterThan(1n << 90n);
  expect(sizeOf(common(whole, union(["104.16.0.0/13", "8.8.8.8"].map(rangeOf))))).toBe((1n << 19n) + 1n);
  expect(sizeOf(common(whole, allowed))).toBeGreaterThan(0n);
});
