import { sortRows } from "../blocklist-index/columns.ts";
import type { EntryTable } from "./entries.ts";
import type { ExportRowCollector, LabelledRows } from "./rows.ts";

/**
 * The rows of a collector that hold the highest scores, then the newest, then the first by value; and how many that would be blocked
 * are left out.
 */
export function limitRows(
  collector: ExportRowCollector,
  { best, lastSeen, isChallenged }: EntryTable,
  limit: number | null,
): LabelledRows & { readonly cut: number } {
  const entries = collector.entries();
  if (limit === null || entries.length <= limit) return { ...collector.rows(), cut: 0 };
  const places = sortRows([
    entries.map((entry) => 100 - best(entry)),
    entries.map((entry) => ~lastSeen(entry)),
  ]);
  const isKept = new Uint8Array(entries.length);
  for (const place of places.subarray(0, limit)) isKept[place] = 1;
  let cut = 0;
  for (const place of places.subarray(limit)) if (!isChallenged(entries[place] ?? 0)) cut++;
  return { ...collector.rows(isKept), cut };
}
