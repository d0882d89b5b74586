import { createColumn, type NumberColumn } from "../blocklist-index/columns.ts";
import { wordsOf } from "../blocklist-index/regions.ts";
import { type Sections, u8Section, u32Section } from "../blocklist-index/snapshot.ts";
import { formatIpv4, formatIpv6 } from "../targets/ip.ts";
import type { EntryTable } from "./entries.ts";
import type { ExportEntry } from "./judge.ts";
import { type Labels, labelSections, labelsIn } from "./labels.ts";
import { createTextColumn, type TextColumns, textReader } from "./text-column.ts";

/*
 * The rows of a generation in columns, sorted by value: IPv4 networks, then IPv6 networks, then texts. The files of a
 * generation and of a difference are snapshots (blocklist-index/snapshot.ts) of these sections, each under a prefix:
 *
 *   v4.words (u32), v4.prefixes (u8)      network and prefix length of each IPv4 row
 *   v6.words (u32, four a row), v6.prefixes (u8)
 *   text.bytes (u8), text.ends (u32)      names, URLs and mailboxes as UTF-8
 *   score (u8), label (u32), last_seen (u32), first_seen (u32)   a value for each row; times in seconds, 0: not known
 *
 *   labels.vocabulary (u8: JSON), labels.ends (u32), labels.words (u16), labels.challenged (u8)   see labels.ts
 *
 * `label` is a place in the labels: families, categories, sources and whether the policy challenges it, each combination once.
 */

/** Rows in columns; `labels` belongs to the file that they stand in. */
export type ExportRows = {
  readonly v4: { readonly words: Uint32Array; readonly prefixes: Uint8Array };
  readonly v6: { readonly words: Uint32Array; readonly prefixes: Uint8Array };
  readonly text: TextColumns;
  readonly scores: Uint8Array;
  readonly labels: Uint32Array;
  readonly lastSeen: Uint32Array;
  readonly firstSeen: Uint32Array;
};

/** One row, read. */
export type ExportRow = ExportEntry & {
  /** An address, a CIDR, a name, a URL or a mailbox in its one spelling. */
  readonly value: string;
  readonly version: "v4" | "v6" | null;
  /** Prefix length of a network, null of a text. */
  readonly prefix: number | null;
};

export const countOf = ({ scores }: Pick<ExportRows, "scores">): number => scores.length;

/** The columns as sections of a snapshot. */
export const sectionsOf = ({ rows, labels }: LabelledRows, prefix: string): Sections => ({
  [`${prefix}v4.words`]: rows.v4.words,
  [`${prefix}v4.prefixes`]: rows.v4.prefixes,
  [`${prefix}v6.words`]: rows.v6.words,
  [`${prefix}v6.prefixes`]: rows.v6.prefixes,
  [`${prefix}text.bytes`]: rows.text.bytes,
  [`${prefix}text.ends`]: rows.text.ends,
  [`${prefix}score`]: rows.scores,
  [`${prefix}label`]: rows.labels,
  [`${prefix}last_seen`]: rows.lastSeen,
  [`${prefix}first_seen`]: rows.firstSeen,
  ...labelSections(labels, prefix),
});

/** The columns of a snapshot. Throws where it has none under the prefix. */
export const rowsIn = (sections: Sections, prefix: string): LabelledRows => ({
  labels: labelsIn(sections, prefix),
  rows: {
    v4: {
      words: u32Section(sections, `${prefix}v4.words`),
      prefixes: u8Section(sections, `${prefix}v4.prefixes`),
    },
    v6: {
      words: u32Section(sections, `${prefix}v6.words`),
      prefixes: u8Section(sections, `${prefix}v6.prefixes`),
    },
    text: {
      bytes: u8Section(sections, `${prefix}text.bytes`),
      ends: u32Section(sections, `${prefix}text.ends`),
    },
    scores: u8Section(sections, `${prefix}score`),
    labels: u32Section(sections, `${prefix}label`),
    lastSeen: u32Section(sections, `${prefix}last_seen`),
    firstSeen: u32Section(sections, `${prefix}first_seen`),
  },
});

/** Collects rows; each kind in ascending order, and the kinds in the order of the columns. Entries are told by number. */
export type ExportRowCollector = {
  readonly addIpv4: (network: number, prefix: number, entry: number) => void;
  readonly addIpv6: (network: bigint, prefix: number, entry: number) => void;
  readonly addText: (text: string, entry: number) => void;
  /** The number of the entry of each row so far. */
  readonly entries: () => Uint32Array;
  /** Given a flag for each row, only those with 1. */
  readonly rows: (isKept?: Uint8Array) => LabelledRows;
};

/** No rows yet of the entries; about so many are expected of IPv4. */
export function createRowCollector(entries: EntryTable, expected = 0): ExportRowCollector {
  const columns = createColumns(expected);
  const texts = createTextColumn();
  return {
    addIpv4: (network, prefix, entry) => {
      columns.v4.push(network);
      columns.v4Prefix.push(prefix);
      columns.entry.push(entry);
    },
    addIpv6: (network, prefix, entry) => {
      for (const word of wordsOf(network)) columns.v6.push(word);
      columns.v6Prefix.push(prefix);
      columns.entry.push(entry);
    },
    addText: (text, entry) => {
      texts.push(text);
      columns.entry.push(entry);
    },
    entries: columns.entry.values,
    rows: (isKept) => {
      const [v4, v6] = [columns.v4Prefix.length(), columns.v6Prefix.length()];
      const pick = (from: number, column: NumberColumn, width = 1): Uint32Array =>
        isKept === undefined
          ? column.values().slice()
          : picked(column.values(), isKept.subarray(from), width);
      const { labels, columns: said } = saidOf(pick(0, columns.entry), entries);
      return {
        labels,
        rows: {
          v4: { words: pick(0, columns.v4), prefixes: new Uint8Array(pick(0, columns.v4Prefix)) },
          v6: { words: pick(v4, columns.v6, 4), prefixes: new Uint8Array(pick(v4, columns.v6Prefix)) },
          text: texts.picked(isKept?.subarray(v4 + v6)),
          ...said,
        },
      };
    },
  };
}

