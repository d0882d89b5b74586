import type { AsnRange } from "./asn-csv.ts";

/** From `start` on the address space belongs to `range`, or has no holder. */
export type Boundary<T extends number | bigint> = {
  readonly start: T;
  readonly range: AsnRange<T> | null;
};

/**
 * Cuts ranges, some of which overlap, into boundaries in ascending order. Where ranges overlap the one that
 * starts last speaks, of equal starts the shorter: the more specific route.
 */
export function sweepRanges<T extends number | bigint>(ranges: readonly AsnRange<T>[]): Boundary<T>[] {
  const boundaries: Boundary<T>[] = [];
  const open: AsnRange<T>[] = [];
  const closeUntil = (limit: T | null): void => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { end } = last;
      if (limit !== null && end > limit) return;
      while ((open.at(-1)?.end ?? end) <= end && open.length > 0) open.pop();
      boundaries.push({ start: end, range: open.at(-1) ?? null });
    }
  };
  for (const range of inOrder(ranges)) {
    closeUntil(range.start);
    boundaries.push({ start: range.start, range });
    open.push(range);
  }
  closeUntil(null);
  return boundaries;
}

/** Addresses per AS number, those in several of its ranges counted once. */
export function countAddresses(ranges: readonly AsnRange<number>[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { asn, start, end } of inOrder(ranges)) {
    const from = Math.max(start, ends.get(asn) ?? 0);
    if (end <= from) continue;
    counts.set(asn, (counts.get(asn) ?? 0) + end - from);
    ends.set(asn, end);
  }
  return counts;
}

const inOrder = <T extends number | bigint>(ranges: readonly AsnRange<T>[]): AsnRange<T>[] =>
  ranges.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : compare(b.end, a.end)));

const compare = <T extends number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
