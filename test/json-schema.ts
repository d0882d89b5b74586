type Json = Record<string, unknown>;
type Fault = string;

/** Keywords that say nothing about a value. */
const WORDLESS = new Set(["description", "default", "id", "example", "examples", "title", "format", "$ref"]);

/**
 * What is wrong with a value by a schema of an OpenAPI 3.1 document; empty: nothing. Stricter than JSON Schema in
 * one point: a member that an object's schema does not name is a fault, unless `additionalProperties` allows it. A
 * keyword that this does not know throws, so that nothing passes unjudged.
 */
export function schemaFaults(document: object, schema: unknown, value: unknown, at = "$"): readonly Fault[] {
  if (typeof schema !== "object" || schema === null) throw new Error(`No schema at ${at}`);
  const rules: Json = { ...schema };
  const faults: Fault[] = [];
  if (typeof rules["$ref"] === "string") {
    faults.push(...schemaFaults(document, resolve(document, rules["$ref"]), value, at));
  }
  for (const [keyword, rule] of Object.entries(rules)) {
    if (WORDLESS.has(keyword)) continue;
    const judge = KEYWORDS[keyword];
    if (judge === undefined) throw new Error(`The keyword "${keyword}" at ${at} is not known to the tests`);
    faults.push(...judge({ document, rules, rule, value, at }));
  }
  return faults;
}

function resolve(document: object, reference: string): unknown {
  let found: unknown = document;
  for (const part of reference.replace(/^#\//, "").split("/")) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, part) : undefined;
  }
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}

type Asked = {
  readonly document: object;
  readonly rules: Json;
  readonly rule: unknown;
  readonly value: unknown;
  readonly at: string;
};

const KEYWORDS: Readonly<Record<string, (asked: Asked) => readonly Fault[]>> = {
  type: ({ rule, value, at }) =>
    [rule].flat().some((type) => isOfType(value, type))
      ? []
      : [`${at}: expected ${rule}, got ${shown(value)}`],
  const: ({ rule, value, at }) => (value === rule ? [] : [`${at}: expected ${shown(rule)}`]),
  enum: ({ rule, value, at }) =>
    Array.isArray(rule) && rule.includes(value) ? [] : [`${at}: ${shown(value)} is none of ${shown(rule)}`],
  required: ({ rule, value, at }) =>
    isObject(value) && Array.isArray(rule)
      ? rule.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}: no ${name}`)
      : [],
  properties: ({ document, rules, rule, value, at }) => {
    if (!isObject(value) || !isObject(rule)) return [];
    return Object.entries(value).flatMap(([name, member]) => {
      if (Object.hasOwn(rule, name)) return schemaFaults(document, rule[name], member, `${at}.${name}`);
      return rules["additionalProperties"] === undefined ? [`${at}: ${name} is not in the schema`] : [];
    });
  },
  additionalProperties: ({ document, rules, rule, value, at }) => {
    if (!isObject(value)) return [];
    const known = isObject(rules["properties"]) ? rules["properties"] : {};
    const others = Object.entries(value).filter(([name]) => !Object.hasOwn(known, name));
    if (rule === false) return others.map(([name]) => `${at}: ${name} is not in the schema`);
    return others.flatMap(([name, member]) => schemaFaults(document, rule, member, `${at}.${name}`));
  },
  propertyNames: ({ document, rule, value, at }) =>
    isObject(value)
      ? Object.keys(value).flatMap((name) => schemaFaults(document, rule, name, `${at}[${name}]`))
      : [],
  items: ({ document, rule, value, at }) =>
    Array.isArray(value) ? value.flatMap((item, i) => schemaFaults(document, rule, item, `${at}[${i}]`)) : [],
  minItems: ({ rule, value, at }) =>
    Array.isArray(value) && value.length < Number(rule) ? [`${at}: fewer than ${rule} items`] : [],
  maxItems: ({ rule, value, at }) =>
    Array.isArray(value) && value.length > Number(rule) ? [`${at}: more than ${rule} items`] : [],
  anyOf: ({ document, rule, value, at }) => {
    const tries = [rule].flat().map((one) => schemaFaults(document, one, value, at));
    return tries.some((faults) => faults.length === 0) ? [] : tries.flat();
  },
};

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80);
