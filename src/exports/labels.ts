import { createColumn } from "../blocklist-index/columns.ts";
import { createSetCollector } from "../blocklist-index/sets.ts";
import type { Category } from "../engines/kind.ts";
import type { ExportEntry } from "./judge.ts";

/** What many entries have in common. */
export type Label = Pick<ExportEntry, "families" | "categories" | "sources" | "isChallenged">;

/** Labels by number: one for all that say the same. */
export type LabelTable = {
  readonly add: (label: Label) => number;
  /** The label of what some of the labels say; it is challenged where all of them are. */
  readonly join: (numbers: readonly number[]) => number;
  /** One object for all that ask. */
  readonly read: (number: number) => Label;
};

/** Whether the label of a number is one of what is challenged: that is told by its last bit, the others by a set of words. */
export const isChallengedLabel = (number: number): boolean => (number & 1) === 1;

type Word =
  | { readonly kind: "categories"; readonly text: Category }
  | { readonly kind: "families" | "sources"; readonly text: string };

/** No labels yet. */
export function createLabelTable(): LabelTable {
  const sets = createSetCollector();
  const words: Word[] = [];
  const ids: Record<Word["kind"], Map<string, number>> = {
    families: new Map(),
    categories: new Map(),
    sources: new Map(),
  };
  const read: Label[] = [];
  const numberOf = (group: number[], isChallenged: boolean): number => {
    sets.begin();
    for (const word of ascending(group)) sets.add(word, 0);
    return sets.extend(0) * 2 + Number(isChallenged);
  };
  const idOf = (word: Word): number => {
    const known = ids[word.kind].get(word.text);
    if (known !== undefined) return known;
    ids[word.kind].set(word.text, words.length);
    return words.push(word) - 1;
  };
  let round = 0;
  const seen = createColumn();
  /** Whether a word was not seen yet in this round. */
  const isNew = (word: number): boolean => {
    while (seen.length() <= word) seen.push(0);
    if (seen.at(word) === round) return false;
    seen.set(word, round);
    return true;
  };
  return {
    add: ({ families, categories, sources, isChallenged }) => {
      const group: number[] = [];
      for (const text of families) group.push(idOf({ kind: "families", text }));
      for (const text of categories) group.push(idOf({ kind: "categories", text }));
      for (const text of sources) group.push(idOf({ kind: "sources", text }));
      return numberOf(group, isChallenged);
    },
    join: (numbers) => {
      round++;
      const group: number[] = [];
      let before = -1;
      for (const number of numbers) {
        if (number === before) continue;
        for (const word of sets.listsOf(number >>> 1)) if (isNew(word)) group.push(word);
        before = number;
      }
      return numberOf(group, numbers.every(isChallengedLabel));
    },
    read: (number) =>
      (read[number] ??= labelOf(sets.listsOf(number >>> 1), words, isChallengedLabel(number))),
  };
}

/** Puts so few numbers in order that insertion is the fastest. */
function ascending(numbers: number[]): readonly number[] {
  for (let i = 1; i < numbers.length; i++) {
    const number = numbers[i] ?? 0;
    let at = i;
    for (; at > 0 && (numbers[at - 1] ?? 0) > number; at--) numbers[at] = numbers[at - 1] ?? 0;
    numbers[at] = number;
  }
  return numbers;
}

function labelOf(set: Uint32Array, words: readonly Word[], isChallenged: boolean): Label {
  const families: string[] = [];
  const categories: Category[] = [];
  const sources: string[] = [];
  for (const id of set) {
    const word = words[id];
    if (word?.kind === "categories") categories.push(word.text);
    else if (word !== undefined) (word.kind === "sources" ? sources : families).push(word.text);
  }
  return { families: families.sort(), categories: categories.sort(), sources: sources.sort(), isChallenged };
}
