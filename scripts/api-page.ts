import { z } from "zod";
import { openApiDocument } from "../src/http/openapi.ts";

const Schema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  $ref: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.looseObject({ $ref: z.string().optional() })).optional(),
  required: z.array(z.string()).optional(),
});
const Operation = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.string(), description: z.string().default(""), schema: Schema }),
    )
    .default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: Schema, example: z.unknown() })) })
    .optional(),
  responses: z.record(z.string(), z.object({ description: z.string() })),
});
const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
type Call = { readonly path: string; readonly method: string; readonly operation: z.infer<typeof Operation> };
type Table = (header: readonly string[], rows: readonly (readonly string[])[]) => string[];
type Schemas = Readonly<Record<string, z.infer<typeof Schema>>>;

/** Lines of docs/api.md: every call of the OpenAPI document, by tag, with what it takes and what it answers. */
export function apiLines(table: Table): string[] {
  const { tags, paths, components } = Document.parse(openApiDocument({ version: "", publicUrl: null }));
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return tags.flatMap(({ name, description }) => [
    "",
    `## ${name}`,
    "",
    `${description}.`,
    ...calls
      .filter(({ operation }) => operation.tags.includes(name))
      .flatMap((call) => callLines(call, components.schemas, table)),
  ]);
}

function callLines({ path, method, operation }: Call, schemas: Schemas, table: Table): string[] {
  const { summary, description, security = [], parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const rows = [
    ...parameters.map((parameter) => [
      `\`${parameter.name}\``,
      parameter.in,
      typeOf(parameter.schema),
      parameter.description,
    ]),
    ...(body === undefined ? [] : memberRows(resolve(body.schema, schemas), schemas)),
  ];
  return [
    "",
    `### ${method} ${path}`,
    "",
    `${summary}. ${description ?? ""}`.trim(),
    "",
    security.length === 0 ? "No key needed." : "Needs an API key.",
    ...(body?.example === undefined ? [] : ["", "```json", JSON.stringify(body.example), "```"]),
    ...(rows.length === 0 ? [] : ["", ...table(["name", "in", "type", "meaning"], rows)]),
    "",
    `Status: ${Object.keys(responses)
      .map((status) => `\`${status}\``)
      .join(", ")}.`,
  ];
}

function memberRows(
  { properties = {}, required = [] }: z.infer<typeof Schema>,
  schemas: Schemas,
): string[][] {
  return Object.entries(properties).map(([name, node]) => {
    const schema = resolve(Schema.parse(node), schemas);
    const needed = required.includes(name) ? "body, required" : "body";
    return [`\`${name}\``, needed, typeOf(schema), schema.description ?? ""];
  });
}

function resolve(schema: z.infer<typeof Schema>, schemas: Schemas): z.infer<typeof Schema> {
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.split("/").at(-1) ?? ""];
  return named ?? schema;
}

function typeOf({ type, enum: values, default: normally }: z.infer<typeof Schema>): string {
  const kind =
    values === undefined
      ? [type ?? "any"].flat().join(" or ")
      : values.map((value) => `\`${value}\``).join(", ");
  return normally === undefined ? kind : `${kind}; default \`${normally}\``;
}
