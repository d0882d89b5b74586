import { sortRows } from "../blocklist-index/columns.ts";
import type { EntryTable } from "./entries.ts";
import type { ExportRowCollector, LabelledRows } from "./rows.ts";

/**
 * The rows of a collector that hold the highest scores, then the newest, then the first by value; and how many that would be blocked
 * are left out.
 */
export function limitRows(
  collector: ExportRowCollector,
  table: EntryTable,
  limit: number | null,
): LabelledRows & { readonly cut: number } {
  const entries = collector.entries();
  if (limit === null || entries.length <= limit) return { ...collector.rows(), cut: 0 };
  const isKept = keptOf(entries, table, limit);
  let cut = 0;
  for (let place = 0; place < entries.length; place++)
    if (isKept[place] === 0 && !table.isChallenged(entries[place] ?? 0)) cut++;
  return { ...collector.rows(isKept), cut };
}

/** 1 for each row that stays. Only rows of the score at which the limit falls need to be put in order. */
function keptOf(entries: Uint32Array, { best, lastSeen }: EntryTable, limit: number): Uint8Array {
  const scores = new Uint8Array(entries.length);
  const counts = new Uint32Array(101);
  for (let place = 0; place < entries.length; place++) {
    const score = best(entries[place] ?? 0);
    scores[place] = score;
    counts[score] = (counts[score] ?? 0) + 1;
  }
  let lowest = 100;
  let above = 0;
  for (; above + (counts[lowest] ?? 0) < limit; lowest--) above += counts[lowest] ?? 0;
  const isKept = new Uint8Array(entries.length);
  const last = new Uint32Array(counts[lowest] ?? 0);
  let lastCount = 0;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > lowest) isKept[place] = 1;
    else if (score === lowest) last[lastCount++] = place;
  }
  const newest = sortRows([last.map((place) => ~lastSeen(entries[place] ?? 0))]);
  for (const at of newest.subarray(0, limit - above)) isKept[last[at] ?? 0] = 1;
  return isKept;
}
