import type { Announcements } from "./ris-dump.ts";

/** A prefix that fewer of RIS's peers see is a leak, a test or private, and no route of the Internet. */
export const MIN_PEERS = 10;

/** More origins of one prefix than this are no routing but an attack; the most seen ones stay. */
const MAX_ORIGINS = 64;

/** A prefix that is seen, and all its origins, most seen first; the same array each time. */
export type TakeRoute = (upper: number, lower: number, length: number, origins: readonly number[]) => void;

/**
 * Gives every prefix that at least `MIN_PEERS` peers see, in the order of their first addresses, of equal ones the shorter
 * first. A peer sees one origin of a prefix, so that its origins' peers add up.
 */
export function forEachVisible(announced: Announcements, take: TakeRoute): void {
  const { uppers, lowers, lengths, origins, peers } = announced;
  const order = inOrder(announced);
  const all: number[] = [];
  for (let from = 0; from < order.length; ) {
    const head = order[from] ?? 0;
    const isSame = (row: number): boolean =>
      uppers[row] === uppers[head] && lowers[row] === lowers[head] && lengths[row] === lengths[head];
    let to = from;
    let seenBy = 0;
    all.length = 0;
    for (let row = head; to < order.length && isSame(row); row = order[to] ?? 0) {
      seenBy += peers[row] ?? 0;
      const origin = origins[row] ?? 0;
      if (all.length < MAX_ORIGINS && !all.includes(origin)) all.push(origin);
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
  // What is left to be sorted begins with the same word, and mostly it stands in order already.
  for (let from = 0; from < order.length; ) {
    const upper = uppers[order[from] ?? 0];
    let isSorted = true;
    let to = from + 1;
    for (; to < order.length && uppers[order[to] ?? 0] === upper; to++) {
      isSorted &&= compare(order[to - 1] ?? 0, order[to] ?? 0) <= 0;
    }
    if (!isSorted) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}

/** Numbers of the rows by the upper word and the length: as numbers of 64 bits they are sorted without a call for each pair. */
function roughOrder({ uppers, lengths }: Announcements): Uint32Array {
  const keys = new BigUint64Array(uppers.length);
  // Written as halves: a BigInt for each would be an object.
  const halves = new Uint32Array(keys.buffer);
  for (let row = 0; row < keys.length; row++) {
    halves[2 * row + HIGH] = uppers[row] ?? 0;
    halves[2 * row + 1 - HIGH] = (lengths[row] ?? 0) * MAX_ROWS + row;
  }
  keys.sort();
  return Uint32Array.from(keys, (_, place) => (halves[2 * place + 1 - HIGH] ?? 0) % MAX_ROWS);
}

/** Which half of a number of 64 bits is the upper one: 1 where the lower bytes come first. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** More rows than a dump may have; with lengths up to 64 they fit in a word of 32 bits. */
const MAX_ROWS = 2 ** 25;
