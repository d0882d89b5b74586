import type { IncomingHttpHeaders } from "node:http";
import { parse } from "node:querystring";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import type { BodyInfo } from "../../exports/bodies.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { ExportStanding } from "../../exports/shelf.ts";
import { formatOf, formatsFor, type Variant, variantOf } from "../../exports/variant.ts";
import { encodingFor } from "../compression.ts";
import { namesTag } from "../engines-route.ts";

/** The paths of files: with a token in a header, and with one in the path. Without an ending they are told which there are. */
export const FILE = /^\/api\/exports\/([a-z0-9_-]{1,64})(?:\.([A-Za-z0-9]{1,16}))?$/;
export const FILE_WITH_TOKEN = /^\/x\/([A-Za-z0-9_]{1,64})\/([a-z0-9_-]{1,64})(?:\.([A-Za-z0-9]{1,16}))?$/;

/** Which file a request asks for. */
export type FileQuestion = {
  readonly name: string;
  /** Empty where the path has no ending. */
  readonly ext: string;
  /** In the path; null: a header has it. */
  readonly token: string | null;
  readonly query: string;
};

/** Reads a request target; null: it is no file of an export. */
export function readFileQuestion(url: string): FileQuestion | null {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? "" : url.slice(at + 1);
  const [, name, ext = ""] = FILE.exec(path) ?? [];
  if (name !== undefined) return { name, ext, token: null, query };
  const [, token, named, ending = ""] = FILE_WITH_TOKEN.exec(path) ?? [];
  if (token === undefined || named === undefined) return null;
  return { name: named, ext: ending, token, query };
}

/** The variant of an export that is asked for. Throws NOT_FOUND and VALIDATION. */
export function readVariant({ ext, query }: FileQuestion, { options }: ExportStanding): Variant {
  const format = formatOf(ext);
  const known = formatsFor(options.target).map((one) => one.ext);
  if (format === null) {
    const lacking = ext === "" ? "A path ends with a format" : `There is no format "${ext}"`;
    const message = `${lacking}; of "${options.name}" there are ${known.join(", ")}`;
    throw new Refusal("NOT_FOUND", { message, field: "ext" });
  }
  if (!known.includes(ext)) {
    const msg = `The format ${ext} cannot hold ${options.target} entries; of "${options.name}" there are ${known.join(", ")}`;
    throw faultOf("path", "ext", msg);
  }
  try {
    return variantOf(format, query === "" ? {} : parse(query), options.target);
  } catch (error) {
    if (error instanceof InvalidValue) throw faultOf("query", error.reason, error.message);
    throw error;
  }
}

const faultOf = (where: "path" | "query", name: string, msg: string): Refusal =>
  new Refusal("VALIDATION", {
    faults: [{ loc: [where, name], msg, type: "value_error", ctx: { reason: "format_unknown" } }],
  });

/** What a caller takes of the codings in which files are kept. */
export const codingOf = (headers: IncomingHttpHeaders): "gzip" | null =>
  encodingFor(headers["accept-encoding"], ["gzip"]) === "gzip" ? "gzip" : null;

/** A file of a generation, as it is sent. */
export type FileVersion = {
  readonly facts: ExportFacts;
  readonly info: Pick<BodyInfo, "sha256">;
  readonly variant: Variant;
  readonly coding: "gzip" | null;
};

/** Whether the caller may have the file already. */
export const isConditional = (headers: IncomingHttpHeaders): boolean =>
  headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined;

/** Whether the caller has this very file. `If-None-Match` goes before `If-Modified-Since` (RFC 9110 13.2.2). */
export const hasAlready = (headers: IncomingHttpHeaders, version: FileVersion): boolean =>
  headers["if-none-match"] === undefined
    ? isOfTime(headers["if-modified-since"], version.facts)
    : namesTag(headers["if-none-match"], tagOf(version));

/**
 * A strong validator is of the octets, so each coding has its own (RFC 9110 8.8.3.3). With them in it processes that share no
 * data folder, and number what they make by the same seconds, never take the file of another one for their own.
 */
const tagOf = ({ facts, info, variant, coding }: FileVersion): string =>
  `"${facts.generation}-${variant.id}-${info.sha256.slice(0, 16)}${coding === null ? "" : "-gzip"}"`;

/**
 * The very time that was told alone: one between the making of a generation and its coming into force is none of it. A generation
 * that was not the first of its second has a greater number.
 */
const isOfTime = (header: string | undefined, facts: ExportFacts): boolean =>
  header !== undefined &&
  header === lastModified(facts) &&
  facts.generation === Math.floor(Date.parse(facts.made_at) / 1000);

const lastModified = ({ made_at: madeAt }: ExportFacts): string => new Date(madeAt).toUTCString();

/** What an answer says of a file, whether it holds the file or that there is no newer one. */
export const fileHeaders = (version: FileVersion): Readonly<Record<string, string>> => ({
  ETag: tagOf(version),
  "Last-Modified": lastModified(version.facts),
  "Cache-Control": "private, no-cache",
  Vary: "Accept-Encoding",
  "Accept-Ranges": "none",
  "X-Export-Generation": String(version.facts.generation),
  "X-Export-Made-At": version.facts.made_at,
  "X-Export-Entries": String(version.facts.entries),
  "X-Export-Truncated": String(version.facts.cut_by_limit),
});

const kept = new WeakMap<ExportFacts, Map<string, readonly string[]>>();

/** The same as name, value, name, value …, once for all who have a file already. */
export function rawFileHeaders(version: FileVersion): readonly string[] {
  const tag = tagOf(version);
  const byTag = kept.get(version.facts) ?? new Map<string, readonly string[]>();
  kept.set(version.facts, byTag);
  const headers = byTag.get(tag) ?? Object.entries(fileHeaders(version)).flat();
  byTag.set(tag, headers);
  return headers;
}
