import { createColumn, type NumberColumn, sortRows } from "./columns.ts";

/**
 * Collected entries of one kind, a row each. `words` are an address (host bits clear, most significant word
 * first), an AS number, or the two halves of a text's hash.
 */
export type IndexRows = {
  readonly words: readonly NumberColumn[];
  /** Prefix length × 65,536 + list; the prefix length is 0 where there is none. */
  readonly ranks: NumberColumn;
  readonly details: NumberColumn;
};

/** No rows yet, for keys of `width` words. */
export const createRows = (width: number): IndexRows => ({
  words: Array.from({ length: width }, createColumn),
  ranks: createColumn(),
  details: createColumn(),
});

/** Drops the rows from `length` on. */
export function truncate({ words, ranks, details }: IndexRows, length: number): void {
  for (const column of [...words, ranks, details]) column.truncate(length);
}

/** Rows with the order of their keys, then prefix lengths, then lists; doubles as they were added. */
export type SortedRows = {
  readonly words: readonly Uint32Array[];
  readonly ranks: Uint32Array;
  readonly details: Uint32Array;
  /** Row numbers. */
  readonly order: Uint32Array;
};

/** Sorts the rows by number, without moving them. */
export function sorted(rows: IndexRows): SortedRows {
  const words = rows.words.map((column) => column.values());
  const ranks = rows.ranks.values();
  return { words, ranks, details: rows.details.values(), order: sortRows([...words, ranks]) };
}

/** What is to be done with the entries of one key and prefix length. */
export type EntryMerge = {
  /** Of two details of one list's doubles, the one to keep. */
  readonly newer: (one: number, other: number) => number;
  /** Each list once, in ascending order. */
  readonly entry: (rank: number, detail: number) => void;
};

/** Visits the entries that share key and prefix length with the one at `from`; returns the place after them. */
export function visitEqual(rows: SortedRows, from: number, visit: EntryMerge): number {
  const { ranks, details, order } = rows;
  const first = order[from] ?? 0;
  let i = from;
  let rank = ranks[first] ?? 0;
  let detail = 0;
  do {
    const row = order[i] ?? 0;
    const next = ranks[row] ?? 0;
    if (next !== rank) {
      visit.entry(rank, detail);
      rank = next;
      detail = 0;
    }
    detail = visit.newer(detail, details[row] ?? 0);
    i++;
  } while (i < order.length && isEqual(rows, first, order[i] ?? 0));
  visit.entry(rank, detail);
  return i;
}

function isEqual({ words, ranks }: SortedRows, one: number, other: number): boolean {
  for (let w = words.length - 1; w >= 0; w--) {
    const column = words[w];
    if (column !== undefined && column[one] !== column[other]) return false;
  }
  return (ranks[one] ?? 0) >>> 16 === (ranks[other] ?? 0) >>> 16;
}
