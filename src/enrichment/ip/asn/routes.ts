import { readSnapshot, u32Section } from "../../../blocklist-index/snapshot.ts";
import { ipv4Intervals, ipv6Intervals } from "../../sections.ts";
import type { Ipv4Intervals, Ipv6Intervals } from "../intervals.ts";
import { ASN_SNAPSHOT, asnFingerprint } from "./build-asn.ts";

/** Addresses in a row that one AS announces. */
export type RouteRange<T extends number | bigint> = {
  readonly first: T;
  readonly last: T;
  readonly asn: number;
};

/** Ranges in ascending order. */
export type RouteRanges = {
  readonly v4: readonly RouteRange<number>[];
  readonly v6: readonly RouteRange<bigint>[];
};

/** What the wanted systems announce by the bundled table; null when there is no snapshot of it. */
export function readRoutes(path: string, isWanted: (asn: number) => boolean): RouteRanges | null {
  const snapshot = readSnapshot(path, ASN_SNAPSHOT);
  if (snapshot === null || snapshot.fingerprint !== asnFingerprint()) return null;
  const numbers = u32Section(snapshot.sections, "as.number");
  const wanted = Uint8Array.from(numbers, (asn) => (asn > 0 && isWanted(asn) ? 1 : 0));
  const asnAt = (low: number, high: number): number => {
    const row = (high << 16) | low;
    return wanted[row] === 1 ? (numbers[row] ?? 0) : 0;
  };
  return {
    v4: rangesOfIpv4(ipv4Intervals(snapshot.sections), asnAt),
    v6: rangesOfIpv6(ipv6Intervals(snapshot.sections), asnAt),
  };
}

type AsnAt = (low: number, high: number) => number;

function rangesOfIpv4(
  { directory, lows, rowLows, rowHighs }: Ipv4Intervals,
  asnAt: AsnAt,
): readonly RouteRange<number>[] {
  const collector = createCollector<number>(2 ** 32, (start) => start - 1);
  for (let high = 0; high < 65_536; high++) {
    for (let row = directory[high] ?? 0; row < (directory[high + 1] ?? 0); row++) {
      const asn = asnAt(rowLows[row] ?? 0, rowHighs[row] ?? 0);
      if (asn !== 0 || collector.isOpen()) collector.add(high * 65_536 + (lows[row] ?? 0), asn);
    }
  }
  return collector.ranges();
}

function rangesOfIpv6(
  { uppers, directory, lowers, rowLows, rowHighs }: Ipv6Intervals,
  asnAt: AsnAt,
): readonly RouteRange<bigint>[] {
  const collector = createCollector<bigint>(1n << 128n, (start) => start - 1n);
  for (let group = 0; group < uppers.length; group++) {
    for (let row = directory[group] ?? 0; row < (directory[group + 1] ?? 0); row++) {
      const asn = asnAt(rowLows[row] ?? 0, rowHighs[row] ?? 0);
      if (asn !== 0 || collector.isOpen())
        collector.add((BigInt(uppers[group] ?? 0) << 96n) | (BigInt(lowers[row] ?? 0) << 64n), asn);
    }
  }
  return collector.ranges();
}

/** Takes where each wanted system begins, and with 0 where the one that is open ends. */
function createCollector<T extends number | bigint>(end: T, before: (start: T) => T) {
  const ranges: RouteRange<T>[] = [];
  let open: { readonly first: T; readonly asn: number } | null = null;
  const close = (start: T): void => {
    if (open !== null) ranges.push({ ...open, last: before(start) });
  };
  return {
    isOpen: () => open !== null,
    add: (first: T, asn: number): void => {
      close(first);
      open = asn === 0 ? null : { first, asn };
    },
    ranges: (): readonly RouteRange<T>[] => {
      close(end);
      return ranges;
    },
  };
}
