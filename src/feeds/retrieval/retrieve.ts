import { statSync } from "node:fs";
import { messageOf } from "../../base/caught.ts";
import { printableLine, withoutHidden } from "../../base/clean-text.ts";
import type { Answer } from "../../base/failure.ts";
import { systemReason } from "../../base/system-reason.ts";
import type { Http, HttpDownload } from "../../net/http/http-types.ts";
import type { FeedSource } from "../feed.ts";
import { UNRESOLVED } from "./causes.ts";
import { fileHashOf } from "./content-hash.ts";
import { NO_KEYS, type PublisherKeys, withKey } from "./publisher-key.ts";
import { type FailureKind, retryAfterSeconds } from "./schedule.ts";

/** What one look at a source brought. */
export type Retrieval =
  | ({ readonly state: "unchanged" } & Validators)
  | ({ readonly state: "content" } & Download)
  | {
      readonly state: "failed";
      readonly kind: FailureKind;
      readonly reason: string;
      readonly retryAfterS: number | null;
    };

/** What a source says of the version of its content: headers as received; `etag` of a file is its signature. */
type Validators = {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The URL that was asked, where it changes with time; null: that of the definition. */
  readonly from: string | null;
};

/** A file that came, not yet judged. */
type Download = Validators & {
  readonly path: string;
  readonly isHtmlType: boolean;
  readonly downloadHash: string;
};

/** The content that is there already, as far as a source can say whether it is still the same. */
type Known = Validators & { readonly downloadHash: string | null };

export type RetrieveOptions = {
  readonly source: Exclude<FeedSource, { readonly kind: "seed" }>;
  /** Null: no content, or none that may be believed; then nothing is conditional. */
  readonly known: Known | null;
  /** Where a download goes; removed by the caller. */
  readonly path: string;
  readonly isOperatorsWord: boolean;
  readonly http: Pick<Http, "download">;
  /** Default: none is configured. */
  readonly keys?: PublisherKeys;
  readonly now: Date;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Looks at a source once: a file by time stamp and size, a URL by a conditional request. Rejects only when this program or
 * the file system of the data folder fails. Source: security P21, catalogue, Transport.
 */
export async function retrieve(options: RetrieveOptions): Promise<Retrieval> {
  const { source } = options;
  const found =
    source.kind === "file" ? await lookAtFile(source.path, options) : await request(source, options);
  if (found.state !== "content" || found.downloadHash !== options.known?.downloadHash) return found;
  const { etag, lastModified, from } = found;
  return { state: "unchanged", etag, lastModified, from };
}

async function lookAtFile(path: string, { known, maxBytes }: RetrieveOptions): Promise<Retrieval> {
  const etag = fileSignature(path);
  if (known !== null && etag === known.etag) return { state: "unchanged", etag, ...OF_A_FILE };
  try {
    const found = statSync(path);
    // A device or a pipe may never end.
    if (!found.isFile()) return refused("It is not a file");
    if (found.size > maxBytes) return refused(`The file is larger than ${maxBytes} bytes`);
    const downloadHash = await fileHashOf(path);
    return { state: "content", path, isHtmlType: false, etag, ...OF_A_FILE, downloadHash };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Without its path, which says something of the machine.
    return outage(`Cannot read the file: ${error.code === "ENOENT" ? "it does not exist" : error.code}`);
  }
}

const OF_A_FILE = { lastModified: null, from: null } as const;

/** A short text that changes when the file does: time of change, size and number, or `missing`. */
export function fileSignature(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return "missing";
  }
}

/** Whether the system refused a call, such as to read a file. */
export const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;

/** The system's reason alone: its sentence names a path of this machine, and callers are told why a list cannot answer. */
export const cannotKeep = (error: unknown): string => `Cannot keep the list: ${reasonOf(error)}`;

/** For who asked for an attempt that this machine kept from being made. */
export const cannotTry = (error: unknown): string => `Cannot try the list: ${reasonOf(error)}`;

function reasonOf(error: unknown): string {
  if (isSystemError(error)) return systemReason(error.code) ?? error.code;
  return messageOf(error);
}

type WebSource = Extract<FeedSource, { readonly kind: "web" }>;

