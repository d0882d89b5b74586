import { IPV4_SPACE, type Ranges, type Space } from "./ranges.ts";

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

/** What promotion came to. */
export type Promoted = { readonly ranges: Ranges<number>; readonly unlisted: number };

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
export function promote(
  ranges: Ranges<number>,
  { prefix, count, allowed, combine, isListed }: Promotion,
): Promoted {
  const size = 2 ** (32 - prefix);
  const out = IPV4_SPACE.create();
  let unlisted = 0;
  let allowedRow = 0;
  const isAllowedIn = (first: number): boolean => {
    while (allowedRow < allowed.length() && allowed.last(allowedRow) < first) allowedRow++;
    return allowedRow < allowed.length() && allowed.first(allowedRow) < first + size;
  };
  const close = (block: number, parts: readonly Part[]): void => {
    const entries = parts.map(({ entry }) => entry).filter(isListed);
    const listed = parts.reduce(
      (sum, part) => sum + (isListed(part.entry) ? part.last - part.first + 1 : 0),
      0,
    );
    if (listed >= count && listed < size && !isAllowedIn(block)) {
      unlisted += size - listed;
      out.push(block, block + size - 1, combine(entries));
    } else for (const { first, last, entry } of parts) out.push(first, last, entry);
  };
  eachBlock(ranges, size, close);
  return { ranges: out, unlisted };
}

type Part = { readonly first: number; readonly last: number; readonly entry: number };

/** The parts of the ranges inside each block of `size` addresses; whole blocks of one range come together. */
function eachBlock(
  ranges: Ranges<number>,
  size: number,
  close: (block: number, parts: readonly Part[]) => void,
): void {
  let parts: Part[] = [];
  let block = 0;
  const put = (first: number, last: number, entry: number): void => {
    const own = Math.floor(first / size) * size;
    if (own !== block || parts.length === 0) {
      if (parts.length > 0) close(block, parts);
      parts = [];
      block = own;
    }
    parts.push({ first, last, entry });
  };
  for (let row = 0; row < ranges.length(); row++) {
    const [last, entry] = [ranges.last(row), ranges.entry(row)];
    for (let first = ranges.first(row); first <= last; ) {
      const end = Math.min(last, Math.floor(first / size) * size + size - 1);
      put(first, end, entry);
      first = end + 1;
    }
  }
  if (parts.length > 0) close(block, parts);
}
