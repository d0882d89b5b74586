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
  /** Visits the lists of a set in ascending order. */
  readonly eachList: (set: number, visit: (list: number) => void) => void;
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
  const starts = createColumn();
  const lists = createColumn();
  const extras = createColumn();
  const find = createFinder({ starts, lists, extras });
  const group = { lists: new Uint32Array(256), extras: new Uint32Array(256), size: 0 };
  starts.push(0);
  starts.push(0);
  return {
    begin: () => {
      group.size = 0;
    },
    add: (list, extra) => {
      if (group.size === group.lists.length) {
        group.lists = doubled(group.lists);
        group.extras = doubled(group.extras);
      }
      group.lists[group.size] = list;
      group.extras[group.size++] = extra;
    },
    extend: (base) => {
      const first = lists.length();
      appendMerged({ lists, extras }, { from: starts.at(base), to: starts.at(base + 1) }, group);
      return find(first);
    },
    count: () => starts.length() - 1,
    eachList: (set, visit) => {
      for (let row = starts.at(set); row < starts.at(set + 1); row++) visit(lists.at(row));
    },
    sections: (prefix) => ({
      [`${prefix}.setStarts`]: starts.values(),
      [`${prefix}.setLists`]: Uint16Array.from(lists.values()),
      [`${prefix}.setExtras`]: narrowed(extras.values()),
    }),
  };
}

/** The sets that a collector wrote under `prefix`. */
export const openSets = (sections: Sections, prefix: string): SetTable => ({
  starts: u32Section(sections, `${prefix}.setStarts`),
  lists: u16Section(sections, `${prefix}.setLists`),
  extras: uintSection(sections, `${prefix}.setExtras`),
});

type Pairs = { readonly lists: NumberColumn; readonly extras: NumberColumn };
type Group = { readonly lists: Uint32Array; readonly extras: Uint32Array; readonly size: number };

/** Appends the pairs of the base set and of the group, both sorted by list; the group's win. */
function appendMerged(pairs: Pairs, base: { from: number; to: number }, group: Group): void {
  let row = base.from;
  for (let i = 0; i < group.size; i++) {
    const list = group.lists[i] ?? 0;
    for (; row < base.to && pairs.lists.at(row) < list; row++) copyPair(pairs, row);
    if (row < base.to && pairs.lists.at(row) === list) row++;
    pairs.lists.push(list);
    pairs.extras.push(group.extras[i] ?? 0);
  }
  for (; row < base.to; row++) copyPair(pairs, row);
}

function copyPair({ lists, extras }: Pairs, row: number): void {
  lists.push(lists.at(row));
  extras.push(extras.at(row));
}

/** Turns the pairs appended from row `first` on into a set: a known one, and they are dropped, or a new one. */
function createFinder({ starts, lists, extras }: Pairs & { readonly starts: NumberColumn }) {
  let table = new Uint32Array(1024);
  const hashes = createColumn();
  hashes.push(0);
  const equal = (id: number, first: number, size: number): boolean => {
    const from = starts.at(id);
    if (starts.at(id + 1) - from !== size) return false;
    for (let i = 0; i < size; i++) {
      if (lists.at(from + i) !== lists.at(first + i) || extras.at(from + i) !== extras.at(first + i))
        return false;
    }
    return true;
  };
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
    const size = lists.length() - first;
    const hash = hashOf({ lists, extras }, first);
    let slot = hash & (table.length - 1);
    for (let id = table[slot] ?? 0; id !== 0; id = table[slot] ?? 0) {
      if (hashes.at(id) === hash && equal(id, first, size)) {
        lists.truncate(first);
        extras.truncate(first);
        return id;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    if (hashes.length() * 2 > table.length) grow();
    const id = hashes.length();
    place(id, hash);
    hashes.push(hash);
    starts.push(lists.length());
    return id;
  };
}

function hashOf({ lists, extras }: Pairs, first: number): number {
  let hash = 0;
  for (let row = first; row < lists.length(); row++) {
    hash = Math.imul(hash ^ lists.at(row), 0x9e3779b1);
    hash = Math.imul((hash >>> 15) ^ hash ^ extras.at(row), 0x85ebca6b);
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
