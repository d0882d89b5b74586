import { printableLine } from "../../base/clean-text.ts";
// Reads what a stranger's JSON holds. Nothing here throws, whatever the shape: what is not there, or is something
// else than wanted, is null or an empty list. Only own members are seen. Source: security P8, P23.

/** An object of JSON. */
export type Json = { readonly [member: string]: unknown };

/** Longest text kept of one member, characters. */
const MAX_TEXT = 500;

/** Most elements looked at in one list: registries send tens, a hostile one 50,000. */
const MAX_ELEMENTS = 1000;

/** Whether this is an object: no list, no null. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own member of an object; undefined of anything else. */
export const memberOf = (value: unknown, name: string): unknown =>
  isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A list as it is; an object or text that stands where a list should, as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.length > MAX_ELEMENTS ? value.slice(0, MAX_ELEMENTS) : value;
  return value === undefined || value === null ? [] : [value];
}

/** The objects of a list member. */
export const objectsOf = (value: unknown, name: string): readonly Json[] =>
  listOf(memberOf(value, name)).filter(isJson);

/** The texts of a list member, cleaned, empty ones left out. */
export const textsOf = (value: unknown, name: string): readonly string[] =>
  listOf(memberOf(value, name))
    .map(cleanText)
    .filter((text) => text !== null);

/** A member's text, cleaned; a number is its digits. Null when there is none. */
export const textOf = (value: unknown, name: string): string | null => cleanText(memberOf(value, name));

/** One line without unseen characters, runs of blanks as one blank. Null when nothing is left. */
export function cleanText(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") return null;
  const line = printableLine(value.slice(0, 4 * MAX_TEXT))
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return line === "" ? null : line;
}

/** A member that is a whole number of 0 or more, also written as digits. */
export function naturalOf(value: unknown, name: string): number | null {
  const member = memberOf(value, name);
  const number = typeof member === "string" && /^\d{1,15}$/.test(member.trim()) ? Number(member) : member;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** A member that says yes or no. */
export function flagOf(value: unknown, name: string): boolean | null {
  const member = memberOf(value, name);
  return typeof member === "boolean" ? member : null;
}

/** An absolute web address as written; null of anything else. */
export function webUrlOf(value: unknown): string | null {
  const text = cleanText(value);
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/** Without doubles, sorted by code unit. */
export const sortedUnique = (values: Iterable<string>): readonly string[] => [...new Set(values)].sort();
