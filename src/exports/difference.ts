import { numberOfWords } from "../blocklist-index/regions.ts";
import { createEntryTable } from "./entries.ts";
import type { Difference, Generation } from "./generation.ts";
import { countOf, createRowCollector, type ExportRows, rowReader, valueReader } from "./rows.ts";

/** What lies between two generations; null when they hold the same rows and say the same of each. */
export function differenceOf(before: Generation, after: Generation): Difference | null {
  const added = createCollection();
  const changed = createCollection();
  const removed = createCollection();
  const one = sideOf(before, removed);
  const other = sideOf(after, added);
  const again = sideOf(after, changed);
  const isSame = createComparison(before, after);
  const keepDiffering = (i: number, k: number): void => {
    // Blocked before and challenged now, or the other way round: it went, and came as something else.
    if (one.isChallenged(i) !== other.isChallenged(k)) {
      one.keep(i);
      other.keep(k);
    } else if (!isSame(i, k)) again.keep(k);
  };
  let [i, k] = [0, 0];
  while (i < one.count || k < other.count) {
    const order = i >= one.count ? 1 : k >= other.count ? -1 : compareRows(one, i, other, k);
    if (order < 0) one.keep(i++);
    else if (order > 0) other.keep(k++);
    else keepDiffering(i++, k++);
  }
  const came = added.collector.rows();
  const differs = changed.collector.rows();
  const went = removed.collector.rows();
  if ([came, differs, went].every(({ rows }) => countOf(rows) === 0)) return null;
  return {
    from: before.facts.generation,
    to: after.facts.generation,
    added: came,
    changed: differs,
    removed: went,
  };
}

function createCollection() {
  const entries = createEntryTable();
  return { entries, collector: createRowCollector(entries) };
}

type Side = {
  readonly rows: ExportRows;
  readonly count: number;
  readonly valueAt: ReturnType<typeof valueReader>;
  readonly isChallenged: (place: number) => boolean;
  readonly keep: (place: number) => void;
};

function sideOf(
  { rows, labels }: Generation,
  { entries, collector }: ReturnType<typeof createCollection>,
): Side {
  const read = rowReader(rows, labels);
  const v4 = rows.v4.prefixes.length;
  const v6 = rows.v6.prefixes.length;
  return {
    rows,
    count: countOf(rows),
    valueAt: valueReader(rows),
    isChallenged: (place) => labels.isChallenged(rows.labels[place] ?? 0),
    keep: (place) => {
      const row = read(place);
      const entry = entries.add(row);
      if (place < v4) collector.addIpv4(rows.v4.words[place] ?? 0, row.prefix ?? 32, entry);
      else if (place < v4 + v6) {
        const at = (place - v4) * 4;
        collector.addIpv6(numberOfWords(rows.v6.words.subarray(at, at + 4)), row.prefix ?? 128, entry);
      } else collector.addText(row.value, entry);
    },
  };
}

/** 0, 1 or 2: IPv4, IPv6 or text. */
const kindOf = ({ v4, v6 }: ExportRows, place: number): number =>
  place < v4.prefixes.length ? 0 : place < v4.prefixes.length + v6.prefixes.length ? 1 : 2;

function compareRows(one: Side, i: number, other: Side, k: number): number {
  const kind = kindOf(one.rows, i);
  const kinds = kind - kindOf(other.rows, k);
  if (kinds !== 0) return kinds;
  if (kind === 0) return compareIpv4(one.rows, i, other.rows, k);
  if (kind === 1) return compareIpv6(one.rows, i, other.rows, k);
  const [a, b] = [one.valueAt(i).value, other.valueAt(k).value];
  return a < b ? -1 : a > b ? 1 : 0;
}

const compareIpv4 = ({ v4: a }: ExportRows, i: number, { v4: b }: ExportRows, k: number): number =>
  (a.words[i] ?? 0) - (b.words[k] ?? 0) || (a.prefixes[i] ?? 0) - (b.prefixes[k] ?? 0);

function compareIpv6(one: ExportRows, i: number, other: ExportRows, k: number): number {
  const [a, b] = [i - one.v4.prefixes.length, k - other.v4.prefixes.length];
  for (let w = 0; w < 4; w++) {
    const order = (one.v6.words[a * 4 + w] ?? 0) - (other.v6.words[b * 4 + w] ?? 0);
    if (order !== 0) return order;
  }
  return (one.v6.prefixes[a] ?? 0) - (other.v6.prefixes[b] ?? 0);
}

/** Tells whether a row says the same as one of the other generation. Labels are compared once where they meet. */
function createComparison(before: Generation, after: Generation): (i: number, k: number) => boolean {
  const [one, other] = [before.rows, after.rows];
  const known = new Int32Array(before.labels.count).fill(-1);
  const isSameLabel = (a: number, b: number): boolean => {
    if (known[a] === b) return true;
    if (JSON.stringify(before.labels.at(a)) !== JSON.stringify(after.labels.at(b))) return false;
    known[a] = b;
    return true;
  };
  return (i, k) =>
    one.scores[i] === other.scores[k] &&
    one.lastSeen[i] === other.lastSeen[k] &&
    one.firstSeen[i] === other.firstSeen[k] &&
    isSameLabel(one.labels[i] ?? 0, other.labels[k] ?? 0);
}
