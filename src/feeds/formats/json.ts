import { z } from "zod";
import { InvalidValue } from "../../base/failure.ts";
import { parseJson } from "../../base/parse-json.ts";
import { canonicalUrl } from "../canonical-url.ts";
import { readEmail, readName } from "../names.ts";
import { detailOptions } from "./entry-detail.ts";
import {
  type FeedFormat,
  type FeedText,
  FILTERED,
  type FormatOptions,
  NO_VALUE,
  type RawEntry,
} from "./format.ts";
import { dateOfNode, isMembers, memberOf, valuesOfNode } from "./members.ts";
import { sharedOptions, textOption } from "./options.ts";

const pathSchema = z
  .string()
  .max(256)
  .regex(/^\$(\.\*|\[\*\]|\.[^.[\]*]+)*$/, "Expected a path of $, .name, [*] and .*");

/** A whole JSON document; values stand at a JSONPath subset: `$`, `.name`, `[*]`, `.*`. Source: catalogue. */
export const json: FeedFormat = {
  name: "json",
  options: {
    path: pathSchema.optional().describe("json: where the values are, e.g. $.list[*]; default: $[*]"),
    allow_path: pathSchema
      .optional()
      .describe("json: where values stand that are to be left out, of names also what is below them"),
    first_line: z.boolean().optional().describe("json: only the first line is JSON, a signature follows"),
    published: sharedOptions.published,
    field: sharedOptions.field,
    where: sharedOptions.where,
    via: sharedOptions.via,
    strip_port: sharedOptions.strip_port,
    ...detailOptions,
  },
  parse,
};

function parse(text: FeedText, options: FormatOptions): Generator<RawEntry> {
  const document = readDocument(text, options["first_line"] === true);
  return unlessFailed(document, listedIn(document, options));
}

function* listedIn(document: unknown, options: FormatOptions): Generator<RawEntry> {
  yield* dateOfNode(document, options);
  const allowPath = textOption(options, "allow_path");
  const allowed = new Set<string>();
  for (const node of allowPath === null ? [] : nodesAt(document, allowPath)) {
    if (typeof node !== "string") continue;
    allowed.add(spellingOf(node));
    if (!node.includes("/") && readName(node) !== null) yield { excepted: node };
  }
  const path = textOption(options, "path") ?? "$[*]";
  let found = isEmptyAt(document, stepsOf(path));
  for (const node of nodesAt(document, path)) {
    found ||= node !== LOST;
    yield* node === LOST ? [NO_VALUE] : entriesOf(node, options, allowed);
  }
  if (!found && !isEmpty(document)) {
    throw new InvalidValue("json_path", "Nothing stands at the list's path in the document");
  }
}

function* entriesOf(
  node: unknown,
  options: FormatOptions,
  allowed: ReadonlySet<string>,
): Generator<RawEntry> {
  for (const entry of valuesOfNode(node, options)) {
    yield "value" in entry && allowed.has(spellingOf(entry.value)) ? FILTERED : entry;
  }
}

/** One spelling for all of a name, mailbox or URL, by which two parts of a document are compared. */
const spellingOf = (text: string): string =>
  (text.includes("/") ? canonicalUrl(text) : readEmail(text)) ?? text.trim();

/** The document of a JSON list. Throws InvalidValue (nesting over 32 levels is none). */
export function readDocument(text: FeedText, firstLineOnly = false): unknown {
  const whole = text.text();
  const end = firstLineOnly ? whole.trimStart().indexOf("\n") : -1;
  return parseJson(end < 0 ? whole : whole.trimStart().slice(0, end));
}

/**
 * The entries of a document, unless it tells of a failure in place of a list: `{"error": "quota", "data": [], "page": {…}}`,
 * `{"success": false, "ip": "192.0.2.7"}`. An interface that fails says so in its own format, often with status 200. Beside a list
 * that holds something an error is about a part of it. Throws InvalidValue.
 */
