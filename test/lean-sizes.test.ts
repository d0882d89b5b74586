import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCatalogue } from "../src/engines/definitions.ts";
import { startTestService, type TestAccount, type TestService, until } from "./service.ts";

// Bytes of answers over the shipped seed without a network, and over 60 lists. Source: answers 5.

let service: TestService;
let account: TestAccount;
const start = async (engines: object | null) => {
  service = await startTestService(engines === null ? {} : { file: { engines } });
  await until(async () => (await service.call({ method: "GET", path: "/readyz" })).status === 200);
  account = await service.openAccount({ credits: 100_000 });
};

const ask = (path: string, body: unknown) => service.call({ path, body, key: account.key });
const sizeOf = async (ip: string, view: string) => {
  const { text, of } = await ask(`/api/check-ip?view=${view}`, { ip });
  return { bytes: Buffer.byteLength(text), blacklists: of("data", "blacklists") };
};

describe("over the shipped seed", () => {
  beforeAll(() => start(null));
  afterAll(() => service.close());

  test.each([
    ["standard", 12_000],
    ["compact", 5_000],
    ["verdict", 500],
  ])("%s takes at most %i bytes", async (view, most) => {
    expect((await sizeOf("9.9.9.9", view)).bytes).toBeLessThanOrEqual(most);
  });

  test("a bulk of 100 compact ones takes at most 300 kB", async () => {
    const ips = Array.from({ length: 100 }, (_, i) => `45.45.45.${i}`);
    const { text } = await ask("/api/bulk/check-ip?view=compact", { ips });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300_000);
  });
});

/** Addresses that so many of the lists name. */
const NAMED = { "198.41.0.3": 3, "198.41.0.10": 10 };
const NOT_NAMED = "198.41.0.1";

describe.each([
  [60, 45],
  [46, 46],
])("over %i lists, of which %i are of addresses and all answer", (count, ofAddresses) => {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  beforeAll(() => start({ builtin: false, feeds: writeLists(folder, count, ofAddresses) }));
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["standard", "198.41.0.3", 11_000],
    ["standard", NOT_NAMED, 11_000],
    ["compact", NOT_NAMED, 3_000],
    ["compact", "198.41.0.10", 7_000],
    ["verdict", NOT_NAMED, 500],
  ])("%s of %s takes at most %i bytes", async (view, ip, most) => {
    const { bytes, blacklists } = await sizeOf(ip, view);
    expect(bytes).toBeLessThanOrEqual(most);
    if (view === "verdict") return;
    const detections = new Map(Object.entries(NAMED)).get(ip) ?? 0;
    expect(blacklists).toMatchObject({ detections, engines_count: ofAddresses, engines_total: ofAddresses });
  });
});

/** Lists with keys, names and links of the catalogue's. */
function writeLists(folder: string, count: number, ofAddresses: number): readonly object[] {
  const addresses = readCatalogue("ip.yaml").slice(0, ofAddresses);
  const names = readCatalogue("domain.yaml").slice(0, count - ofAddresses);
  return [...addresses, ...names].map(
    ({ key, name, target, category, confidence, homepage, reference }, i) => {
      const file = join(folder, `${key}.txt`);
      const named = Object.entries(NAMED).flatMap(([ip, lists]) => (i < lists ? [ip] : []));
      writeFileSync(
        file,
        `${[...(target === "ip" ? ["192.0.2.1", ...named] : ["bad.example"])].join("\n")}\n`,
      );
      const source = { url: pathToFileURL(file).href, format: target === "ip" ? "netset" : "plain" };
      return { key, name, target, ...source, category, confidence, homepage, reference };
    },
  );
}