/** Asks for the URL of now; of a source that is published monthly, for last month's as long as this month's is not there. */
async function request(source: WebSource, options: RetrieveOptions): Promise<Retrieval> {
  const { path, known, now } = options;
  const [first = null, second] = monthlyUrls(source.url, now);
  let from = first;
  let reply = await ask(source, from, options);
  if (second !== undefined && reply.state === "answered" && reply.value.status === 404) {
    from = second;
    reply = await ask(source, from, options);
  }
  const isKeyed = withKey(source, source.auth ?? null, options.keys ?? NO_KEYS).secrets.length > 0;
  if (reply.state === "unavailable" && reply.isUnresolved) return { ...outage(UNRESOLVED), kind: "offline" };
  return reply.state === "unavailable"
    ? outage(sentence(reply.detail))
    : await readReply(reply.value, { known: knownOf(known, from), path, now, from, isKeyed });
}

/** What stands in a URL for the month, such as `2026-11`. */
const MONTH = "{month}";

/** The URLs of this month and of the one before; none where the URL does not change with the month. */
function monthlyUrls(url: string, now: Date): readonly string[] {
  if (!url.includes(MONTH)) return [];
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  return [now, before].map((date) => url.replaceAll(MONTH, date.toISOString().slice(0, 7)));
}

/** What is known of the content of another URL is no condition for this one. */
const knownOf = (known: Known | null, from: string | null): Known | null =>
  known?.from === from ? known : null;

const ask = (
  source: WebSource,
  asked: string | null,
  options: RetrieveOptions,
): ReturnType<Http["download"]> => {
  const { http, path, maxBytes, timeoutMs, isOperatorsWord, signal, known, keys = NO_KEYS } = options;
  const plain = { url: asked ?? source.url, headers: source.headers };
  const { url, headers: keyed, secrets } = withKey(plain, source.auth ?? null, keys);
  const headers = { ...keyed, ...conditions(knownOf(known, asked)) };
  const bounds = { maxBytes, timeoutMs, isOperatorsWord, signal, maxRedirects: 5 };
  return http.download({ url, headers, secrets, ...bounds }, path);
};

const conditions = (known: Known | null): Record<string, string> => ({
  ...(known?.etag == null ? {} : { "if-none-match": known.etag }),
  ...(known?.lastModified == null ? {} : { "if-modified-since": known.lastModified }),
});

type Expected = {
  readonly known: Known | null;
  readonly path: string;
  readonly now: Date;
  /** The URL of this month; null where it does not change with the month. */
  readonly from: string | null;
  /** Whether a publisher's key was sent. */
  readonly isKeyed: boolean;
};

/** The publisher answered 401 or 403 to a request with its key. */
const KEY_REFUSED = "The key was not accepted";

async function readReply(
  { status, headers }: Extract<Answer<HttpDownload>, { state: "answered" }>["value"],
  { known, path, now, from, isKeyed }: Expected,
): Promise<Retrieval> {
  if (status === 200) {
    return {
      state: "content",
      path,
      isHtmlType: /^text\/html\b|^application\/xhtml/i.test(headers.get("content-type") ?? ""),
      etag: validator(headers.get("etag")),
      lastModified: validator(headers.get("last-modified")),
      from,
      downloadHash: await fileHashOf(path),
    };
  }
  if (status === 304 && known !== null && (known.etag ?? known.lastModified) !== null) {
    return { state: "unchanged", etag: known.etag, lastModified: known.lastModified, from };
  }
  const isKeyRefused = isKeyed && (status === 401 || status === 403);
  const reason = isKeyRefused ? KEY_REFUSED : `The server answered ${status}`;
  const retryAfterS = retryAfterSeconds(headers.get("retry-after"), now);
  const kind = isKeyRefused ? "key" : kindOf(status);
  return { state: "failed", kind, reason, retryAfterS };
}

function kindOf(status: number): FailureKind {
  if (status === 404 || status === 410) return "missing";
  return status >= 500 && status !== 501 ? "outage" : "refusal";
}

/** A validator that can be sent back as it is; anything else is none, and so is one that repeats a key. */
const validator = (text: string | undefined): string | null =>
  text !== undefined && /^[\x21-\x7e][\x20-\x7e]{0,255}$/.test(text) && withoutHidden(text) === text
    ? text
    : null;

const outage = (reason: string): Extract<Retrieval, { readonly state: "failed" }> => ({
  state: "failed",
  kind: "outage",
  reason,
  retryAfterS: null,
});
const refused = (reason: string): Retrieval => ({
  state: "failed",
  kind: "refusal",
  reason,
  retryAfterS: null,
});

const MAX_REASON_CHARS = 300;

/** Outside words as a reason: one line, bounded. */
const sentence = (text: string): string => withoutHidden(printableLine(text)).slice(0, MAX_REASON_CHARS);
