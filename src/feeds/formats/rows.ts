import type { ListingDetail } from "../../blocklist-index/types.ts";
import {
  type DroppedRow,
  droppedRow,
  type FeedFormat,
  type FeedText,
  type FormatOptions,
  MAX_LINE_CHARS,
  type RawEntry,
} from "./format.ts";

/** One line that says something: its text without blanks around it, and the comment behind it or "". */
export type ListRow = { readonly text: string; readonly comment: string };

/**
 * The rows of a text list: blanks trimmed, empty lines and lines starting `#`, `;` or `//` skipped, a trailing
 * comment (blank, then `#` or `;`) cut off and kept. Source: catalogue, "Common to all text formats".
 */
export function* rowsOf(text: FeedText): Generator<ListRow | DroppedRow> {
  for (const line of text.lines()) {
    if (typeof line !== "string") yield line;
    else {
      const row = rowOf(withoutPadding(line.trim()));
      if (row !== null) yield row;
    }
  }
}

/** Reads a text list row by row: each gives one entry, or any number of them. */
export const byRow = (
  read: (row: ListRow, options: FormatOptions) => RawEntry | readonly RawEntry[],
): FeedFormat["parse"] =>
  function* (text, options) {
    for (const row of rowsOf(text)) {
      const given = "dropped" in row ? row : read(row, options);
      if ("length" in given) yield* given;
      else yield given;
    }
  };

/** Records of fixed length are filled with NULs (catalogue, pitfall 8). A line of nothing else stays: a disk may leave it. */
function withoutPadding(line: string): string {
  if (!line.endsWith("\0")) return line;
  const bare = line.replaceAll("\0", "").trim();
  return bare === "" ? line : bare;
}

function rowOf(line: string): ListRow | null {
  if (line === "" || isComment(line)) return null;
  const cut = line.search(/\s[#;]/);
  if (cut < 0) return { text: line, comment: "" };
  return { text: line.slice(0, cut).trimEnd(), comment: line.slice(cut + 2).trim() };
}

/** Whether a trimmed line is a comment as a whole. */
export const isComment = (line: string): boolean =>
  line.startsWith("#") || line.startsWith(";") || line.startsWith("//");

/** A comment as the publisher's reason, or no detail. */
export const reasonDetail = (comment: string): { detail?: ListingDetail } =>
  comment === "" ? {} : { detail: { reason: comment } };

/** First blank-separated token. */
export const firstToken = (text: string): string => {
  const blank = text.search(/\s/);
  return blank < 0 ? text : text.slice(0, blank);
};

/** Splits decoded text at LF, CRLF or a lone CR; without CRs slices only, no copy of the text. */
export function* linesOf(text: string): Generator<string | DroppedRow> {
  // One copy for texts with CRs: looking for them line by line costs a search to the end of the text each time.
  const body = text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  for (let start = 0; start < body.length; ) {
    const lf = body.indexOf("\n", start);
    const end = lf < 0 ? body.length : lf;
    yield lineOf(body, start, end);
    start = end + 1;
  }
}

const lineOf = (text: string, start: number, end: number): string | DroppedRow =>
  end - start > MAX_LINE_CHARS ? droppedRow(text.slice(start, start + 120)) : text.slice(start, end);
