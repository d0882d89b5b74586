import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { city, database, ipv4Inside, nestedCity } from "../../test/mmdb-file.ts";
import { InvalidValue } from "../base/failure.ts";
import { readSnapshot } from "../blocklist-index/snapshot.ts";
import { parseIp } from "../targets/ip.ts";
import { openAsnDatabase } from "./ip/asn/operator-asn.ts";
import { countTable } from "./ip/count-table.ts";
import { buildGeoSnapshot, GEO_SNAPSHOT } from "./ip/geo/build-geo.ts";
import { openMmdbTree, walkMmdb } from "./ip/geo/mmdb-tree.ts";
import { geoFrom } from "./ip/geo/open-geo.ts";
import { openGeoDatabase } from "./ip/geo/operator-geo.ts";
import { createRowCollector } from "./ip/geo/row-table.ts";
import { textReader } from "./text-table.ts";

const folder = mkdtempSync(join(tmpdir(), "repute-mmdb-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe("walkMmdb()", () => {
  test("visits every leaf in address order, gaps included", () => {
    const tree = openMmdbTree(
      database(32, [
        { network: "10.0.0.0/8", record: city("AA", "", "") },
        { network: "203.0.113.0/24", record: city("BB", "", "") },
      ]),
    );
    const rows = createRowCollector();
    const rowAt = rows.rowsOf(tree);
    const leaves: [number, number][] = [];
    walkMmdb(tree, (upper, _lower, offset) => leaves.push([upper, rowAt(offset)]));
    expect(leaves.map(([start]) => start)).toEqual(leaves.map(([start]) => start).toSorted((a, b) => a - b));
    expect(leaves.filter(([, row]) => row > 0)).toEqual([
      [0x0a000000, 1],
      [0xcb007100, 2],
    ]);
  });

  test("folds what is smaller than a /64 into its /64", () => {
    const record = city("AA", "", "");
    const tree = openMmdbTree(database(128, [{ network: "2001:db8:0:1:2::/80", record }]));
    const found: [number, number][] = [];
    walkMmdb(tree, (upper, lower, offset) => {
      if (offset >= 0) found.push([upper, lower]);
    });
    expect(found).toEqual([[0x20010db8, 1]]);
  });
});

describe("createRowCollector()", () => {
  test.each([
    ["Berkeley (North Berkeley)", "Berkeley"],
    ["Zurich (Zurich (Kreis 1) / Hochschulen)", "Zurich"],
    ["(Centre)", "(Centre)"],
    ["Foo (bar) baz", "Foo (bar) baz"],
    ["", ""],
  ])("keeps of the city %j only %j", (written, kept) => {
    const tree = openMmdbTree(database(32, [{ network: "10.0.0.0/8", record: city("AA", "S", written) }]));
    const rows = createRowCollector();
    rows.rowsOf(tree)(0);
    const { cities, city: ids, latitude, longitude } = rows.columns();
    expect(textReader(cities)(ids[1] ?? 0)).toBe(kept);
    expect([latitude[1], longitude[1]]).toEqual([150, -250]);
  });

  test("gives records that say the same one row, and a record without a country none", () => {
    const tree = openMmdbTree(
      database(32, [
        { network: "10.0.0.0/8", record: city("AA", "S", "C") },
        { network: "11.0.0.0/8", record: city("AA", "S", "C (D)") },
        { network: "12.0.0.0/8", record: city("", "S", "C") },
      ]),
    );
    const rows = createRowCollector();
    const rowAt = rows.rowsOf(tree);
    const seen = new Set<number>();
    walkMmdb(tree, (_upper, _lower, offset) => seen.add(rowAt(offset)));
    expect([...seen].toSorted()).toEqual([0, 1]);
  });
});

