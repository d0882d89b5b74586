import { readFileSync, statSync } from "node:fs";
import { octetsWithoutHidden } from "../../base/clean-text.ts";
import { InvalidValue } from "../../base/failure.ts";
import { unpack } from "../archive.ts";
import type { FeedDefinition } from "../feed.ts";
import { MAX_LIST_BYTES, writeContent } from "../feed-store.ts";
import { feedTextOf, headOf } from "../feed-text.ts";
import { textOption } from "../formats/options.ts";
import { type LoadCounts, loadFeed, notUnderstood, type Sink } from "../load.ts";
import { NO_PREVIOUS, type Previous } from "../state.ts";
import { type CountTable, isTable, type Retrieved, type TableDefinition } from "../table.ts";
import { pastOrNull, publishedDate } from "./published-date.ts";
import { cannotKeep, isSystemError } from "./retrieve.ts";

/** A retrieved file that may become the content of a list. */
export type Candidate = {
  readonly key: string;
  /** The operator's own file, or a download. */
  readonly path: string;
  /** Whether the server called it a web page. */
  readonly isHtmlType: boolean;
  readonly previous: Previous;
};

/** What became of a candidate. Accepted content is kept; nothing names it yet. */
export type ContentVerdict = { readonly key: string } & (
  | {
      readonly state: "accepted";
      readonly contentHash: string;
      readonly entries: number;
      readonly dropped: number;
      readonly publishedAt: string | null;
    }
  | Rejected
);

type Rejected = {
  readonly state: "rejected";
  readonly reason: string;
  /** It says nothing of the list: the disk is full, say. */
  readonly isOurs?: true;
};

export type JudgeOptions = {
  readonly keptDir: string;
  readonly now: Date;
  /** Most bytes of a list, unpacked. */
  readonly maxBytes?: number;
  /** Who reads tables; needed where there are any. */
  readonly countTable?: CountTable;
};

/**
 * Judges a retrieved file, and keeps it as the content of the list or table when it passes. Runs in a process of its own. Rejects when
 * this program fails. Source: design 3.4, security P21.
 */
export async function judge(
  definition: Retrieved,
  candidate: Candidate,
  options: JudgeOptions,
): Promise<ContentVerdict> {
  const { key } = candidate;
  try {
    return isTable(definition)
      ? await judgeTable(definition, candidate, options)
      : await judgeList(definition, candidate, options);
  } catch (error) {
    if (error instanceof InvalidValue) return { key, ...rejected(error.message) };
    if (isSystemError(error)) return { key, ...rejected(cannotKeep(error)), isOurs: true };
    throw error;
  }
}

/** Who was sent a key, a header or a password may repeat it in any row, and rows are kept, shown and exported. */
const isSentSecrets = (source: FeedDefinition["source"]): boolean =>
  source.kind === "web" &&
  (source.auth != null || Object.keys(source.headers).length > 0 || source.url.includes("@"));

async function judgeList(
  feed: FeedDefinition,
  { key, path, isHtmlType, previous }: Candidate,
  { keptDir, now, maxBytes = MAX_LIST_BYTES }: JudgeOptions,
): Promise<ContentVerdict> {
  const content = readCandidate(path, maxBytes, textOption(feed.options, "member"));
  const bytes = isSentSecrets(feed.source) ? octetsWithoutHidden(content) : content;
  const judged = judgeContent(feed, bytes, { isHtmlType, previous });
  if (judged.state === "rejected") return { key, ...judged };
  const contentHash = await writeContent(keptDir, key, bytes);
  const { entries, dropped, publishedAt: said } = judged.counts;
  const publishedAt = said === null ? publishedDate(headOf(bytes), now) : pastOrNull(said, now);
  return { key, state: "accepted", contentHash, entries, dropped, publishedAt };
}

/**
 * A table passes when its reader takes it, nearly all of its rows are understood, and it is about as large as before: a
 * routing table or a geography loses a tenth at once only when its publisher fails. Source: the rules of lists, with numbers
 * of its own.
 */
async function judgeTable(
  { table, minEntries }: TableDefinition,
  { key, path, isHtmlType, previous }: Candidate,
  { keptDir, maxBytes = MAX_LIST_BYTES, countTable }: JudgeOptions,
): Promise<ContentVerdict> {
  if (countTable === undefined) throw new Error("This process cannot read tables");
  const bytes = readCandidate(path, maxBytes, null);
  if (bytes.length === 0) return { key, ...rejected("The file is empty") };
  try {
    const { entries, dropped, publishedAt } = countTable(table, bytes);
    const reason = tableFault({ entries, dropped, minEntries, previous });
    if (reason !== null) return { key, ...rejected(reason) };
    const contentHash = await writeContent(keptDir, key, bytes);
    return { key, state: "accepted", contentHash, entries, dropped, publishedAt };
  } catch (error) {
    const isPage = error instanceof InvalidValue && isMarkup(headOf(bytes), isHtmlType);
    if (isPage) return { key, ...rejected("The file is a web page, not a table") };
    throw error;
  }
}

/** Share of its rows that a table may lose from one look to the next. */
const MAX_TABLE_LOSS = 0.1;

type Counted = { readonly entries: number; readonly dropped: number };

function tableFault({
  entries,
  dropped,
  minEntries,
  previous,
}: Counted & { readonly minEntries: number; readonly previous: Previous }): string | null {
  if (entries === 0) return "The table is empty";
  const read = entries + dropped;
  if (dropped > MAX_BAD_SHARE * read) return `${dropped} of ${read} rows were not understood`;
  if (entries < minEntries) return `The table has ${entries} rows, fewer than ${minEntries}`;
  const isLess = previous.isSameDefinition && entries < (1 - MAX_TABLE_LOSS) * previous.entries;
  return isLess ? `The table shrank from ${previous.entries} to ${entries} rows` : null;
}

