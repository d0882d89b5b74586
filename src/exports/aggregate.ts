import { createIpv4Ranges, IPV4_SPACE, type Ipv4Ranges, type Ranges, type Space } from "./ranges.ts";

/** Joins entries into one that speaks for all of them; returns its number. */
export type Combine = (entries: readonly number[]) => number;

/** Takes the networks of an export in ascending order. */
export type TakeNetwork<T> = (network: T, prefix: number, entry: number) => void;

/** How ranges become networks: which entries of neighbours may be one, and what is said of them then. */
export type Joining = { readonly mayJoin: (one: number, next: number) => boolean; readonly combine: Combine };

/** The fewest networks that hold the addresses of the ranges and no other. */
export function eachNetwork<T extends number | bigint>(
  ranges: Ranges<T>,
  space: Space<T>,
  { mayJoin, combine }: Joining,
  take: TakeNetwork<T>,
): void {
  const touches = (row: number): boolean =>
    row < ranges.length() &&
    space.next(ranges.last(row - 1)) === ranges.first(row) &&
    mayJoin(ranges.entry(row - 1), ranges.entry(row));
  for (let row = 0; row < ranges.length(); ) {
    let end = row + 1;
    while (touches(end)) end++;
    splitRun(ranges, space, { from: row, to: end, combine }, take);
    row = end;
  }
}

type Run = { readonly from: number; readonly to: number; readonly combine: Combine };

/** Rows `from` to `to` follow each other without a gap. */
function splitRun<T extends number | bigint>(
  ranges: Ranges<T>,
  space: Space<T>,
  { from, to, combine }: Run,
  take: TakeNetwork<T>,
): void {
  const last = ranges.last(to - 1);
  let row = from;
  for (let first = ranges.first(from); first <= last; ) {
    const { prefix, end } = space.network(first, last);
    while (ranges.last(row) < first) row++;
    let next = row + 1;
    if (next >= to || ranges.first(next) > end) take(first, prefix, ranges.entry(row));
    else {
      const entries = [ranges.entry(row)];
      for (; next < to && ranges.first(next) <= end; next++) entries.push(ranges.entry(next));
      take(first, prefix, combine(entries));
    }
    first = space.next(end);
  }
}

/** As `eachNetwork`, for IPv4: hundreds of thousands of ranges, of which most are one network by themselves. */
export function eachIpv4Network(ranges: Ipv4Ranges, joining: Joining, take: TakeNetwork<number>): void {
  const { firsts, lasts, entries } = ranges.columns();
  const mayJoin = (row: number): boolean => joining.mayJoin(entries[row - 1] ?? 0, entries[row] ?? 0);
  for (let row = 0; row < firsts.length; ) {
    let end = row + 1;
    while (firsts[end] === (lasts[end - 1] ?? 0) + 1 && mayJoin(end)) end++;
    const first = firsts[row] ?? 0;
    const last = lasts[row] ?? 0;
    const entry = entries[row] ?? 0;
    if (end > row + 1) splitRun(ranges, IPV4_SPACE, { from: row, to: end, combine: joining.combine }, take);
    else if (first === last) take(first, 32, entry);
    else
      for (let at = first; at <= last; ) {
        const network = IPV4_SPACE.network(at, last);
        take(at, network.prefix, entry);
        at = network.end + 1;
      }
    row = end;
  }
}

/** What promotion came to. */
export type Promoted = { readonly ranges: Ipv4Ranges; readonly unlisted: number };

export type Promotion = {
  readonly prefix: number;
  /** So many listed addresses make the whole network listed. */
  readonly count: number;
  /** Networks that hold one of these addresses stay as they are. */
  readonly allowed: Ranges<number>;
  readonly combine: Combine;
  /** Whether addresses of an entry are listed. */
  readonly isListed: (entry: number) => boolean;
};

/** Lists networks of `prefix` whole of which many addresses are listed, and counts the addresses that this adds. */
export function promote(ranges: Ipv4Ranges, promotion: Promotion): Promoted {
  const { prefix, combine, isListed } = promotion;
  const size = 2 ** (32 - prefix);
  const out = createIpv4Ranges(ranges.length());
  let unlisted = 0;
  let reached = 0;
  let row = 0;
  const copyUpTo = (end: number): void => {
    for (; row < ranges.length() && ranges.first(row) < end; row++) {
      const first = Math.max(ranges.first(row), reached);
      const last = ranges.last(row);
      if (first < end && first <= last) out.push(first, Math.min(last, end - 1), ranges.entry(row));
      if (last >= end) break;
    }
    reached = end;
  };
  eachDenseBlock(ranges, promotion, (block, listed) => {
    copyUpTo(block);
    const entries: number[] = [];
    for (let at = row; at < ranges.length() && ranges.first(at) < block + size; at++) {
      if (ranges.last(at) >= block && isListed(ranges.entry(at))) entries.push(ranges.entry(at));
    }
    out.push(block, block + size - 1, combine(entries));
    unlisted += size - listed;
    reached = block + size;
  });
  copyUpTo(2 ** 32);
  return { ranges: out, unlisted };
}

/** In ascending order the networks that are to be listed whole, with the number of their addresses that are listed already. */
function eachDenseBlock(
  ranges: Ipv4Ranges,
  { prefix, count, allowed, isListed }: Promotion,
  take: (block: number, listed: number) => void,
): void {
  const size = 2 ** (32 - prefix);
  let allowedRow = 0;
  const isAllowedIn = (first: number): boolean => {
    while (allowedRow < allowed.length() && allowed.last(allowedRow) < first) allowedRow++;
    return allowedRow < allowed.length() && allowed.first(allowedRow) < first + size;
  };
  const close = (block: number, listed: number): void => {
    if (listed >= count && listed < size && !isAllowedIn(block * size)) take(block * size, listed);
  };
  const { firsts, lasts, entries } = ranges.columns();
  let block = 0;
  let listed = 0;
  for (let row = 0; row < entries.length; row++) {
    if (!isListed(entries[row] ?? 0)) continue;
    const first = firsts[row] ?? 0;
    const last = lasts[row] ?? 0;
    const begin = Math.floor(first / size);
    const end = Math.floor(last / size);
    if (begin !== block) {
      close(block, listed);
      block = begin;
      listed = 0;
    }
    listed += Math.min(last, (begin + 1) * size - 1) - first + 1;
    if (end === begin) continue;
    // What lies between the first and the last block is whole.
    close(block, listed);
    block = end;
    listed = last - end * size + 1;
  }
  close(block, listed);
}
