import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Hoists a schema and all that it names into `components`; answers with the reference. */
export function schemaOf(schemas: JsonSchema, schema: z.ZodType, io: "input" | "output"): unknown {
  const { $schema: _dialect, $defs: definitions, ...root } = z.toJSONSchema(schema, { io });
  for (const [name, definition] of Object.entries(definitions ?? {})) schemas[name] = relocated(definition);
  return relocated(root);
}

// Zod writes the bounds of safe integers on every integer: noise for a reader.
const NOISE = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function relocated(schema: unknown): unknown {
  const text = JSON.stringify(schema, (_key, value) => (NOISE.has(value) ? undefined : value));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}
