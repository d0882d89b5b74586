import { z } from "zod";
import { DAY_MS } from "../base/durations.ts";
import { contentHashOf } from "./retrieval/content-hash.ts";
import type { FailureKind } from "./retrieval/schedule.ts";
import { isTable, type Retrieved } from "./table.ts";

const instant = z.string().nullable();

const trySchema = z.object({
  at: z.string(),
  outcome: z.enum(["updated", "unchanged", "failed"]),
  detail: z.string().nullable(),
  elapsedMs: z.number(),
});

/** One attempt to retrieve a list, for its try log. */
export type Try = z.infer<typeof trySchema>;

/** Attempts that a try log holds. */
const MAX_TRIES = 20;

export const feedStateSchema = z.object({
  /** The definition by which the content was accepted: validators and counts hold for no other. */
  definitionHash: z.string().nullable(),
  /** The definition of the last attempt: another one is tried at once. */
  triedHash: z.string(),
  /** The file of the last attempt, by its signature, accepted or not; null for a download. */
  triedFile: z.string().nullable(),
  /** `ETag` as received; of a file its signature. */
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** URL of which the two above speak, of a source whose URL changes with time; null: that of the definition. */
  from: z.string().nullable().default(null),
  /** SHA-256 of the content as it came, packed or not: the same again needs no reading. */
  downloadHash: z.string().nullable(),
  /** SHA-256 of the unpacked content; null before the first success. */
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  entries: z.number(),
  dropped: z.number(),
  publishedAt: instant,
  /** Last success: new content, or the word that it is the same. */
  retrievedAt: instant,
  changedAt: instant,
  lastAttempt: instant,
  lastError: z.string().nullable(),
  nextAttempt: instant,
  /** Failures since the last success. */
  failures: z.number(),
  /** What a failure is that lasts until something is changed; null: it may pass by itself. */
  trouble: z.enum(["key_refused", "gone"]).nullable().default(null),
  /** When the publisher began to answer 404 or 410, without another answer since. */
  missingSince: instant.default(null),
  tries: z.array(trySchema),
});

/** What is known of the retrievals of one list; survives restarts beside its content. Times are ISO 8601. */
export type FeedState = Readonly<z.infer<typeof feedStateSchema>>;

/** The state of a list that was never retrieved. */
export const NEVER_TRIED: FeedState = {
  definitionHash: null,
  triedHash: "",
  triedFile: null,
  etag: null,
  lastModified: null,
  from: null,
  downloadHash: null,
  contentHash: null,
  entries: 0,
  dropped: 0,
  publishedAt: null,
  retrievedAt: null,
  changedAt: null,
  lastAttempt: null,
  lastError: null,
  nextAttempt: null,
  failures: 0,
  trouble: null,
  missingSince: null,
  tries: [],
};

/** Changes when content that was accepted before may be rejected now: then all of it is judged again. */
const JUDGE_VERSION = 4;

/** The same of tables, whose readers change apart from those of lists. */
const TABLE_JUDGE_VERSION = 1;

/** What the entries of one content and the validators beside it depend on. */
export const definitionHashOf = (feed: Retrieved): string =>
  contentHashOf(Buffer.from(JSON.stringify(rulesOf(feed))));

function rulesOf(feed: Retrieved): object {
  const { builtin, source } = feed;
  if (isTable(feed)) return { judge: TABLE_JUDGE_VERSION, table: feed.table, builtin, source };
  const { target, format, options, allowEmpty, maxEntries } = feed;
  return { judge: JUDGE_VERSION, target, format, options, builtin, source, allowEmpty, maxEntries };
}

/** What a list had before the content that is judged: how many entries, and by which definition. */
export type Previous = { readonly entries: number; readonly isSameDefinition: boolean };

/** Nothing that could be compared. */
export const NO_PREVIOUS: Previous = { entries: 0, isSameDefinition: false };

