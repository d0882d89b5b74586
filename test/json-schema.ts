import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";

/** What is wrong with a value by a schema of the document; empty: nothing. `at` names the value in the faults. */
export type SchemaJudge = (schema: object, value: unknown, at?: string) => readonly string[];

const PARTS = "document";

/**
 * The judge of an OpenAPI 3.1 document. Stricter than JSON Schema: a member that an object's schema does not name is a
 * fault, unless `additionalProperties` allows it, and an integer is one that a double holds exactly. A keyword that
 * is not known throws. Each schema is compiled once: it must be the same object whenever it is asked.
 */
export function createSchemaJudge(document: object): SchemaJudge {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
  });
  ajv.addSchema({ $id: PARTS, $defs: strict(Object(Reflect.get(document, "components")).schemas) });
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema, value, at = "$") => {
    const validate = compiled.get(schema) ?? ajv.compile(strict(schema));
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => told(error, at));
  };
}

const CLOSED = { additionalProperties: false };
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** A copy with what makes it stricter, whose references lead into the document. */
function strict(schema: object): Exclude<AnySchema, boolean> {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === "$ref") return String(value).replace("#/components/schemas/", `${PARTS}#/$defs/`);
    // What Zod names a shape by: no keyword of today's JSON Schema.
    if (key === "id" && typeof value === "string") return undefined;
    // A schema's type is a word or several; where it is an object, `type` is a member that is described.
    const type = [Object(value).type].flat();
    if (type.includes("object")) return { ...(Object(value).properties && CLOSED), ...Object(value) };
    return type.includes("integer") ? { ...EXACT, ...Object(value) } : value;
  });
}

const told = ({ instancePath, message, params }: ErrorObject, at: string): string =>
  `${at}${instancePath.replaceAll("/", ".")} ${message} ${JSON.stringify(params)}`;
