import { z } from "zod";
import { type Sections, u8Section, u16Section, u32Section } from "../blocklist-index/snapshot.ts";
import { CATEGORIES } from "../engines/kind.ts";
import type { ExportEntry } from "./judge.ts";

/** What many entries have in common. */
export type Label = Pick<ExportEntry, "families" | "categories" | "sources" | "isChallenged">;

/** Labels by place, each combination once. */
export type Labels = {
  readonly count: number;
  /** One object for all that ask. */
  readonly at: (place: number) => Label;
  readonly isChallenged: (place: number) => boolean;
  /** Every word that a label has. */
  readonly vocabulary: Vocabulary;
  readonly columns: LabelColumns;
};

/** Words of labels, those of each kind sorted. */
const vocabularyShape = z.strictObject({
  families: z.array(z.string()),
  categories: z.array(z.enum(CATEGORIES)),
  sources: z.array(z.string()),
});
type Vocabulary = Readonly<z.infer<typeof vocabularyShape>>;

/** The words of label `i` are those from `ends[i - 1]` on, up to `ends[i]`: places in families, then categories, then sources. */
export type LabelColumns = {
  readonly vocabulary: Vocabulary;
  readonly ends: Uint32Array;
  readonly words: Uint16Array;
  /** 1: the policy challenges it. */
  readonly challenged: Uint8Array;
};

const NO_LABEL: Label = { families: [], categories: [], sources: [], isChallenged: false };

/** Reads columns; a label is made when it is first asked for. */
export function openLabels(columns: LabelColumns): Labels {
  const { vocabulary, ends, words, challenged } = columns;
  const { families, categories, sources } = vocabulary;
  const known: (Label | undefined)[] = [];
  const make = (place: number): Label => {
    let at = place === 0 ? 0 : (ends[place - 1] ?? 0);
    const of = <Word>(kind: readonly Word[], from: number): readonly Word[] => {
      const own: Word[] = [];
      for (; at < (ends[place] ?? 0); at++) {
        const word = kind[(words[at] ?? 0) - from];
        if (word === undefined) break;
        own.push(word);
      }
      return own;
    };
    return {
      families: of(families, 0),
      categories: of(categories, families.length),
      sources: of(sources, families.length + categories.length),
      isChallenged: challenged[place] === 1,
    };
  };
  return {
    count: ends.length,
    at: (place) => {
      if (place >= ends.length) return NO_LABEL;
      const label = known[place] ?? make(place);
      known[place] = label;
      return label;
    },
    isChallenged: (place) => challenged[place] === 1,
    vocabulary,
    columns,
  };
}

/** The columns as sections of a snapshot. */
export const labelSections = ({ columns }: Labels, prefix: string): Sections => ({
  [`${prefix}labels.vocabulary`]: new TextEncoder().encode(JSON.stringify(columns.vocabulary)),
  [`${prefix}labels.ends`]: columns.ends,
  [`${prefix}labels.words`]: columns.words,
  [`${prefix}labels.challenged`]: columns.challenged,
});

/** The labels of a snapshot. Throws where it has none under the prefix. */
export function labelsIn(sections: Sections, prefix: string): Labels {
  const text = new TextDecoder().decode(u8Section(sections, `${prefix}labels.vocabulary`));
  return openLabels({
    vocabulary: vocabularyShape.parse(JSON.parse(text)),
    ends: u32Section(sections, `${prefix}labels.ends`),
    words: u16Section(sections, `${prefix}labels.words`),
    challenged: u8Section(sections, `${prefix}labels.challenged`),
  });
}
