import { createColumn, doubled, type NumberColumn, narrowed } from "./columns.ts";
import { type Sections, type Uints, u16Section, u32Section, uintSection } from "./snapshot.ts";

/**
 * Distinct sets of (list, extra), at most one pair per list, sorted by list; set 0 is empty. For addresses the
 * extra is the prefix length of the list's entry, for names, URLs and AS numbers its detail.
 */
export type SetCollector = {
  /** Begins a group: the entries that stand at one and the same place. */
  readonly begin: () => void;
  /** Adds a pair to the group; lists in ascending order, each once. */
  readonly add: (list: number, extra: number) => void;
  /** The set `base` with the group's pairs in place of its own pairs of the same lists. */
  readonly extend: (base: number) => number;
  readonly count: () => number;
  /** The sets so far, as views that the next `extend` may leave behind. */
  readonly table: () => Pick<SetTable, "starts"> & {
    readonly lists: Uint32Array;
    readonly extras: Uint32Array;
  };
  readonly sections: (prefix: string) => Sections;
};

/** The sets of a compiled index; the pairs of set `s` are the rows `starts[s]` to `starts[s + 1]`. */
export type SetTable = {
  readonly starts: Uint32Array;
  readonly lists: Uint16Array;
  readonly extras: Uints;
};

/** Collects sets with nothing but numbers: no string keys, no object per set. */
export function createSetCollector(): SetCollector {
  const pairs = createPairs();
  const group = createPairs();
  const starts = createColumn();
  starts.push(0);
  starts.push(0);
  const find = createFinder(pairs, starts);
  return {
    begin: () => {
      group.size = 0;
    },
    add: (list, extra) => addPair(group, list, extra),
    extend: (base) => {
      const first = pairs.size;
      appendMerged(pairs, { from: starts.at(base), to: starts.at(base + 1) }, group);
      return find(first);
    },
    count: () => starts.length() - 1,
    table: () => ({
      starts: starts.values(),
      lists: pairs.lists.subarray(0, pairs.size),
      extras: pairs.extras.subarray(0, pairs.size),
    }),
    sections: (prefix) => ({
      [`${prefix}.setStarts`]: starts.values(),
      [`${prefix}.setLists`]: Uint16Array.from(pairs.lists.subarray(0, pairs.size)),
      [`${prefix}.setExtras`]: narrowed(pairs.extras.subarray(0, pairs.size)),
    }),
  };
}

/** The sets that a collector wrote under `prefix`. */
export const openSets = (sections: Sections, prefix: string): SetTable => ({
  starts: u32Section(sections, `${prefix}.setStarts`),
  lists: u16Section(sections, `${prefix}.setLists`),
  extras: uintSection(sections, `${prefix}.setExtras`),
});

/** Growing columns of pairs: read and written in loops over millions. */
type Pairs = { lists: Uint32Array<ArrayBuffer>; extras: Uint32Array<ArrayBuffer>; size: number };

const createPairs = (): Pairs => ({ lists: new Uint32Array(256), extras: new Uint32Array(256), size: 0 });

function addPair(pairs: Pairs, list: number, extra: number): void {
  if (pairs.size === pairs.lists.length) {
    pairs.lists = doubled(pairs.lists);
    pairs.extras = doubled(pairs.extras);
  }
  pairs.lists[pairs.size] = list;
  pairs.extras[pairs.size++] = extra;
}

/** Appends the pairs of the base set and of the group, both sorted by list; the group's win. */
function appendMerged(pairs: Pairs, base: { from: number; to: number }, group: Pairs): void {
  let row = base.from;
  for (let i = 0; i < group.size; i++) {
    const list = group.lists[i] ?? 0;
    for (; row < base.to && (pairs.lists[row] ?? 0) < list; row++) copyPair(pairs, row);
    if (row < base.to && pairs.lists[row] === list) row++;
    addPair(pairs, list, group.extras[i] ?? 0);
  }
  for (; row < base.to; row++) copyPair(pairs, row);
}

const copyPair = (pairs: Pairs, row: number): void =>
  addPair(pairs, pairs.lists[row] ?? 0, pairs.extras[row] ?? 0);

/** Turns the pairs appended from row `first` on into a set: a known one, and they are dropped, or a new one. */
function createFinder(pairs: Pairs, starts: NumberColumn) {
  let table = new Uint32Array(1024);
  const hashes = createColumn();
  hashes.push(0);
  const place = (id: number, hash: number): void => {
    let slot = hash & (table.length - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = id;
  };
  const grow = (): void => {
    table = new Uint32Array(table.length * 2);
    for (let id = 1; id < hashes.length(); id++) place(id, hashes.at(id));
  };
  return (first: number): number => {
    const hash = hashOf(pairs, first);
    let slot = hash & (table.length - 1);
    for (let id = table[slot] ?? 0; id !== 0; id = table[slot] ?? 0) {
      if (hashes.at(id) === hash && isSame(pairs, first, { from: starts.at(id), to: starts.at(id + 1) })) {
        pairs.size = first;
        return id;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    if (hashes.length() * 2 > table.length) grow();
    const id = hashes.length();
    place(id, hash);
    hashes.push(hash);
    starts.push(pairs.size);
    return id;
  };
}

/** Whether the pairs from row `first` to the end are those of a set. */
function isSame({ lists, extras, size }: Pairs, first: number, set: { from: number; to: number }): boolean {
  if (set.to - set.from !== size - first) return false;
  for (let row = first, other = set.from; row < size; row++, other++) {
    if (lists[row] !== lists[other] || extras[row] !== extras[other]) return false;
  }
  return true;
}

function hashOf({ lists, extras, size }: Pairs, first: number): number {
  let hash = 0;
  for (let row = first; row < size; row++) {
    hash = Math.imul(hash ^ (lists[row] ?? 0), 0x9e3779b1);
    hash = Math.imul((hash >>> 15) ^ hash ^ (extras[row] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

/** The longest prefix in each set of an address family: that of the innermost network around its addresses. */
export function longestPrefixes({ starts, extras }: SetTable): Uint8Array {
  const longest = new Uint8Array(starts.length - 1);
  for (let set = 0; set < longest.length; set++) {
    const end = starts[set + 1] ?? 0;
    let most = 0;
    for (let row = starts[set] ?? 0; row < end; row++) most = Math.max(most, extras[row] ?? 0);
    longest[set] = most;
  }
  return longest;
}
