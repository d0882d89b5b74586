import { z } from "zod";
import type { ReferenceField } from "./reference-shapes.ts";

type Schema = z.infer<typeof schemaSchema>;

/** What the reference reads of a JSON Schema. */
const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
});

/** The named schemas of the document, and those that are described elsewhere. */
export type Named = {
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly elsewhere?: ReadonlyMap<string, string>;
};

const PREFIX = "#/components/schemas/";
const MOST_DEEP = 9;

/** The forms that an answer may have: one, or each of a union with the name of its schema. */
export function formsOf(named: Named, schema: unknown): readonly (readonly [name: string, form: unknown])[] {
  const read = schemaSchema.parse(schema);
  const choices = read.anyOf ?? read.oneOf;
  if (choices !== undefined) return choices.flatMap((one) => formsOf(named, one));
  const name = nameOf(read);
  const target = name === null ? undefined : named.schemas[name];
  if (name === null || target === undefined) return [["", schema]];
  const { anyOf, oneOf } = schemaSchema.parse(target);
  return anyOf === undefined && oneOf === undefined ? [[name, target]] : formsOf(named, target);
}

/** The members of a schema, those of its members behind each. What has a name is described once. */
export function fieldsOf(named: Named, schema: unknown): readonly ReferenceField[] {
  return fieldsBelow({ ...named, elsewhere: new Map(named.elsewhere) }, schema, []);
}

type Reading = Named & { readonly elsewhere: Map<string, string> };

function fieldsBelow(named: Reading, schema: unknown, way: readonly string[]): readonly ReferenceField[] {
  const depth = way.length;
  if (depth > MOST_DEEP) return [];
  const fields: ReferenceField[] = [];
  for (const { name, member, isRequired } of membersOf(named, schema)) {
    const found = inward(named, member);
    const path = [...way, name];
    fields.push({
      name,
      depth,
      type: typeOf(named, member),
      is_required: isRequired,
      description: found.elsewhere ?? found.description,
      values: valuesOf(found.schema),
    });
    if (found.elsewhere !== null) continue;
    const below = fieldsBelow(named, found.schema, path);
    fields.push(...below);
    if (found.name !== null && below.length > 0) {
      named.elsewhere.set(found.name, `The same members as \`${path.join(".")}\``);
    }
  }
  return fields;
}

type Member = { readonly name: string; readonly member: unknown; readonly isRequired: boolean };

/** Those of a union are put together: which of them are there says a member that all of them have. */
function membersOf(named: Named, schema: unknown): readonly Member[] {
  const members = new Map<string, Member>();
  for (const part of partsOf(named, schema)) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const isRequired = part.required.includes(name);
      if (!members.has(name)) members.set(name, { name, member, isRequired });
    }
  }
  return [...members.values()];
}

function partsOf(named: Named, schema: unknown): readonly Schema[] {
  const read = resolved(named, schema);
  const parts = [...(read.anyOf ?? []), ...(read.oneOf ?? []), ...(read.allOf ?? [])];
  return [read, ...parts.flatMap((part) => partsOf(named, part))];
}

type Inward = {
  readonly schema: unknown;
  /** Of the schema, where it has one. */
  readonly name: string | null;
  readonly description: string;
  readonly elsewhere: string | null;
};

/** What a list or a value that may be null holds, with the first description on the way. */
function inward(named: Named, member: unknown): Inward {
  let schema: unknown = member;
  let description = "";
  for (;;) {
    const own = schemaSchema.parse(schema);
    const name = nameOf(own);
    const elsewhere = named.elsewhere?.get(name ?? "") ?? null;
    if (elsewhere !== null) return { schema, name, description, elsewhere };
    const read = resolved(named, schema);
    description ||= own.description ?? read.description ?? "";
    const next = read.items ?? onlyChoice(read);
    if (next === undefined) return { schema: read, name, description, elsewhere: null };
    schema = next;
  }
}

/** Of a value or null: the value. */
function onlyChoice({ anyOf, oneOf }: Schema): unknown {
  const choices = (anyOf ?? oneOf ?? []).filter((one) => schemaSchema.parse(one).type !== "null");
  return choices.length === 1 ? choices[0] : undefined;
}

function typeOf(named: Named, member: unknown): string {
  const read = resolved(named, member);
  const choices = read.anyOf ?? read.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(named, one)))].join(" or ");
  if (read.items !== undefined) return `list of ${typeOf(named, read.items)}`;
  if (read.enum !== undefined || read.const !== undefined) return wordOf(read);
  if (read.properties === undefined && typeof read.additionalProperties === "object") return "object by name";
  return wordOf(read);
}

const wordOf = ({ type = "any", format }: Schema): string => {
  const word = [type].flat().join(" or ");
  return format === "date-time" ? `${word}, ISO 8601` : word;
};

const valuesOf = (schema: unknown): string[] => {
  const read = schemaSchema.parse(schema);
  const values = read.enum ?? (read.const === undefined ? [] : [read.const]);
  return values.filter((value) => value !== null).map(String);
};

const nameOf = ({ $ref: reference }: Schema): string | null =>
  reference?.startsWith(PREFIX) === true ? reference.slice(PREFIX.length) : null;

function resolved(named: Named, schema: unknown): Schema {
  const read = schemaSchema.parse(schema);
  const name = nameOf(read);
  return name === null ? read : resolved(named, named.schemas[name] ?? {});
}
