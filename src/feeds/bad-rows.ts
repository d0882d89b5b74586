import { readFileSync, statSync } from "node:fs";
import { printableLine, withoutHidden } from "../base/clean-text.ts";
import { InvalidValue } from "../base/failure.ts";
import { unpack } from "./archive.ts";
import type { FeedDefinition } from "./feed.ts";
import { readKept } from "./feed-store.ts";
import { feedTextOf } from "./feed-text.ts";
import type { FeedText } from "./formats/format.ts";
import { textOption } from "./formats/options.ts";
import { droppedRows } from "./load.ts";
import { isSystemError } from "./retrieval/retrieve.ts";

/** A row of a list that gives no entry. */
export type BadRow = {
  /** From 1; null where the format has no lines. Of a row over several lines it is the last one. */
  readonly line: number | null;
  /** Its beginning. */
  readonly text: string;
  readonly reason: string;
};

/** Rows that are shown of a list. */
const MAX_ROWS = 5;
const MAX_CHARS = 60;
/** Larger content is not read again. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The first rows of a list that give no entry: of the operator's file as it is now, of a download as it was last accepted.
 * Empty where there is nothing to read.
 */
export function badRowsOf(feed: FeedDefinition, keptDir: string): readonly BadRow[] {
  const rows: BadRow[] = [];
  try {
    const bytes = contentOf(feed, keptDir);
    if (bytes === null || bytes.byteLength > MAX_BYTES) return [];
    const { text, line } = countedLines(feedTextOf(bytes));
    for (const row of droppedRows(feed, text)) {
      const shown = withoutHidden(printableLine(row.text.slice(0, MAX_CHARS)));
      rows.push({ line: line(), text: shown, reason: row.reason });
      if (rows.length === MAX_ROWS) break;
    }
  } catch (error) {
    // Its last error says what is wrong with the whole.
    if (!(error instanceof InvalidValue) && !isSystemError(error)) throw error;
  }
  return rows;
}

function contentOf({ key, source, options }: FeedDefinition, keptDir: string): Uint8Array | null {
  if (source.kind !== "file") return readKept(keptDir, key)?.bytes ?? null;
  const found = statSync(source.path, { throwIfNoEntry: false });
  // A device or a pipe may never end.
  if (!found?.isFile() || found.size > MAX_BYTES) return null;
  return unpack(readFileSync(source.path), { maxBytes: MAX_BYTES, member: textOption(options, "member") });
}

/** The same text, and the number of the line that was read last. */
function countedLines(text: FeedText): { readonly text: FeedText; readonly line: () => number | null } {
  let last = 0;
  function* lines() {
    last = 0;
    for (const line of text.lines()) {
      last += 1;
      yield line;
    }
  }
  return { text: { ...text, lines }, line: () => (last === 0 ? null : last) };
}
