import { readSnapshot, u32Section } from "../../../blocklist-index/snapshot.ts";
import { ipv4Intervals, ipv6Intervals } from "../../sections.ts";
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
  const v4 = ipv4Intervals(snapshot.sections);
  const v6 = ipv6Intervals(snapshot.sections);
  return {
    v4: rangesOf(startsOfIpv4(v4), (i) => asnAt(v4.rowLows[i] ?? 0, v4.rowHighs[i] ?? 0), {
      end: 2 ** 32,
      before: (start) => start - 1,
    }),
    v6: rangesOf(startsOfIpv6(v6), (i) => asnAt(v6.rowLows[i] ?? 0, v6.rowHighs[i] ?? 0), {
      end: 1n << 128n,
      before: (start) => start - 1n,
    }),
  };
}

type Space<T> = { readonly end: T; readonly before: (start: T) => T };

function rangesOf<T extends number | bigint>(
  starts: Iterable<T>,
  asnAt: (row: number) => number,
  { end, before }: Space<T>,
): readonly RouteRange<T>[] {
  const ranges: RouteRange<T>[] = [];
  let open: { readonly first: T; readonly asn: number } | null = null;
  let row = 0;
  for (const start of starts) {
    const asn = asnAt(row++);
    if (open !== null) ranges.push({ ...open, last: before(start) });
    open = asn === 0 ? null : { first: start, asn };
  }
  if (open !== null) ranges.push({ ...open, last: before(end) });
  return ranges;
}

function* startsOfIpv4({ directory, lows }: ReturnType<typeof ipv4Intervals>): Generator<number> {
  for (let high = 0; high < 65_536; high++) {
    for (let row = directory[high] ?? 0; row < (directory[high + 1] ?? 0); row++) {
      yield high * 65_536 + (lows[row] ?? 0);
    }
  }
}

function* startsOfIpv6({ uppers, directory, lowers }: ReturnType<typeof ipv6Intervals>): Generator<bigint> {
  for (let group = 0; group < uppers.length; group++) {
    const upper = BigInt(uppers[group] ?? 0) << 96n;
    for (let row = directory[group] ?? 0; row < (directory[group + 1] ?? 0); row++) {
      yield upper | (BigInt(lowers[row] ?? 0) << 64n);
    }
  }
}
