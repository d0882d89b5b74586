import type { ListingDetail } from "../../listings/listings.ts";
import { detailOf } from "./entry-detail.ts";
import { type DroppedRow, droppedRow, type FormatOptions, type RawEntry } from "./format.ts";
import { stripPort } from "./hostport.ts";
import { listOf, pairsOf } from "./options.ts";

/** An object of a parsed document; members are asked for with `Object.hasOwn` only (security P8). */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object and no array. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Own member, or undefined; never one of the prototype. */
export const memberOf = (object: Members, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The values that one node of a document gives by `field`, `where` and `strip_port`. */
export function* valuesOfNode(node: unknown, options: FormatOptions): Generator<RawEntry> {
  if (!matchesWhere(node, options["where"])) return;
  const fields = options["field"] === undefined ? null : listOf(options["field"]).map(String);
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

function matchesWhere(node: unknown, where: unknown): boolean {
  return pairsOf(where).every(
    ([name, wanted]) =>
      isMembers(node) && String(memberOf(node, name) ?? "") === wanted.replace(/^null$/, ""),
  );
}

function droppedNode(node: unknown): DroppedRow {
  if (!isMembers(node) && !Array.isArray(node)) return droppedRow(String(node));
  return droppedRow(`{${Object.keys(node).slice(0, 8).join(",")}}`);
}
