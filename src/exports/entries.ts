import type { Combine } from "./aggregate.ts";
import type { ExportEntry } from "./judge.ts";

/** The entries of one export by number, each once. */
export type EntryTable = {
  readonly add: (entry: ExportEntry) => number;
  readonly at: (id: number) => ExportEntry;
  /** The highest score of what was joined to an entry, whose own is the lowest. */
  readonly best: (id: number) => number;
  readonly combine: Combine;
};

/** An empty table. */
export function createEntryTable(): EntryTable {
  const entries: ExportEntry[] = [];
  const ids = new Map<string, number>();
  const bests: number[] = [];
  const joined = new Map<string, number>();
  const add = (entry: ExportEntry, best: number): number => {
    const key = `${labelKey(entry)}\n${entry.score} ${entry.lastSeen} ${entry.firstSeen} ${best}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, entries.length);
    bests.push(best);
    return entries.push(entry) - 1;
  };
  const at = (id: number): ExportEntry => entries[id] ?? NO_ENTRY;
  const best = (id: number): number => bests[id] ?? 0;
  return {
    add: (entry) => add(entry, entry.score),
    at,
    best,
    combine: (members) => {
      const distinct = [...new Set(members)].sort((a, b) => a - b);
      const [only = 0] = distinct;
      if (distinct.length === 1) return only;
      const key = distinct.join();
      const known = joined.get(key);
      if (known !== undefined) return known;
      const id = add(joinEntries(distinct.map(at)), Math.max(...distinct.map(best)));
      joined.set(key, id);
      return id;
    },
  };
}

/** The texts of an entry as one: none of them holds a comma or a new line. */
export const labelKey = ({
  families,
  categories,
  sources,
  isChallenged,
}: Pick<ExportEntry, "families" | "categories" | "sources" | "isChallenged">): string =>
  `${families.join()}\n${categories.join()}\n${sources.join()}\n${isChallenged}`;

const NO_ENTRY: ExportEntry = {
  score: 0,
  families: [],
  categories: [],
  sources: [],
  lastSeen: 0,
  firstSeen: 0,
  isChallenged: false,
};

/** The lowest score holds for all addresses of a network; what is named is what some of them are named for. */
function joinEntries(entries: readonly ExportEntry[]): ExportEntry {
  const firsts = entries.flatMap(({ firstSeen }) => (firstSeen === 0 ? [] : [firstSeen]));
  return {
    score: Math.min(...entries.map(({ score }) => score)),
    families: [...new Set(entries.flatMap(({ families }) => families))].sort(),
    categories: [...new Set(entries.flatMap(({ categories }) => categories))].sort(),
    sources: [...new Set(entries.flatMap(({ sources }) => sources))].sort(),
    lastSeen: Math.max(...entries.map(({ lastSeen }) => lastSeen)),
    firstSeen: firsts.length === 0 ? 0 : Math.min(...firsts),
    isChallenged: entries.every((one) => one.isChallenged),
  };
}