const createColumns = (expected: number) => ({
  v4: createColumn(expected),
  v4Prefix: createColumn(expected),
  v6: createColumn(),
  v6Prefix: createColumn(),
  entry: createColumn(expected),
});

/** The values of the rows that are kept, `width` for each row. */
function picked(values: Uint32Array, isKept: Uint8Array, width: number): Uint32Array {
  const kept = createColumn();
  for (let at = 0; at < values.length; at++) {
    if (isKept[Math.floor(at / width)] === 1) kept.push(values[at] ?? 0);
  }
  return kept.values().slice();
}

/** What entries say, row by row. */
function saidOf(entries: Uint32Array, { columns, labels: table }: EntryTable) {
  const of = columns();
  const numbers: number[] = [];
  // One more than the place of an entry's label; 0: not met yet.
  const placeOf = new Uint32Array(of.label.length);
  const places = new Uint32Array(table.count());
  const placed = (entry: number): number => {
    const number = of.label[entry] ?? 0;
    const place = places[number] || numbers.push(number);
    places[number] = place;
    return place;
  };
  const [scores, labels] = [new Uint8Array(entries.length), new Uint32Array(entries.length)];
  const [lastSeen, firstSeen] = [new Uint32Array(entries.length), new Uint32Array(entries.length)];
  for (let row = 0; row < entries.length; row++) {
    const entry = entries[row] ?? 0;
    const place = placeOf[entry] || placed(entry);
    placeOf[entry] = place;
    labels[row] = place - 1;
    scores[row] = of.score[entry] ?? 0;
    lastSeen[row] = of.lastSeen[entry] ?? 0;
    firstSeen[row] = of.firstSeen[entry] ?? 0;
  }
  return { columns: { scores, labels, lastSeen, firstSeen }, labels: table.pick(numbers) };
}

type Value = Pick<ExportRow, "value" | "version" | "prefix">;

/** Reads the value of single rows. */
export function valueReader(rows: ExportRows): (place: number) => Value {
  const readText = textReader(rows.text);
  const v4 = rows.v4.prefixes.length;
  const v6 = rows.v6.prefixes.length;
  return (place) => {
    if (place < v4) return ipv4Value(rows, place);
    if (place < v4 + v6) return ipv6Value(rows, place - v4);
    return { value: readText(place - v4 - v6), version: null, prefix: null };
  };
}

/** Tells whether a text is the value of a row. */
export function textFinder(rows: ExportRows): (text: string) => boolean {
  const textAt = textReader(rows.text);
  return (text) => {
    let [low, high] = [0, rows.text.ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (textAt(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low < rows.text.ends.length && textAt(low) === text;
  };
}

/** Reads single rows: all columns of a place among `countOf(rows)`. */
export function rowReader(rows: ExportRows, labels: Labels): (place: number) => ExportRow {
  const valueAt = valueReader(rows);
  return (place) => ({
    ...valueAt(place),
    score: rows.scores[place] ?? 0,
    ...labels.at(rows.labels[place] ?? 0),
    lastSeen: rows.lastSeen[place] ?? 0,
    firstSeen: rows.firstSeen[place] ?? 0,
  });
}

function ipv4Value({ v4 }: ExportRows, place: number): Value {
  const prefix = v4.prefixes[place] ?? 32;
  const address = formatIpv4(v4.words[place] ?? 0);
  return { value: prefix === 32 ? address : `${address}/${prefix}`, version: "v4", prefix };
}

function ipv6Value({ v6 }: ExportRows, place: number): Value {
  const prefix = v6.prefixes[place] ?? 128;
  const [a = 0, b = 0, c = 0, d = 0] = v6.words.subarray(place * 4, place * 4 + 4);
  const address = formatIpv6([a, b, c, d]);
  return { value: prefix === 128 ? address : `${address}/${prefix}`, version: "v6", prefix };
}

/** Rows and the labels that they name by place. */
export type LabelledRows = { readonly rows: ExportRows; readonly labels: Labels };

/** The rows that files hold in order, one after the other: not those that are challenged. */
export function* eachRow({ rows, labels }: LabelledRows): Generator<ExportRow> {
  const read = rowReader(rows, labels);
  for (let place = 0; place < countOf(rows); place++) {
    const row = read(place);
    if (!row.isChallenged) yield row;
  }
}

/** How many rows files hold, of each family as well, and how many are challenged. */
export function countsOf({ rows, labels }: LabelledRows) {
  const challengedIn = (from: number, to: number): number => {
    let count = 0;
    for (let row = from; row < to; row++) count += Number(labels.isChallenged(rows.labels[row] ?? 0));
    return count;
  };
  const [v4, v6] = [rows.v4.prefixes.length, rows.v6.prefixes.length];
  const challenged = {
    v4: challengedIn(0, v4),
    v6: challengedIn(v4, v4 + v6),
    text: challengedIn(v4 + v6, countOf(rows)),
  };
  const all = challenged.v4 + challenged.v6 + challenged.text;
  return {
    entries: countOf(rows) - all,
    ipv4_entries: v4 - challenged.v4,
    ipv6_entries: v6 - challenged.v6,
    challenged_entries: all,
  };
}
