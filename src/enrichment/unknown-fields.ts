/** Paths of fields. */
export type Fields = readonly string[];

/** All fields once, in order. */
export const sortedFields = (parts: readonly Fields[]): Fields => [...new Set(parts.flat())].sort();

/** The fields without those of `known`, in their order. */
export function fieldsWithout(fields: Fields, known: readonly Fields[]): Fields {
  const all = new Set(known.flat());
  return fields.filter((field) => !all.has(field));
}
