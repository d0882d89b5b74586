import { createGrowingUints } from "./growing.ts";
import type { Announcements } from "./ris-dump.ts";

/** A prefix that fewer of RIS's peers see is a leak, a test or private, and no route of the Internet. */
export const MIN_PEERS = 10;

/** Sets of origins by number. Most hold one AS; the others are ordered, the origin that most peers see first. */
export type OriginSets = {
  readonly numberOf: (origins: readonly number[]) => number;
  /** Set `n` is `members[offsets[n]]` up to `members[offsets[n + 1]]`. */
  readonly columns: () => { readonly offsets: Uint32Array; readonly members: Uint32Array };
};

export function createOriginSets(): OriginSets {
  const singles = new Map<number, number>();
  const others = new Map<string, number>();
  const offsets = createGrowingUints();
  const members = createGrowingUints();
  const add = (origins: readonly number[]): number => {
    offsets.push(members.length());
    for (const origin of origins) members.push(origin);
    return offsets.length() - 1;
  };
  return {
    numberOf: (origins) => {
      const [first = 0] = origins;
      const known = origins.length === 1 ? singles.get(first) : others.get(origins.join());
      if (known !== undefined) return known;
      const number = add(origins);
      if (origins.length === 1) singles.set(first, number);
      else others.set(origins.join(), number);
      return number;
    },
    columns: () => ({
      offsets: Uint32Array.from([...offsets.values(), members.length()]),
      members: members.values().slice(),
    }),
  };
}

/** A prefix that is seen, and all its origins, most seen first. */
export type TakeRoute = (upper: number, lower: number, length: number, origins: readonly number[]) => void;

/**
 * Gives every prefix that at least `MIN_PEERS` peers see, in the order of their first addresses, of equal ones the shorter
 * first. A peer sees one origin of a prefix, so that its origins' peers add up.
 */
export function forEachVisible(announced: Announcements, take: TakeRoute): void {
  const { uppers, lowers, lengths, origins, peers } = announced;
  const order = inOrder(announced);
  for (let from = 0; from < order.length; ) {
    const head = order[from] ?? 0;
    const isSame = (row: number): boolean =>
      uppers[row] === uppers[head] && lowers[row] === lowers[head] && lengths[row] === lengths[head];
    let to = from;
    let seenBy = 0;
    const all: number[] = [];
    for (let row = head; to < order.length && isSame(row); row = order[to] ?? 0) {
      seenBy += peers[row] ?? 0;
      const origin = origins[row] ?? 0;
      if (!all.includes(origin)) all.push(origin);
      to++;
    }
    if (seenBy >= MIN_PEERS) take(uppers[head] ?? 0, lowers[head] ?? 0, lengths[head] ?? 0, all);
    from = to;
  }
}

/** Numbers of the rows by first address, length, peers (most first) and origin. */
function inOrder(announced: Announcements): Uint32Array {
  const { uppers, lowers, lengths, origins, peers } = announced;
  const order = roughOrder(announced);
  const compare = (a: number, b: number): number =>
    (uppers[a] ?? 0) - (uppers[b] ?? 0) ||
    (lowers[a] ?? 0) - (lowers[b] ?? 0) ||
    (lengths[a] ?? 0) - (lengths[b] ?? 0) ||
    (peers[b] ?? 0) - (peers[a] ?? 0) ||
    (origins[a] ?? 0) - (origins[b] ?? 0);
  // A million comparisons cost less than a sort, and a sort of what is nearly in order less than one of what is not.
  for (let i = 1; i < order.length; i++) {
    if (compare(order[i - 1] ?? 0, order[i] ?? 0) > 0) return order.sort(compare);
  }
  return order;
}

/** Numbers of the rows by the upper word and the length: as numbers of 64 bits they are sorted without a call for each pair. */
function roughOrder({ uppers, lengths }: Announcements): Uint32Array {
  const keys = new BigUint64Array(uppers.length);
  for (let row = 0; row < keys.length; row++) {
    keys[row] = (BigInt(uppers[row] ?? 0) << 32n) | BigInt((lengths[row] ?? 0) * MAX_ROWS + row);
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => Number(key & ROW_BITS));
}

/** More rows than a dump may have; with lengths up to 64 they fit in a word of 32 bits. */
const MAX_ROWS = 2 ** 25;
const ROW_BITS = BigInt(MAX_ROWS - 1);