describe("a city database of both families", () => {
  const entries = [
    { network: ipv4Inside("10.0.0.0/8"), record: nestedCity("FR", "Auvergne-Rhône-Alpes", "Lyon (Centre)") },
    {
      network: ipv4Inside("203.0.113.0/24"),
      record: nestedCity("NL", "North Holland", "Amsterdam", 52.37, 4.9),
    },
    { network: "2001:db8::/32", record: nestedCity("DE", "Berlin", "Berlin") },
  ];

  test.each([24, 28, 32] as const)(
    "is read with records of %i bits, and opened as the bundled one is",
    async (bits) => {
      const path = join(folder, `city-${bits}.snapshot`);
      const bytes = database(128, entries, bits);
      expect(countTable("city", bytes)).toMatchObject({
        entries: 3,
        publishedAt: "2026-05-28T20:26:40.000Z",
      });
      await buildGeoSnapshot(path, bytes, "one");
      const snapshot = readSnapshot(path, GEO_SNAPSHOT);
      const geo = snapshot === null ? null : geoFrom(snapshot);
      expect(geo?.fingerprint).toBe("one");
      const placeOf = (address: string) => geo?.find(parseIp(address)) ?? null;
      expect(placeOf("10.1.2.3")).toMatchObject({ countryCode: "FR", cityName: "Lyon", latitude: 1.5 });
      expect(placeOf("203.0.113.9")).toEqual({
        countryCode: "NL",
        regionName: "North Holland",
        cityName: "Amsterdam",
        latitude: 52.37,
        longitude: 4.9,
        accuracy: "city",
      });
      expect(placeOf("2001:db8::1")).toMatchObject({ countryCode: "DE", cityName: "Berlin" });
      expect([placeOf("203.0.114.1"), placeOf("2001:db9::1")]).toEqual([null, null]);
    },
  );

  test.each([
    ["text", Buffer.from("1.0.0.0,1.0.0.255,AU"), "is not a MaxMind DB"],
    [
      "one family",
      database(32, [{ network: "10.0.0.0/8", record: city("AA", "", "") }]),
      "both IPv4 and IPv6",
    ],
    ["systems, not places", database(128, [{ network: "::/96", record: { asn: 1 } }]), "both IPv4 and IPv6"],
    ["no places", database(128, [{ network: "::a00:0/104", record: { asn: 1 } }]), "holds no places"],
    ["half of a file", halfOf(database(128, entries)), /is broken|holds no places/],
    ["a tree that leads into itself", tangled(database(128, entries)), "is broken"],
  ])("is refused when it is %s", (_what, bytes, fault) => {
    const read = () => countTable("city", bytes);
    expect(read).toThrow(InvalidValue);
    expect(read).toThrow(fault);
  });
});

/** A file whose data section lost its second half; the head is whole. */
function halfOf(bytes: Buffer): Buffer {
  const metadata = bytes.lastIndexOf("MaxMind.com") - 3;
  const { dataStart } = openMmdbTree(bytes);
  return Buffer.concat([bytes.subarray(0, dataStart + 3), bytes.subarray(metadata)]);
}

/** A file whose every node but the way to IPv4 leads to the node after it, on both sides. */
function tangled(bytes: Buffer): Buffer {
  const { nodeCount } = openMmdbTree(bytes);
  const copy = Buffer.from(bytes);
  for (let node = 0; node < nodeCount - 1; node++) {
    const at = node * 7;
    if (copy.readUIntBE(at + 4, 3) === nodeCount) copy.copy(copy, at + 4, at, at + 3);
  }
  return copy;
}

