import { isBlank } from "../privacy.ts";
import { type Field, fieldOf } from "./labels.ts";
import type { Entry } from "./outline.ts";
import type { WhoisShape } from "./shape.ts";

/** What an answer says, field by field, in the order of its lines. */
export type Statements = {
  readonly all: (field: Field) => readonly string[];
  /** The first value that is no blank. */
  readonly first: (field: Field) => string | null;
};

/** What the entries say, each label by its meaning. */
export function statementsOf(entries: readonly Entry[], { labels = {} }: WhoisShape): Statements {
  const byField = new Map<Field, string[]>();
  for (const entry of entries) {
    const field = fieldOf(entry, labels);
    if (field === null) continue;
    const values = byField.get(field) ?? [];
    if (values.push(entry.value) === 1) byField.set(field, values);
  }
  const all = (field: Field): readonly string[] => byField.get(field) ?? [];
  return { all, first: (field) => all(field).find((value) => !isBlank(value)) ?? null };
}

/** An object whose handle the domain names as its holder is the registrant's, whatever it is called. */
export function withHolderObjects(entries: readonly Entry[], { labels = {} }: WhoisShape): Entry[] {
  const fields = entries.map((entry) => fieldOf(entry, labels));
  const holders = new Set<string>();
  for (const [i, { value, role }] of entries.entries()) {
    if (fields[i] === "holder" && role === "domain") holders.add(value.toLowerCase());
  }
  const blocks = new Set<number>();
  const handles = new Set<string>();
  for (const [i, { value, block }] of entries.entries()) {
    if (fields[i] !== "handle" || !holders.has(value.toLowerCase())) continue;
    blocks.add(block);
    handles.add(value.toLowerCase());
  }
  if (blocks.size === 0) return [...entries];
  return entries.map((entry, i) => {
    // The reference and the object's own handle are no names.
    const isReference = fields[i] === "handle" || fields[i] === "holder";
    if (isReference && handles.has(entry.value.toLowerCase()))
      return { ...entry, role: "contact", label: "handle" };
    return blocks.has(entry.block) ? { ...entry, role: "registrant" } : entry;
  });
}
