import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Ip, parseIp } from "../targets/ip.ts";
import { openAsnDatabase } from "./asn/operator-asn.ts";
import { openMmdbTree, walkMmdb } from "./geo/mmdb-tree.ts";
import { openGeoDatabase } from "./geo/operator-geo.ts";
import { createRowCollector } from "./geo/row-table.ts";
import { textReader } from "./text-table.ts";

type Value = string | number | { readonly [key: string]: Value } | readonly Value[];
type Entry = { readonly network: string; readonly record: Value };

const folder = mkdtempSync(join(tmpdir(), "repute-mmdb-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Encodes a value as the MaxMind DB format does; whole numbers as u32, others as doubles. */
function encode(value: Value): Buffer {
  if (typeof value === "string")
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const members = Object.entries(value);
  return Buffer.concat([head(7, members.length), ...members.flatMap(([k, v]) => [encode(k), encode(v)])]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) ? 4 : 8);
  if (Number.isInteger(value)) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([head(bytes.length === 4 ? 6 : 3, bytes.length), bytes]);
}

function head(type: number, size: number): Buffer {
  const sized = size < 29 ? [size] : [29, size - 29];
  const [first = 0, ...rest] = sized;
  return type < 8 ? Buffer.from([(type << 5) | first, ...rest]) : Buffer.from([first, type - 7, ...rest]);
}

/** A database with records of 28 bits: the form of the bundled files. */
function database(bits: 32 | 128, entries: readonly Entry[]): Buffer {
  const nodes: [number, number][] = [[-1, -1]];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const { network, record } of entries) {
    const [address = "", length = String(bits)] = network.split("/");
    insert(nodes, bitsOf(parseIp(address)).slice(0, Number(length)), -2 - dataBytes);
    data.push(encode(record));
    dataBytes += data.at(-1)?.length ?? 0;
  }
  const tree = Buffer.concat(nodes.map((pair) => node(pair, nodes.length)));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    database_type: "test",
    description: {},
    ip_version: bits === 32 ? 4 : 6,
    languages: [],
    node_count: nodes.length,
    record_size: 28,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

const bitsOf = (ip: Ip): number[] =>
  (ip.version === "v4" ? [ip.value] : ip.words).flatMap((word) =>
    Array.from({ length: 32 }, (_, i) => (word >>> (31 - i)) & 1),
  );

function insert(nodes: [number, number][], path: readonly number[], leaf: number): void {
  let at = 0;
  for (const [depth, bit] of path.entries()) {
    const pair = nodes[at]!;
    const side = bit === 0 ? 0 : 1;
    if (depth === path.length - 1) pair[side] = leaf;
    else if (pair[side] < 0) pair[side] = nodes.push([-1, -1]) - 1;
    at = pair[side];
  }
}

function node([left, right]: [number, number], count: number): Buffer {
  const record = (side: number) => (side >= 0 ? side : side === -1 ? count : count + 16 + (-2 - side));
  const [l, r] = [record(left), record(right)];
  const middle = ((l >>> 24) << 4) | (r >>> 24);
  return Buffer.from([l >>> 16, l >>> 8, l, middle, r >>> 16, r >>> 8, r].map((byte) => byte & 255));
}

function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const city = (code: string, state: string, name: string, latitude = 1.5, longitude = -2.5): Value => ({
  city: name,
  country_code: code,
  latitude,
  longitude,
  postcode: "",
  state1: state,
});

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
    [{ autonomous_system_number: 64500, autonomous_system_organization: "Example" }, "Example"],
    [{ asn: "AS64500", name: "Example Two" }, "Example Two"],
  ])("gives an AS from %j", (record, org) => {
    const asn = openAsnDatabase(fileOf("asn.mmdb", database(32, [{ network: "10.0.0.0/8", record }])));
    expect(asn.find(parseIp("10.1.2.3"))).toEqual({ asn: 64500, org });
  });

  test("that is no database is refused", () => {
    const none = fileOf("none.mmdb", Buffer.from("nothing of the kind"));
    expect(() => openGeoDatabase(none)).toThrow(`Cannot use "geo.database": "${none}" is no MaxMind DB file`);
    expect(() => openAsnDatabase("/nowhere.mmdb")).toThrow(
      'Cannot use "geo.asn_database": cannot read "/nowhere.mmdb" (ENOENT)',
    );
  });
});