describe("an operator's database", () => {
  test("gives a place in MaxMind's nested form", () => {
    const record = {
      city: { names: { en: "Lyon", fr: "Lyon" } },
      country: { iso_code: "FR" },
      subdivisions: [{ names: { en: "Auvergne-Rhône-Alpes" } }],
      location: { latitude: 45.75, longitude: 4.85 },
    };
    const geo = openGeoDatabase(fileOf("nested.mmdb", database(32, [{ network: "10.0.0.0/8", record }])));
    expect(geo.find(parseIp("10.1.2.3"))).toEqual({
      countryCode: "FR",
      regionName: "Auvergne-Rhône-Alpes",
      cityName: "Lyon",
      latitude: 45.75,
      longitude: 4.85,
      accuracy: "city",
    });
    expect(geo.find(parseIp("11.0.0.1"))).toBeNull();
    expect(geo.find(parseIp("2001:db8::1"))).toBeNull();
  });

  test("gives a place in the flat form", () => {
    const entries = [{ network: "2001:db8::/32", record: city("NL", "North Holland", "Amsterdam") }];
    const geo = openGeoDatabase(fileOf("flat.mmdb", database(128, entries)));
    expect(geo.find(parseIp("2001:db8::1"))).toMatchObject({ countryCode: "NL", cityName: "Amsterdam" });
  });

  test.each([
    [{ country: { iso_code: "FR" } }, { accuracy: "country", latitude: null, longitude: null }],
    [{ country: { iso_code: "FR" }, location: { time_zone: "Europe/Paris" } }, { latitude: null }],
    [
      { country_code: "FR", latitude: 0, longitude: 0 },
      { latitude: null, longitude: null },
    ],
    [
      { country_code: "FR", latitude: 0, longitude: 9.45 },
      { latitude: 0, longitude: 9.45 },
    ],
    [{ country: "France", country_code: "FR", asn: "AS64500", as_name: "Example" }, { accuracy: "country" }],
    [
      { city: "Lyon", country: "FR", region: "Rhône", lat: "45.75", lng: "4.85" },
      { cityName: "Lyon", regionName: "Rhône", latitude: 45.75, longitude: 4.85 },
    ],
    [
      { country_code: "fr", lat: "", lng: "" },
      { latitude: null, longitude: null },
    ],
  ])("gives the place of %j, and no point that it does not name", (record, place) => {
    const geo = openGeoDatabase(fileOf("place.mmdb", database(32, [{ network: "10.0.0.0/8", record }])));
    expect(geo.find(parseIp("10.1.2.3"))).toMatchObject({ countryCode: "FR", ...place });
  });

  test.each(["-", "Unknown", "France", ""])("gives no place in the country %j", (code) => {
    const entries = [
      { network: "10.0.0.0/8", record: { country_code: code } },
      { network: "11.0.0.0/8", record: { country_code: "FR" } },
    ];
    const geo = openGeoDatabase(fileOf("country.mmdb", database(32, entries)));
    expect(geo.find(parseIp("10.1.2.3"))).toBeNull();
  });

  test.each([
    [{ country: "France", asn: "AS64500", as_name: "Example Three" }, "Example Three"],
    [{ autonomous_system_number: 64500, autonomous_system_organization: "Example" }, "Example"],
    [{ asn: "AS64500", name: "Example Two" }, "Example Two"],
  ])("gives an AS from %j", (record, org) => {
    const asn = openAsnDatabase(fileOf("asn.mmdb", database(32, [{ network: "10.0.0.0/8", record }])));
    expect(asn.find(parseIp("10.1.2.3"))).toEqual({ asn: 64500, org, origins: [64500] });
  });

  test("of another kind, or damaged, is refused by the name of its key", () => {
    const system = { autonomous_system_number: 64500, autonomous_system_organization: "Example" };
    const entries = (record: typeof system | ReturnType<typeof nestedCity>) => [
      { network: ipv4Inside("10.0.0.0/8"), record },
      { network: "2001:db8::/32", record },
    ];
    const systems = fileOf("systems.mmdb", database(128, entries(system)));
    const places = fileOf(
      "places.mmdb",
      database(128, entries(nestedCity("NL", "North Holland", "Amsterdam"))),
    );
    const half = fileOf("half.mmdb", halfOf(database(128, entries(nestedCity("DE", "Berlin", "Berlin")))));
    expect(() => openGeoDatabase(systems)).toThrow(`Cannot use "geo.database": "${systems}" holds no places`);
    expect(() => openGeoDatabase(half)).toThrow(`"${half}" holds no places`);
    expect(() => openAsnDatabase(places)).toThrow(
      `Cannot use "geo.asn_database": "${places}" holds no AS numbers`,
    );
    expect(openAsnDatabase(systems).find(parseIp("10.1.2.3"))).toMatchObject({ asn: 64500 });
    expect(openGeoDatabase(places).find(parseIp("2001:db8::1"))).toMatchObject({ cityName: "Amsterdam" });
  });

  test("that is no database is refused", () => {
    const none = fileOf("none.mmdb", Buffer.from("nothing of the kind"));
    expect(() => openGeoDatabase(none)).toThrow(
      `Cannot use "geo.database": "${none}" is not a MaxMind DB file`,
    );
    expect(() => openAsnDatabase("/nowhere.mmdb")).toThrow(
      'Cannot use "geo.asn_database": cannot read "/nowhere.mmdb" (ENOENT)',
    );
  });
});
