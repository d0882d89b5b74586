import { readFileSync, statSync } from "node:fs";
import { InvalidValue } from "../failure.ts";
import { unpack } from "./archive.ts";
import type { FeedDefinition } from "./feed.ts";
import { feedTextOf, headOf } from "./feed-text.ts";
import { textOption } from "./formats/options.ts";
import { MAX_LIST_BYTES, writeContent } from "./kept.ts";
import { type LoadCounts, loadFeed, notUnderstood } from "./load.ts";
import { publishedDate } from "./published-date.ts";

/** A retrieved file that may become the content of a list. */
export type Candidate = {
  readonly key: string;
  /** The operator's own file, or a download. */
  readonly path: string;
  /** Whether the server called it a web page. */
  readonly isHtmlType: boolean;
  /** Entries of the content before it, 0 when there is none to compare with. */
  readonly previousEntries: number;
};

/** What became of a candidate. Accepted content is kept; nothing names it yet. */
export type Verdict = { readonly key: string } & (
  | {
      readonly state: "accepted";
      readonly contentHash: string;
      readonly entries: number;
      readonly dropped: number;
      readonly publishedAt: string | null;
    }
  | { readonly state: "rejected"; readonly reason: string }
);

export type JudgeOptions = {
  readonly keptDir: string;
  readonly now: Date;
  /** Most bytes of a list, unpacked. */
  readonly maxBytes?: number;
};

/** Share of rows not understood above which a built-in list is rejected: its publisher changed the format. */
const MAX_BAD_SHARE = 0.2;
/** Share of all addresses above which a built-in list is rejected: the largest clouds hold a twentieth. */
const MAX_SHARE = 0.25;
/** Below this many entries before, any number may follow. */
const MIN_COMPARED_ENTRIES = 100;

/**
 * The guards that a retrieval must pass before it replaces the content before it: unpacked within bounds, no web page,
 * entries neither none nor too many nor suddenly halved nor half the internet. Runs in a process of its own. Rejects when the file system or
 * this program fails. Source: design 3.4, security P21.
 */
export async function judge(
  feed: FeedDefinition,
  candidate: Candidate,
  { keptDir, now, maxBytes = MAX_LIST_BYTES }: JudgeOptions,
): Promise<Verdict> {
  const { key } = feed;
  try {
    const bytes = readCandidate(feed, candidate.path, maxBytes);
    const head = headOf(bytes);
    if (isMarkup(head, candidate.isHtmlType)) return rejected(key, "The file is a web page, not a list");
    const counts = loadFeed(feed, feedTextOf(bytes), null);
    const reason = faultOf(feed, counts, candidate.previousEntries);
    if (reason !== null) return rejected(key, reason);
    const contentHash = await writeContent(keptDir, key, bytes);
    const { entries, dropped } = counts;
    return { key, state: "accepted", contentHash, entries, dropped, publishedAt: publishedDate(head, now) };
  } catch (error) {
    if (error instanceof InvalidValue) return rejected(key, error.message);
    throw error;
  }
}

const rejected = (key: string, reason: string): Verdict => ({ key, state: "rejected", reason });

function readCandidate(feed: FeedDefinition, path: string, maxBytes: number): Uint8Array {
  const { size } = statSync(path);
  if (size > maxBytes) throw new InvalidValue("size", `The file is larger than ${maxBytes} bytes`);
  return unpack(readFileSync(path), { maxBytes, member: textOption(feed.options, "member") });
}

/** No list begins with a tag, whatever its type; a list that is sent as HTML (PHP's default) has none at its head. */
const isMarkup = (head: string, isHtmlType: boolean): boolean =>
  head.trimStart().startsWith("<") || (isHtmlType && /<[a-z!/]/i.test(head));

function faultOf(feed: FeedDefinition, counts: LoadCounts, previous: number): string | null {
  const { entries, notUnderstood, share } = counts;
  if (entries === 0 && !feed.allowEmpty) return emptyReason(counts, feed.format);
  if (previous > MIN_COMPARED_ENTRIES && entries * 2 < previous && !(entries === 0 && feed.allowEmpty)) {
    return `The list shrank from ${previous} to ${entries} entries`;
  }
  if (feed.builtin && notUnderstood > MAX_BAD_SHARE * (entries + notUnderstood)) {
    return `${notUnderstood} of ${entries + notUnderstood} rows were not understood`;
  }
  if (feed.builtin && share > MAX_SHARE)
    return `The list names ${Math.round(100 * share)} % of all addresses`;
  return null;
}

function emptyReason({ dropped }: LoadCounts, format: string): string {
  if (dropped === 0) return "The list is empty";
  return notUnderstood(format).message;
}