/** What a state says of the content before. */
export const previousOf = ({ contentHash, definitionHash, entries }: FeedState, feed: Retrieved): Previous =>
  contentHash === null
    ? NO_PREVIOUS
    : { entries, isSameDefinition: definitionHash === definitionHashOf(feed) };

/** The content of a successful retrieval. */
export type Accepted = Pick<
  FeedState,
  "etag" | "lastModified" | "from" | "downloadHash" | "contentHash" | "entries" | "dropped" | "publishedAt"
>;

/** One attempt, as far as every state after it tells of it. */
export type RetrievalAttempt = {
  readonly feed: Retrieved;
  readonly at: string;
  /** Signature of an operator's file, null for a download. */
  readonly file: string | null;
  readonly elapsedMs: number;
  readonly nextAttempt: string;
};

/** The state after a retrieval that brought content, new or the same as before. */
export function afterContent(before: FeedState, accepted: Accepted, attempt: RetrievalAttempt): FeedState {
  const isSame = before.contentHash === accepted.contentHash;
  return {
    ...tried(before, attempt, { outcome: isSame ? "unchanged" : "updated", detail: null }),
    ...accepted,
    definitionHash: definitionHashOf(attempt.feed),
    retrievedAt: attempt.at,
    changedAt: isSame ? before.changedAt : attempt.at,
    lastError: null,
    failures: 0,
    trouble: null,
    missingSince: null,
  };
}

/** The state after the source's word, or our own look, that the content is the one we have. */
export const afterUnchanged = (
  before: FeedState,
  { etag, lastModified, from }: Pick<FeedState, "etag" | "lastModified" | "from">,
  attempt: RetrievalAttempt,
): FeedState => ({
  ...tried(before, attempt, { outcome: "unchanged", detail: null }),
  etag,
  lastModified,
  from,
  retrievedAt: attempt.at,
  lastError: null,
  failures: 0,
  trouble: null,
  missingSince: null,
});

/** Why an attempt failed, as far as states tell of it. */
export type RetrievalFailure = { readonly reason: string; readonly kind: FailureKind };

/** How long a publisher answers 404 or 410 until the list counts as gone. */
const GONE_AFTER_MS = 7 * DAY_MS;

/** The state after a failure: the content before it stays. */
export function afterFailure(
  before: FeedState,
  { reason, kind }: RetrievalFailure,
  attempt: RetrievalAttempt,
): FeedState {
  // An outage says nothing of whether the list is there.
  const missingSince =
    kind === "missing" ? (before.missingSince ?? attempt.at) : isSilence(kind) ? before.missingSince : null;
  return {
    ...tried(before, attempt, { outcome: "failed", detail: reason }),
    lastError: reason,
    trouble: kind === "key" ? "key_refused" : isGone(missingSince, attempt.at) ? "gone" : null,
    missingSince,
    failures: before.failures + 1,
  };
}

const isSilence = (kind: FailureKind): boolean => kind === "outage" || kind === "offline";

const isGone = (since: string | null, at: string): boolean =>
  since !== null && Date.parse(at) - Date.parse(since) >= GONE_AFTER_MS;

function tried(
  before: FeedState,
  { feed, at, file, elapsedMs, nextAttempt }: RetrievalAttempt,
  { outcome, detail }: Pick<Try, "outcome" | "detail">,
): FeedState {
  return {
    ...before,
    retrievedAt: notAfter(at, before.retrievedAt),
    changedAt: notAfter(at, before.changedAt),
    triedHash: definitionHashOf(feed),
    triedFile: file,
    lastAttempt: at,
    nextAttempt,
    tries: [...before.tries.slice(1 - MAX_TRIES), { at, outcome, detail, elapsedMs: Math.round(elapsedMs) }],
  };
}

/** A time of the future was written before the clock went back: it would stay fresh until that time came. */
const notAfter = (at: string, time: string | null): string | null =>
  time !== null && Date.parse(time) > Date.parse(at) ? at : time;
