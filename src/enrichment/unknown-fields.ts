import { keepText } from "../json.ts";
import { createMemory } from "./memory.ts";

/** Paths of fields; the same array for the same reason, so that their few combinations are made once. */
export type Fields = readonly string[];

const combinations = createMemory<Fields>(1000);
const numbers = new WeakMap<Fields, number>();
let latest = 0;

function numberOf(fields: Fields): number {
  const known = numbers.get(fields);
  if (known !== undefined) return known;
  latest++;
  numbers.set(fields, latest);
  return latest;
}

/** The one array for these fields. */
export const knownFields = (fields: Fields): Fields =>
  combinations(fields.join(" "), () => keepText([...fields]));

/** All fields once, in order. */
export const sortedFields = (parts: readonly Fields[]): Fields =>
  combinations(keyOf("sorted", parts), () => keepText([...new Set(parts.flat())].sort()));

/** One after the other. */
export const joinedFields = (parts: readonly Fields[]): Fields =>
  combinations(keyOf("joined", parts), () => keepText(parts.flat()));

/** The fields without those of `known`, in their order. */
export const fieldsWithout = (fields: Fields, known: readonly Fields[]): Fields =>
  combinations(keyOf(`without ${numberOf(fields)}`, known), () => {
    const all = new Set(known.flat());
    return keepText(fields.filter((field) => !all.has(field)));
  });

function keyOf(how: string, parts: readonly Fields[]): string {
  let key = how;
  for (const part of parts) key += ` ${numberOf(part)}`;
  return key;
}