function readCandidate(path: string, maxBytes: number, member: string | null): Uint8Array {
  const { size } = statSync(path);
  if (size > maxBytes) throw new InvalidValue("size", `The file is larger than ${maxBytes} bytes`);
  return unpack(readFileSync(path), { maxBytes, member });
}

/** What is known of content before it is read, and where its entries go. */
export type ContentContext = {
  /** Default: false. */
  readonly isHtmlType?: boolean;
  /** Default: there was nothing before. */
  readonly previous?: Previous;
  /** Default: entries are only counted. The entries of rejected content have to be taken back. */
  readonly sink?: Sink;
};

/**
 * Whether content may answer as this list. Every content is judged here, wherever it comes from: a download, the operator's
 * file, content kept from before, another process's copy, the seed. It is no web page, some row of it is understood, it is
 * not empty unless it may be, it has not lost most of its entries, and it does not name too much. Source: design 3.4.
 */
export function judgeContent(
  feed: FeedDefinition,
  bytes: Uint8Array,
  { isHtmlType = false, previous = NO_PREVIOUS, sink = null }: ContentContext = {},
): { readonly state: "passed"; readonly counts: LoadCounts } | Rejected {
  try {
    if (isMarkup(headOf(bytes), isHtmlType)) return rejected("The file is a web page, not a list");
    const counts = loadFeed(feed, feedTextOf(bytes), sink);
    const reason =
      emptyFault(feed, counts) ??
      lossFault(counts, previous) ??
      sentenceFault(feed, bytes, { counts, previous }) ??
      builtinFault(feed, counts) ??
      shareFault(feed, counts);
    return reason === null ? { state: "passed", counts } : rejected(reason);
  } catch (error) {
    if (error instanceof InvalidValue) return rejected(error.message);
    throw error;
  }
}

const rejected = (reason: string): Rejected => ({ state: "rejected", reason });

/** No list begins with a tag, whatever its type; a list that is sent as HTML (PHP's default) has none at its head. */
const isMarkup = (head: string, isHtmlType: boolean): boolean =>
  head.trimStart().startsWith("<") || (isHtmlType && /<[a-z!/]/i.test(head));

/** `allow_empty` is for a list without rows, and for one whose rows its own options leave out. */
function emptyFault(
  { allowEmpty, format }: FeedDefinition,
  { entries, rows, understood, dropped }: LoadCounts,
): string | null {
  if (rows > 0 && understood === 0) return notUnderstood(format).message;
  if (entries > 0 || allowEmpty) return null;
  return dropped === 0 ? "The list is empty" : notUnderstood(format).message;
}

/** Below this many entries before, any number may follow. */
const MIN_COMPARED_ENTRIES = 100;

/**
 * A list loses most of its entries when its publisher fails. Under a changed definition fewer entries may be what the
 * operator wants (a filter, another target), unless most rows are not understood any more. An empty list got past
 * `emptyFault`: it may be empty.
 */
function lossFault(
  { entries, rows, notUnderstood }: LoadCounts,
  { entries: before, isSameDefinition }: Previous,
): string | null {
  if (before <= MIN_COMPARED_ENTRIES || entries * 2 >= before || entries === 0) return null;
  if (isSameDefinition) return `The list shrank from ${before} to ${entries} entries`;
  if (notUnderstood * 2 <= rows) return null;
  return `The definition of the list changed, and ${notUnderstood} of ${rows} rows are not understood any more`;
}

/** `203.0.113.5 has exceeded its quota.` */
const SENTENCE = /^\S{1,253}(?: [\p{L}\p{N}',-]{1,40}){3,40}[.!]?$/u;

/**
 * What a server says in place of a list to who asks too often begins with that one's address: to read it as an entry would list
 * this machine. Where there were several entries before, one line of words is no list; a remark stands behind a `#`.
 */
function sentenceFault(
  { source }: FeedDefinition,
  bytes: Uint8Array,
  { counts, previous }: { readonly counts: LoadCounts; readonly previous: Previous },
): string | null {
  if (source.kind !== "web" || counts.rows !== 1 || previous.entries < 2) return null;
  return SENTENCE.test(headOf(bytes).trim()) ? "The file is a sentence, not a list" : null;
}

/** Share of rows not understood above which a built-in list is rejected: its publisher changed the format. */
const MAX_BAD_SHARE = 0.2;
function builtinFault({ builtin }: FeedDefinition, { entries, notUnderstood }: LoadCounts): string | null {
  const read = entries + notUnderstood;
  if (!builtin || notUnderstood <= MAX_BAD_SHARE * read) return null;
  return `${notUnderstood} of ${read} rows were not understood`;
}

/** Share of all addresses above which a built-in list is rejected: the largest clouds hold a twentieth. */
const MAX_SHARE = 0.25;
/** The same of a list of the operator's that others publish: what names most of IPv4 is `/0` in pieces. */
const MAX_OPERATORS_SHARE = 0.5;

/**
 * The operator's own files are taken as they stand. So is IPv6 in lists of others: what is given out to no holder is most
 * of 2000::/3, and there are lists of that.
 */
function shareFault({ builtin, source }: FeedDefinition, { shares }: LoadCounts): string | null {
  const [share, most] = builtin
    ? [Math.max(shares.v4, shares.v6), MAX_SHARE]
    : [source.kind === "web" ? shares.v4 : 0, MAX_OPERATORS_SHARE];
  return share > most ? `The list names ${Math.round(100 * share)} % of all addresses` : null;
}
