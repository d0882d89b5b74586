import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestAccount, type TestAnswer, type TestService, until } from "./service.ts";

/** On no list of the seed, and public: only the operator's list names them. */
const FRESH = ["193.0.6.139", "192.0.47.59", "198.41.0.4"];
const ABSENT = "199.7.83.42";

const folder = mkdtempSync(join(tmpdir(), "repute-lists-"));
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  const listFile = join(folder, "ipsum.txt");
  const rows = FRESH.map((ip, i) => `${ip}\t${i + 5}`);
  writeFileSync(listFile, ["# IPsum Threat Intelligence Feed", ...rows, ""].join("\n"));
  const feed = { target: "ip", url: pathToFileURL(listFile).href, format: "ipsum", confidence: "high" };
  service = await startTestService({
    file: { engines: { feeds: [{ key: "fresh_ipsum", name: "Fresh IPsum", ...feed }] } },
  });
  account = await service.openAccount();
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = async (ip: string): Promise<TestAnswer> => {
  const answer = await service.call({ path: "/api/check-ip", key: account.key, body: { ip } });
  expect(answer.status).toBe(200);
  return answer;
};

type Factor = { key: string; points: number; strength: number; reason: string; engines: string[] };
type Adjustment = { key: string; points: number; reason: string };
type Score = { result: number; base: number; factors: Factor[]; adjustments: Adjustment[] };

/** The score, with its sum and its base made anew from what the answer shows (design 4.2). */
function explained(answer: TestAnswer): Score {
  const score = Object(answer.of("data", "risk_score"));
  const sum = (parts: readonly { points: number }[]) =>
    parts.reduce((total, { points }) => total + points, 0);
  expect(sum(score.factors) + sum(score.adjustments)).toBe(score.result);
  const rest = score.factors.reduce((product: number, { strength }: Factor) => product * (1 - strength), 1);
  expect(score.base).toBe(Math.floor(100 * (1 - rest) + 0.5 + 1e-9));
  for (const { reason } of [...score.factors, ...score.adjustments]) expect(reason).toMatch(/^[A-Z].{10,}/);
  return score;
}

describe("a fresh list of the operator's, trusted highly", () => {
  test.each(FRESH)("gives %s at least 50, and says why", async (ip) => {
    const answer = await check(ip);
    const score = explained(answer);
    expect(score.result).toBeGreaterThanOrEqual(50);
    const factor = score.factors.find(({ key }) => key === "fresh_ipsum");
    expect(factor).toMatchObject({ strength: 0.5, engines: ["fresh_ipsum"] });
    expect(factor?.reason).toContain("Fresh IPsum");
    expect(answer.of("data", "blacklists", "engines", "fresh_ipsum")).toMatchObject({
      detected: true,
      confidence: "high",
      matched: { value: ip, level: "ip" },
      reason: `Named by ${FRESH.indexOf(ip) + 5} lists`,
    });
  });

  test("does not name an address beside it", async () => {
    const answer = await check(ABSENT);
    expect(answer.of("data", "blacklists", "engines", "fresh_ipsum")).toMatchObject({ detected: false });
    expect(explained(answer).factors.map(({ key }) => key)).not.toContain("fresh_ipsum");
  });
});

test("an address that only the seed names is explained: which list, how old, how much it weighs", async () => {
  const [ip = ""] = seedLines("maltrail-malware-ips");
  const answer = await check(ip);
  const score = explained(answer);
  expect(score.result).toBeGreaterThan(0);
  const engines = Object.values(Object(answer.of("data", "blacklists", "engines")));
  const detecting = engines.map(Object).filter(({ detected }) => detected);
  expect(detecting.length).toBeGreaterThan(0);
  for (const engine of detecting) {
    expect(engine).toMatchObject({ seed: true, stale: true, matched: { value: ip } });
    expect(engine.data_age_s).toBeGreaterThan(0);
  }
  expect(score.factors.flatMap((factor) => factor.engines)).toContain("maltrail_malware_ips");
});

const seedLines = (name: string): string[] =>
  brotliDecompressSync(readFileSync(new URL(`../seed/${name}.br`, import.meta.url)))
    .toString("utf8")
    .split("\n");
