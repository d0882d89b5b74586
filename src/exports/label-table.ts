import { z } from "zod";
import { doubled } from "../blocklist-index/columns.ts";
import { createSetCollector, type SetCollector } from "../blocklist-index/sets.ts";
import { CATEGORIES, type Category } from "../engines/kind.ts";
import { type Label, type Labels, openLabels } from "./labels.ts";

/** Labels by number: one for all that say the same. */
export type LabelTable = {
  readonly add: (label: Label) => number;
  /** The label of what some of the labels say; it is challenged where all of them are. */
  readonly join: (numbers: readonly number[]) => number;
  /** One more than the greatest number so far. */
  readonly count: () => number;
  /** The labels of some numbers, each at its place among them. */
  readonly pick: (numbers: readonly number[]) => Labels;
};

/** Whether the label of a number is one of what is challenged: that is told by its last bit, the others by a set of words. */
export const isChallengedLabel = (number: number): boolean => (number & 1) === 1;

/** No labels yet. */
export function createLabelTable(): LabelTable {
  const sets = createSetCollector();
  let count = 0;
  const next = (): number => count++;
  const kinds = [createWords(next), createWords(next), createWords(next)] as const;
  const [families, categories, sources] = kinds;
  const numberOf = (group: number[], isChallenged: boolean): number => {
    sets.begin();
    putInOrder(group, 0, group.length);
    for (const word of group) sets.add(word, 0);
    return sets.extend(0) * 2 + Number(isChallenged);
  };
  const distinct = createDistinct();
  return {
    add: (label) => {
      const group: number[] = [];
      for (const text of label.families) group.push(families.idOf(text));
      for (const text of label.categories) group.push(categories.idOf(text));
      for (const text of label.sources) group.push(sources.idOf(text));
      return numberOf(group, label.isChallenged);
    },
    join: (numbers) => {
      distinct.begin();
      let before = -1;
      const { starts, lists } = sets.table();
      for (const number of numbers) {
        const set = number >>> 1;
        if (number !== before)
          for (let row = starts[set] ?? 0; row < (starts[set + 1] ?? 0); row++) distinct.add(lists[row] ?? 0);
        before = number;
      }
      return numberOf(distinct.numbers(), numbers.every(isChallengedLabel));
    },
    count: () => sets.count() * 2,
    pick: (numbers) => pickLabels(numbers, { sets, kinds, wordCount: count }),
  };
}

type Picking = {
  readonly sets: SetCollector;
  readonly kinds: readonly Words[];
  readonly wordCount: number;
};

/** The same labels have the same columns, whatever else the table holds: words that none of them has are left out. */
function pickLabels(numbers: readonly number[], { sets, kinds, wordCount }: Picking): Labels {
  const isUsed = new Uint8Array(wordCount);
  let size = 0;
  const { starts, lists } = sets.table();
  for (const number of numbers) {
    const [from, to] = [starts[number >>> 1] ?? 0, starts[(number >>> 1) + 1] ?? 0];
    for (let row = from; row < to; row++) isUsed[lists[row] ?? 0] = 1;
    size += to - from;
  }
  const used = kinds.map((kind) => kind.sorted().filter(({ id }) => isUsed[id] === 1));
  const places = new Uint16Array(wordCount);
  for (const [place, { id }] of used.flat().entries()) places[id] = place;
  const ends = new Uint32Array(numbers.length);
  const words = new Uint16Array(size);
  let end = 0;
  for (const [i, number] of numbers.entries()) {
    const start = end;
    const to = starts[(number >>> 1) + 1] ?? 0;
    for (let row = starts[number >>> 1] ?? 0; row < to; row++) words[end++] = places[lists[row] ?? 0] ?? 0;
    putInOrder(words, start, end);
    ends[i] = end;
  }
  const [families = [], categories = [], sources = []] = used.map((some) => some.map(({ word }) => word));
  const vocabulary = { families, categories: categoriesOf(categories), sources };
  return openLabels({ vocabulary, ends, words, challenged: Uint8Array.from(numbers, (one) => one & 1) });
}

const categoriesOf = (words: readonly string[]): Category[] => z.array(z.enum(CATEGORIES)).parse(words);

/** Collects small numbers, each once, again and again. */
function createDistinct() {
  let seen = new Uint32Array(256);
  let round = 0;
  let numbers: number[] = [];
  return {
    begin: (): void => {
      round++;
      numbers = [];
    },
    add: (number: number): void => {
      while (seen.length <= number) seen = doubled(seen);
      if (seen[number] === round) return;
      seen[number] = round;
      numbers.push(number);
    },
    numbers: () => numbers,
  };
}

/** Puts numbers from one place up to another in order, which are so few that insertion is the fastest. */
function putInOrder<Numbers extends { [place: number]: number }>(
  numbers: Numbers,
  from: number,
  to: number,
): void {
  for (let i = from + 1; i < to; i++) {
    const number = numbers[i] ?? 0;
    let at = i;
    for (; at > from && (numbers[at - 1] ?? 0) > number; at--) numbers[at] = numbers[at - 1] ?? 0;
    numbers[at] = number;
  }
}

/** Words of one kind, each with the number that it has among those of all kinds. */
type Words = {
  readonly idOf: (word: string) => number;
  readonly sorted: () => readonly { readonly word: string; readonly id: number }[];
};

function createWords(next: () => number): Words {
  const ids = new Map<string, number>();
  return {
    idOf: (word) => {
      const known = ids.get(word);
      if (known !== undefined) return known;
      const id = next();
      ids.set(word, id);
      return id;
    },
    sorted: () => [...ids].map(([word, id]) => ({ word, id })).sort((a, b) => (a.word < b.word ? -1 : 1)),
  };
}
