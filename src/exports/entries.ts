import type { Combine } from "./aggregate.ts";
import type { ExportEntry } from "./judge.ts";

/** What many entries have in common. */
export type Label = Pick<ExportEntry, "families" | "categories" | "sources" | "isChallenged">;

/** Entries by number. */
export type Entries = {
  readonly at: (entry: number) => ExportEntry;
  /** The label of an entry: one object for all entries of a build that have it. */
  readonly label: (entry: number) => Label;
};

/** The entries of a build by number, each once. */
export type EntryTable = Entries & {
  readonly add: (entry: ExportEntry) => number;
  /** The highest score of what was joined to an entry, whose own is the lowest. */
  readonly best: (entry: number) => number;
  readonly combine: Combine;
};

/** Entries in the order in which they come, each as often as it comes. */
export type EntryList = Entries & { readonly add: (entry: ExportEntry) => number };

/** An empty list. */
export function createEntryList(): EntryList {
  const labels = createLabels();
  const entries: ExportEntry[] = [];
  const at = (entry: number): ExportEntry => entries[entry] ?? NO_ENTRY;
  return {
    add: (entry) => entries.push(entry) - 1,
    at,
    label: (entry) => labels(at(entry)).label,
  };
}

/** An empty table. */
export function createEntryTable(): EntryTable {
  const labels = createLabels();
  const entries: ExportEntry[] = [];
  const ids = new Map<string, number>();
  const bests: number[] = [];
  const ofEntries: Label[] = [];
  const joined = new Map<string, number>();
  const add = (entry: ExportEntry, best: number): number => {
    const { id, label } = labels(entry);
    const key = `${id} ${entry.score} ${entry.lastSeen} ${entry.firstSeen} ${best}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, entries.length);
    bests.push(best);
    ofEntries.push(label);
    return entries.push(entry) - 1;
  };
  const at = (entry: number): ExportEntry => entries[entry] ?? NO_ENTRY;
  const best = (entry: number): number => bests[entry] ?? 0;
  let latest = { entry: NO_ENTRY, number: -1 };
  return {
    add: (entry) => {
      // Exports that count the same engines ask for one target after the other: it has been weighed once.
      if (latest.entry !== entry) latest = { entry, number: add(entry, entry.score) };
      return latest.number;
    },
    at,
    label: (entry) => ofEntries[entry] ?? NO_ENTRY,
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

type NumberedLabel = { readonly id: number; readonly label: Label };

/** Finds the one label of all that say the same. */
type Labels = (label: Label) => NumberedLabel;

/** No labels yet. */
function createLabels(): Labels {
  const byKey = new Map<string, NumberedLabel>();
  return ({ families, categories, sources, isChallenged }) => {
    // None of the texts holds a comma or a new line.
    const key = `${families.join()}\n${categories.join()}\n${sources.join()}\n${isChallenged}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const made = { id: byKey.size, label: { families, categories, sources, isChallenged } };
    byKey.set(key, made);
    return made;
  };
}

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
