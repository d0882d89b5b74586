import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { numbers, risDump, risLine } from "../../../../test/ris.ts";
import { readSnapshot } from "../../../blocklist-index/snapshot.ts";
import { type Cidr, cidrContains, parseCidr } from "../../../targets/cidr.ts";
import { formatIpv4, formatIpv6, type Ip, ipv4Of, ipv6Of, parseIp } from "../../../targets/ip.ts";
import { monthly } from "../../table-age.ts";
import { type Asn, UNKNOWN_SYSTEM } from "./asn.ts";
import { buildRoutesSnapshot, ROUTES_SNAPSHOT } from "./build-routes.ts";
import { joinNetworks } from "./networks-in-force.ts";
import { type RouteLookup, routesFrom } from "./open-routes.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-routes-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
async function routesOf(texts: { v4?: string; v6?: string; names?: string }): Promise<RouteLookup> {
  const path = join(folder, `${++files}.bin`);
  const bytes = (text?: string) => (text === undefined ? null : Buffer.from(text));
  const contents = { v4: bytes(texts.v4), v6: bytes(texts.v6), names: bytes(texts.names) };
  await buildRoutesSnapshot(path, contents, "made of these");
  const snapshot = readSnapshot(path, ROUTES_SNAPSHOT);
  if (snapshot === null) throw new Error("The snapshot cannot be opened");
  return routesFrom(snapshot);
}

const V4 = risDump([
  risLine(3356, "8.0.0.0/9"),
  risLine(64500, "8.8.8.0/24", 12),
  risLine(15169, "8.8.8.0/24", 390),
  risLine(64501, "8.8.8.8/32", 9),
  risLine("{64502,64503}", "9.0.0.0/8", 50),
  risLine(64504, "0.0.0.0/0", 200),
  risLine(64504, "255.255.255.0/24"),
  risLine(15169, "8.8.4.0/24"),
  risLine(15169, "8.8.4.0/23"),
]);

describe("announced routes", () => {
  test.each([
    ["8.8.8.8", "8.8.8.0/24", [15169, 64500]],
    ["8.127.255.255", "8.0.0.0/9", [3356]],
    ["8.8.9.0", "8.0.0.0/9", [3356]],
    ["8.8.5.1", "8.8.4.0/23", [15169]],
    ["9.1.2.3", "9.0.0.0/8", [64502, 64503]],
    ["255.255.255.255", "255.255.255.0/24", [64504]],
  ])("of %s are %s with the origins %j", async (address, prefix, origins) => {
    const routes = await routesOf({ v4: V4 });
    expect(routes.find(parseIp(address))).toEqual({ prefix, origins });
  });

  test("are none where nothing is announced, and default routes are no routes", async () => {
    const routes = await routesOf({ v4: V4 });
    const found = ["7.255.255.255", "8.128.0.0", "10.0.0.0"].map((address) => routes.find(parseIp(address)));
    expect(found).toEqual([null, null, null]);
    expect([routes.has("v4"), routes.has("v6"), routes.fingerprint]).toEqual([true, false, "made of these"]);
  });

  test("are counted by system: prefixes, and distinct addresses", async () => {
    const v6 = risDump([risLine(15169, "2001:4860::/32"), risLine(15169, "2001:4860:4860::/48", 9)]);
    const names =
      "15169 GOOGLE, US\n3356 LEVEL3 Lumen, Parent LLC, US\n23456 -Reserved AS-, ZZ\n64500 LATE, ZZ\n";
    const routes = await routesOf({ v4: V4, v6, names });
    expect(routes.systemOf(15169)).toEqual({
      org: "",
      name: "GOOGLE",
      country: "US",
      ipv4Prefixes: 3,
      ipv6Prefixes: 1,
      ipv4Addresses: 768,
    });
    expect(routes.systemOf(3356)).toMatchObject({
      org: "Lumen, Parent LLC",
      name: "LEVEL3",
      ipv4Addresses: 2 ** 23,
    });
    expect(routes.systemOf(64500)).toMatchObject({ name: "LATE", country: "" });
    expect(routes.systemOf(64509)).toMatchObject({ name: null, country: null, ipv4Prefixes: 0 });
  });

  test("of a family that is not there leave counts open", async () => {
    const routes = await routesOf({ v4: V4 });
    expect(routes.systemOf(15169)).toMatchObject({ name: null, ipv4Prefixes: 3, ipv6Prefixes: null });
  });
});

