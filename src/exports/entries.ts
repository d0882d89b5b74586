import { createColumn, type NumberColumn } from "../blocklist-index/columns.ts";
import { createSetCollector } from "../blocklist-index/sets.ts";
import type { Combine } from "./aggregate.ts";
import type { ExportEntry } from "./judge.ts";
import { createLabelTable, isChallengedLabel, type LabelTable } from "./label-table.ts";

/** The entries of a build by number, each once: what they say stands in columns. */
export type EntryTable = {
  readonly add: (entry: ExportEntry) => number;
  readonly combine: Combine;
  /** The highest score of what was joined to an entry, whose own is the lowest. */
  readonly best: (entry: number) => number;
  readonly lastSeen: (entry: number) => number;
  readonly isChallenged: (entry: number) => boolean;
  /** What the entries so far say, by number; a label as its number in `labels`. */
  readonly columns: () => Readonly<Record<"label" | "score" | "lastSeen" | "firstSeen", Uint32Array>>;
  readonly labels: LabelTable;
};

/** An empty table. */
export function createEntryTable(): EntryTable {
  const labels = createLabelTable();
  const columns = createColumns();
  const { label, score, best, lastSeen, firstSeen } = columns;
  const intern = createFinder(columns);
  let latest: { readonly entry: ExportEntry; readonly number: number } | null = null;
  return {
    add: (entry) => {
      // Exports that count the same engines ask for one target after the other: it has been weighed once.
      if (latest?.entry === entry) return latest.number;
      const number = intern(labels.add(entry), entry.score, entry.score, entry.lastSeen, entry.firstSeen);
      latest = { entry, number };
      return number;
    },
    // The lowest score holds for all addresses of a network; what is named is what some of them are named for.
    combine: (members) => {
      const [only = 0] = members;
      if (members.every((member) => member === only)) return only;
      let [lowest, highest, newest, oldest] = [100, 0, 0, 0];
      for (const member of members) {
        lowest = Math.min(lowest, score.at(member));
        highest = Math.max(highest, best.at(member));
        newest = Math.max(newest, lastSeen.at(member));
        const first = firstSeen.at(member);
        if (first > 0 && (oldest === 0 || first < oldest)) oldest = first;
      }
      return intern(labels.join(members.map(label.at)), lowest, highest, newest, oldest);
    },
    best: best.at,
    lastSeen: lastSeen.at,
    isChallenged: (entry) => isChallengedLabel(label.at(entry)),
    columns: () => ({
      label: label.values(),
      score: score.values(),
      lastSeen: lastSeen.values(),
      firstSeen: firstSeen.values(),
    }),
    labels,
  };
}

const createColumns = () => ({
  label: createColumn(),
  score: createColumn(),
  best: createColumn(),
  lastSeen: createColumn(),
  firstSeen: createColumn(),
});

/** Finds the number of an entry that says just this, or gives the next one. */
function createFinder({
  label,
  score,
  best,
  lastSeen,
  firstSeen,
}: Record<keyof ReturnType<typeof createColumns>, NumberColumn>) {
  const sets = createSetCollector();
  const push = (...values: readonly [number, number, number, number, number]): void => {
    label.push(values[0]);
    score.push(values[1]);
    best.push(values[2]);
    lastSeen.push(values[3]);
    firstSeen.push(values[4]);
  };
  push(0, 0, 0, 0, 0); // the empty set is number 0
  return (ofLabel: number, lowest: number, highest: number, newest: number, oldest: number): number => {
    sets.begin();
    sets.add(0, ofLabel);
    sets.add(1, lowest);
    sets.add(2, highest);
    sets.add(3, newest);
    sets.add(4, oldest);
    const entry = sets.extend(0);
    if (entry === label.length()) push(ofLabel, lowest, highest, newest, oldest);
    return entry;
  };
}
