import { z } from "zod";

/** The part of a JSON Schema that documents and faults are made from. */
export type SchemaNode = {
  readonly types: readonly string[];
  readonly description: string | null;
  /** Absent: the key must be given, or has no value. */
  readonly normally: { readonly value: unknown } | null;
  readonly choices: readonly unknown[];
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: string | null;
  readonly format: string | null;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** The only names that `members` may stand under; none: any. */
  readonly names: readonly string[];
  /** Of the values under free names. */
  readonly members: SchemaNode | null;
  readonly entries: SchemaNode | null;
  readonly branches: readonly SchemaNode[];
};

/** A schema as data. */
export const describeSchema = (schema: z.ZodType): SchemaNode =>
  nodeOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

/** The node at a path of keys and positions; null where the schema has none. */
export function nodeAt(root: SchemaNode, path: readonly PropertyKey[]): SchemaNode | null {
  let node: SchemaNode | null = root;
  for (const step of path) node = node === null ? null : childOf(node, step);
  return node;
}

function childOf(node: SchemaNode, step: PropertyKey): SchemaNode | null {
  const own = typeof step === "number" ? node.entries : (node.properties.get(String(step)) ?? node.members);
  if (own !== null) return own;
  for (const branch of node.branches) {
    const child = childOf(branch, step);
    if (child !== null) return child;
  }
  return null;
}

/** What a value must be, in words: `integer from 50 to 60000`, `list of text`. */
export function wordsOf(node: SchemaNode): string {
  if (node.branches.length > 0) return [...new Set(node.branches.map(wordsOf))].join(" or ");
  if (node.choices.length > 0) return `one of ${node.choices.map(String).join(", ")}`;
  return node.types.map((type) => typeWords(type, node)).join(" or ") || "anything";
}

function typeWords(type: string, node: SchemaNode): string {
  switch (type) {
    case "integer":
    case "number":
      return `${type}${rangeWords(node)}`;
    case "string":
      return node.format === "uri" ? "URL" : "text";
    case "boolean":
      return "true or false";
    case "array":
      return node.entries === null ? "list" : `list of ${wordsOf(node.entries)}`;
    case "object":
      return node.members === null ? "mapping" : `mapping of names to ${wordsOf(node.members)}`;
    default:
      return type;
  }
}

function rangeWords({ minimum, maximum }: SchemaNode): string {
  const isBounded = maximum !== null && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== null && minimum > Number.MIN_SAFE_INTEGER) {
    return isBounded ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`;
  }
  return isBounded ? ` up to ${maximum}` : "";
}

function nodeOf(schema: unknown): SchemaNode {
  const node = isObject(schema) ? schema : {};
  const { properties, additionalProperties: members, items, anyOf, type, required, propertyNames } = node;
  const named = isObject(properties) ? Object.entries(properties) : [];
  return {
    types: [type].flat().filter((one) => typeof one === "string"),
    description: textOf(node["description"]),
    normally: Object.hasOwn(node, "default") ? { value: node["default"] } : null,
    choices: Array.isArray(node["enum"]) ? node["enum"] : [],
    minimum: numberOf(node["minimum"]),
    maximum: numberOf(node["maximum"]),
    pattern: textOf(node["pattern"]),
    format: textOf(node["format"]),
    properties: new Map(named.map(([name, child]) => [name, nodeOf(child)])),
    required: new Set(Array.isArray(required) ? required : []),
    names: isObject(propertyNames) ? nodeOf(propertyNames).choices.map(String) : [],
    members: isObject(members) ? nodeOf(members) : null,
    entries: isObject(items) ? nodeOf(items) : null,
    branches: Array.isArray(anyOf) ? anyOf.map(nodeOf) : [],
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);