/** What a scan of all prefixes finds. */
function scan(prefixes: readonly (readonly [Cidr, number])[], ip: Ip): string | null {
  let best: readonly [Cidr, number] | null = null;
  for (const one of prefixes) {
    if (cidrContains(one[0], ip) && (best === null || one[0].prefix > best[0].prefix)) best = one;
  }
  return best && `${best[0].text} ${best[1]}`;
}

test("the longest match is that of a plain scan on 100,000 addresses", { timeout: 600_000 }, async () => {
  const next = numbers(8_675_309);
  const v4 = new Map<string, number>();
  const v6 = new Map<string, number>();
  while (v4.size < 120) {
    const length = 8 + (next() % 25);
    v4.set(
      `${formatIpv4((0x0500_0000 + (next() >>> 6)) & (-1 << (32 - length)))}/${length}`,
      1 + (next() % 50),
    );
  }
  while (v6.size < 80) {
    const length = 20 + (next() % 45);
    const upper = 0x2a00_0000 | ((next() % 4) << 20) | (next() % 2);
    const lower = (next() & 0xc000_0003) >>> 0;
    const words = [
      length < 32 ? upper & (-1 << (32 - length)) : upper,
      length <= 32 ? 0 : lower & (-1 << (64 - length)),
    ];
    const [high = 0, low = 0] = words.map((word) => word >>> 0);
    v6.set(`${formatIpv6([high, low, 0, 0])}/${length}`, 1 + (next() % 50));
  }
  const dump = (prefixes: ReadonlyMap<string, number>) =>
    risDump([...prefixes].map(([prefix, origin]) => risLine(origin, prefix, 10)));
  const routes = await routesOf({ v4: dump(v4), v6: dump(v6) });
  const parsed = (prefixes: ReadonlyMap<string, number>) =>
    [...prefixes].map(([text, origin]) => [parseCidr(text), origin] as const);
  const all = { v4: parsed(v4), v6: parsed(v6) };
  let hits = 0;
  for (let i = 0; i < 100_000; i++) {
    const ip =
      i % 2 === 0
        ? ipv4Of(0x0500_0000 + (next() >>> 6))
        : ipv6Of([
            (0x2a00_0000 | ((next() % 4) << 20) | (next() % 3)) >>> 0,
            (next() & 0xc000_0007) >>> 0,
            next(),
            next(),
          ]);
    const found = routes.find(ip);
    const text = found && `${found.prefix} ${found.origins.join()}`;
    const expected = scan(all[ip.version], ip);
    if (text !== expected) expect([ip.text, text]).toEqual([ip.text, expected]);
    if (found !== null) hits++;
  }
  expect(hits).toBeGreaterThan(10_000);
});

const JUNE = "2026-06-17T00:00:00Z";

describe("joinNetworks()", () => {
  const shipped: Asn = {
    find: () => ({ asn: 64510, org: "As shipped", origins: [64510] }),
    routeOf: () => null,
    systemOf: () => ({ ...UNKNOWN_SYSTEM, org: "As shipped", ipv4Addresses: 5 }),
    dates: { v4: monthly(JUNE), v6: monthly(JUNE) },
  };
  const dates = { v4: { asOf: "2026-11-22T00:00:00Z", staleAfterS: 86_400 }, v6: monthly(null) };

  test("asks routes where their table is there, and the shipped origins elsewhere", async () => {
    const joined = joinNetworks({ ...(await routesOf({ v4: V4 })), dates }, shipped);
    const [google, other] = [parseIp("8.8.8.8"), parseIp("2001:4860::1")];
    expect(joined?.find(google)).toEqual({ asn: 15169, org: "As shipped", origins: [15169, 64500] });
    expect(joined?.routeOf(google)).toBe("8.8.8.0/24");
    expect(joined?.find(parseIp("7.0.0.1"))).toBeNull();
    expect(joined?.routeOf(parseIp("7.0.0.1"))).toBe("");
    expect(joined?.find(other)).toMatchObject({ asn: 64510 });
    expect(joined?.routeOf(other)).toBeNull();
    expect(joined?.systemOf(15169)).toMatchObject({ org: "As shipped", ipv4Prefixes: 3, ipv4Addresses: 768 });
    expect(joined?.dates).toEqual({ v4: dates.v4, v6: monthly(JUNE) });
  });

  test("is as old as the routes once both families are there", async () => {
    const routes = await routesOf({ v4: V4, v6: risDump([risLine(1, "2001:db8::/32")]) });
    const both = { ...dates, v6: { asOf: "2026-11-21T00:00:00Z", staleAfterS: 86_400 } };
    expect(joinNetworks({ ...routes, dates: both }, shipped)?.dates).toEqual(both);
    expect(joinNetworks(null, shipped)).toBe(shipped);
  });
});
