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

/** No labels yet. */
export function createLabelTable(): LabelTable {
  const sets = createSetCollector();
  let count = 0;
  const next = (): number => count++;
  const words: Words = {
    families: createWords(next),
    categories: createWords(next),
    sources: createWords(next),
  };
  const read: Label[] = [];
  const numberOf = (group: number[], isChallenged: boolean): number => {
    sets.begin();
    for (const word of ascending(group)) sets.add(word, 0);
    return sets.extend(0) * 2 + Number(isChallenged);
  };
  const distinct = createDistinct();
  return {
    add: ({ families, categories, sources, isChallenged }) => {
      const group: number[] = [];
      for (const text of families) group.push(words.families.idOf(text));
      for (const text of categories) group.push(words.categories.idOf(text));
      for (const text of sources) group.push(words.sources.idOf(text));
      return numberOf(group, isChallenged);
    },
    join: (numbers) => {
      distinct.begin();
      let before = -1;
      for (const number of numbers) {
        if (number !== before) sets.eachList(number >>> 1, distinct.add);
        before = number;
      }
      return numberOf(distinct.numbers(), numbers.every(isChallengedLabel));
    },
    read: (number) => {
      const known = read[number];
      if (known !== undefined) return known;
      const ids: number[] = [];
      sets.eachList(number >>> 1, (word) => ids.push(word));
      const label = {
        families: words.families.of(ids),
        categories: words.categories.of(ids),
        sources: words.sources.of(ids),
        isChallenged: isChallengedLabel(number),
      };
      read[number] = label;
      return label;
    },
  };
}

/** Collects small numbers, each once, again and again. */
function createDistinct() {
  const seen = createColumn();
  let round = 0;
  let numbers: number[] = [];
  return {
    begin: (): void => {
      round++;
      numbers = [];
    },
    add: (number: number): void => {
      while (seen.length() <= number) seen.push(0);
      if (seen.at(number) === round) return;
      seen.set(number, round);
      numbers.push(number);
    },
    numbers: () => numbers,
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

type Words = {
  readonly families: Vocabulary<string>;
  readonly categories: Vocabulary<Category>;
  readonly sources: Vocabulary<string>;
};

/** Words of one kind, each with the number that it has among those of all kinds. */
type Vocabulary<Word extends string> = {
  readonly idOf: (word: Word) => number;
  /** The words of those ids that are of this kind, sorted. */
  readonly of: (ids: readonly number[]) => readonly Word[];
};

function createWords<Word extends string>(next: () => number): Vocabulary<Word> {
  const ids = new Map<Word, number>();
  const byId: (Word | undefined)[] = [];
  return {
    idOf: (word) => {
      const known = ids.get(word);
      if (known !== undefined) return known;
      const id = next();
      ids.set(word, id);
      byId[id] = word;
      return id;
    },
    of: (all) => {
      const words: Word[] = [];
      for (const id of all) {
        const word = byId[id];
        if (word !== undefined) words.push(word);
      }
      return words.sort();
    },
  };
}
