import type { ListingDetail } from "../../blocklist-index/types.ts";
import { readFeedDate } from "../retrieval/published-date.ts";
import { detailOf } from "./entry-detail.ts";
import {
  type DroppedRow,
  droppedRow,
  FILTERED,
  type FormatOptions,
  NO_VALUE,
  type PublisherDate,
  type RawEntry,
  type SkippedRow,
} from "./format.ts";
import { stripPort } from "./hostport.ts";
import { listOf, pairsOf, textOption } from "./options.ts";

/** An object of a parsed document; members are asked for with `Object.hasOwn` only (security P8). */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object and no array. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Own member, or undefined; never one of the prototype. */
export const memberOf = (object: Members, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The publisher's date where `published` says it stands, if one is there. */
export function* dateOfNode(node: unknown, options: FormatOptions): Generator<PublisherDate> {
  const path = textOption(options, "published");
  if (path === null) return;
  let at = node;
  for (const name of path.split(".")) at = isMembers(at) ? memberOf(at, name) : undefined;
  const published = readFeedDate(at);
  if (published !== null) yield { published };
}

/** The members that `field` names, or null when the node itself is the value. */
export const fieldsOf = (options: FormatOptions): readonly string[] | null =>
  options["field"] === undefined ? null : listOf(options["field"]).map(String);

/** What one node of a document gives by `field`, `where` and `strip_port`; never nothing. */
export function* valuesOfNode(node: unknown, options: FormatOptions): Generator<RawEntry> {
  const skipped = skippedBy(node, options["where"]);
  if (skipped !== null) {
    yield skipped;
    return;
  }
  let isGiving = false;
  for (const entry of entriesOf(node, options)) {
    isGiving = true;
    yield entry;
  }
  if (!isGiving) yield NO_VALUE;
}

function* entriesOf(node: unknown, options: FormatOptions): Generator<RawEntry> {
  const fields = fieldsOf(options);
  if (fields === null) {
    yield* textsOf(node, options);
    return;
  }
  const present = isMembers(node)
    ? fields.map((field) => memberOf(node, field)).filter((value) => value !== undefined && value !== null)
    : [];
  if (present.length === 0) yield droppedNode(node);
  const detail = detailOf(options, (name) => (isMembers(node) ? memberOf(node, String(name)) : undefined));
  for (const value of present) yield* textsOf(value, options, detail);
}

function* textsOf(
  value: unknown,
  options: FormatOptions,
  detail: { detail?: ListingDetail } = {},
): Generator<RawEntry> {
  for (const part of Array.isArray(value) ? value : [value]) {
    if (typeof part === "string" || typeof part === "number") {
      const text = String(part).trim();
      if (text !== "") yield { value: options["strip_port"] === true ? stripPort(text) : text, ...detail };
    } else yield droppedNode(part);
  }
}

/** Null: the node is wanted. One that has another value is left out; one without the member was not read at all. */
function skippedBy(node: unknown, where: unknown): SkippedRow | null {
  const pairs = pairsOf(where);
  if (pairs.length === 0) return null;
  if (!isMembers(node)) return NO_VALUE;
  const others = pairs.filter(
    ([name, wanted]) => String(memberOf(node, name) ?? "") !== wanted.replace(/^null$/, ""),
  );
  if (others.length === 0) return null;
  return others.every(([name]) => memberOf(node, name) !== undefined) ? FILTERED : NO_VALUE;
}

function droppedNode(node: unknown): DroppedRow {
  if (!isMembers(node) && !Array.isArray(node)) return droppedRow(String(node));
  return droppedRow(`{${Object.keys(node).slice(0, 8).join(",")}}`);
}