export function* unlessFailed(document: unknown, entries: Iterable<RawEntry>): Generator<RawEntry> {
  const isFailure = isMembers(document) && tellsOfFailure(document);
  if (isFailure && hasNoList(document)) throw failed();
  let hasValue = false;
  for (const entry of entries) {
    hasValue ||= "value" in entry;
    yield entry;
  }
  if (isFailure && !hasValue) throw failed();
}

type Members = Readonly<Record<string, unknown>>;

const failed = (): InvalidValue =>
  new InvalidValue("json_error", "The document tells of an error of the publisher's, and holds no list");

/** Whether a document says that its publisher's interface failed. */
export const tellsOfFailure = (document: Members): boolean =>
  ERROR_MEMBERS.some((name) => isTold(memberOf(document, name))) ||
  SUCCESS_MEMBERS.some((name) => memberOf(document, name) === false) ||
  FAILED_STATUSES.includes(wordOf(memberOf(document, "status")).toLowerCase()) ||
  CODE_MEMBERS.some((name) => isErrorCode(memberOf(document, name)));

/** A status of HTTP that says so, whatever the answer's own was: `{"code": 401, "results": []}`. */
const isErrorCode = (value: unknown): boolean => /^[45]\d\d$/.test(wordOf(value));

/** Of a text or a number; empty for all else, which publishers can make so that it has no text. */
const wordOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** An address beside the error is the one that was refused. */
const hasNoList = (document: Members): boolean =>
  Object.entries(document)
    .filter(([name]) => !ERROR_MEMBERS.includes(name))
    .every(([, value]) => typeof value !== "object" || isEmpty(value));

const CODE_MEMBERS: readonly string[] = ["code", "status", "status_code", "statusCode"];
const ERROR_MEMBERS: readonly string[] = ["error", "errors"];
const SUCCESS_MEMBERS: readonly string[] = ["success", "ok"];
const FAILED_STATUSES: readonly string[] = ["error", "fail", "failed", "failure"];

/** Neither absent, null, false, a number (how many there were) nor blank. */
const isTold = (value: unknown): boolean =>
  typeof value === "string"
    ? value.trim() !== ""
    : typeof value === "object"
      ? !isEmpty(value)
      : value === true;

const isEmpty = (document: unknown): boolean =>
  document === null || (typeof document === "object" && Object.keys(document).length === 0);

/** Whether what the path goes through holds nothing, as `{"data": []}` at `$.data[*]`: then the list is empty, and no other one. */
function isEmptyAt(document: unknown, steps: readonly string[]): boolean {
  return steps.some(
    (step, at) => isEach(step) && [...descend(document, steps.slice(0, at), 0)].some(isEmptyContainer),
  );
}

const isEmptyContainer = (node: unknown): boolean => node !== null && isEmpty(node);

const isEach = (step: string): boolean => step === "[*]" || step === ".*";

const stepsOf = (path: string): readonly string[] => path.match(/\.\*|\[\*\]|\.[^.[\]*]+/g) ?? [];

/** An element of an array from which the path leads nowhere: a row without what the path names. */
const LOST = Symbol("lost");

/** The nodes that a path of `$`, `.name`, `[*]`, `.*` reaches, lazily, and `LOST` for each row that has none. */
function* nodesAt(document: unknown, path: string): Generator<unknown> {
  yield* descend(document, stepsOf(path), 0);
}

function* descend(node: unknown, steps: readonly string[], at: number): Generator<unknown> {
  const step = steps[at];
  if (step === undefined) yield node;
  else if (isEach(step)) {
    if (Array.isArray(node)) for (const child of node) yield* descendRow(child, steps, at + 1);
    else if (isMembers(node)) for (const child of Object.values(node)) yield* descend(child, steps, at + 1);
  } else if (isMembers(node)) {
    const child = memberOf(node, step.slice(1));
    if (child !== undefined) yield* descend(child, steps, at + 1);
  }
}

function* descendRow(row: unknown, steps: readonly string[], at: number): Generator<unknown> {
  let isReached = false;
  for (const node of descend(row, steps, at)) {
    isReached = true;
    yield node;
  }
  if (!isReached && !isEmptyAt(row, steps.slice(at))) yield LOST;
}
