import { readFileSync } from "node:fs";
import { writeSnapshot } from "../../../blocklist-index/snapshot.ts";
import { type DataPackage, dataFile, dateOfVersion, locateDataPackage } from "../../data-package.ts";
import { prefixed } from "../../sections.ts";
import { createTextInterner } from "../../text-table.ts";
import { createIntervalCollector, type IntervalCollector } from "../intervals.ts";
import { type AsnRange, parseAsnIpv4, parseAsnIpv6 } from "./asn-csv.ts";
import { type Boundary, countAddresses, sweepRanges } from "./sweep.ts";

/** Form of the snapshot's sections; one more with every change of them or of what goes in. */
export const ASN_SNAPSHOT = { kind: "asn", version: 1 } as const;

const PACKAGE = "@ip-location-db/asn";

/** What an ASN snapshot of this program and the installed package is called: rebuild when it differs. */
export function asnFingerprint(): string {
  return `asn-${ASN_SNAPSHOT.version} ${PACKAGE}@${locateDataPackage(PACKAGE).version}`;
}

/**
 * Makes the ASN snapshot out of the installed CSV files: about 1.3 s, 11 MB. Their ranges are merged, so announced
 * prefixes cannot be counted from them; distinct addresses can. Source: RouteViews, registries, DB-IP ASN Lite
 * (CC BY 4.0) as merged by ip-location-db.
 */
export async function buildAsnSnapshot(outFile: string): Promise<void> {
  const source = locateDataPackage(PACKAGE);
  const v4 = parseAsnIpv4(readCsv(source, "asn-ipv4.csv"));
  const v6 = parseAsnIpv6(readCsv(source, "asn-ipv6.csv"));
  const systems = systemColumns(v4, v6);
  const ipv4 = collect(sweepRanges(v4), systems.rowOf, (start) => [start, 0]).packIpv4();
  const ipv6 = collect(sweepRanges(v6), systems.rowOf, halves).packIpv6();
  await writeSnapshot(outFile, {
    ...ASN_SNAPSHOT,
    fingerprint: asnFingerprint(),
    meta: { publishedAt: dateOfVersion(source.version) },
    sections: { ...prefixed("v4", ipv4), ...prefixed("v6", ipv6), ...systems.sections },
  });
}

const readCsv = (source: DataPackage, name: string): string => readFileSync(dataFile(source, name), "utf8");

/** One row per AS in ascending order from 1; row 0 is "no route". */
function systemColumns(v4: readonly AsnRange<number>[], v6: readonly AsnRange<bigint>[]) {
  const names = new Map<number, string>();
  for (const { asn, name } of [...v4, ...v6]) if (!names.get(asn)) names.set(asn, name);
  const numbers = Uint32Array.from([0, ...names.keys()]).toSorted();
  const interner = createTextInterner(numbers.length);
  const addresses = countAddresses(v4);
  const nameIds = new Uint32Array(numbers.length);
  const ipv4Addresses = new Float64Array(numbers.length);
  const rows = new Map<number, number>();
  for (const [row, asn] of numbers.entries()) {
    const bytes = Buffer.from(names.get(asn) ?? "");
    nameIds[row] = interner.intern(bytes, 0, bytes.length);
    ipv4Addresses[row] = addresses.get(asn) ?? 0;
    rows.set(asn, row);
  }
  const { blob, offsets } = interner.table();
  return {
    rowOf: (asn: number): number => rows.get(asn) ?? 0,
    sections: {
      "as.number": numbers,
      "as.name": nameIds,
      "as.ipv4Addresses": ipv4Addresses,
      "names.blob": blob,
      "names.offsets": offsets,
    },
  };
}

function collect<T extends number | bigint>(
  boundaries: readonly Boundary<T>[],
  rowOf: (asn: number) => number,
  split: (start: T) => readonly [number, number],
): IntervalCollector {
  const collector = createIntervalCollector(boundaries.length + 1);
  collector.add(0, 0, 0);
  for (const { start, range } of boundaries) {
    const [upper, lower] = split(start);
    // A range up to the last address ends beyond the space: nothing starts there.
    if (upper <= 0xffff_ffff) collector.add(upper, lower, range === null ? 0 : rowOf(range.asn));
  }
  return collector;
}

const halves = (start: bigint): readonly [number, number] => [
  Number(start >> 32n),
  Number(start & 0xffff_ffffn),
];
