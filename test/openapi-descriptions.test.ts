import { expect, test } from "vitest";
import { z } from "zod";
import { openApiDocument } from "../src/http/openapi.ts";

type Node = z.infer<typeof nodeSchema>;
const children = z.array(z.unknown()).default([]);
const nodeSchema = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().default(""),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: children,
  oneOf: children,
  allOf: children,
});

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const { paths, components } = documentSchema.parse(openApiDocument({ version: "0.0.0", publicUrl: null }));

/** The schema, or what it names. A member that names a schema is described by that. */
function read(schema: unknown): Node {
  const node = nodeSchema.parse(schema);
  const named = node.$ref === undefined ? null : components.schemas[node.$ref.split("/").at(-1) ?? ""];
  return named === null || node.description !== "" ? node : nodeSchema.parse(named);
}

/** Paths of the members below a schema that have no description. */
function undescribed(schema: unknown, path: string): readonly string[] {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = nodeSchema.parse(schema);
  const below = [items, additionalProperties].filter((one) => typeof one === "object");
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(read(member).description === "" ? [`${path}.${name}`] : []),
      ...undescribed(member, `${path}.${name}`),
    ]),
    ...[...below, ...anyOf, ...oneOf, ...allOf].flatMap((one) => undescribed(one, path)),
  ];
}

test("every member of a named schema of the document has a description", () => {
  const schemas = Object.entries(components.schemas);
  expect(schemas.length).toBeGreaterThan(50);
  expect(schemas.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
});

const bodySchema = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) });
const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  requestBody: bodySchema.optional(),
  responses: z.record(z.string(), bodySchema),
});

test("every parameter, and every member of a body of a call, has a description", () => {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ name: `${method} ${path}`, call })),
  );
  const missing = calls.flatMap(({ name, call }) => {
    const { parameters, requestBody, responses } = operationSchema.parse(call);
    const bodies = [...(requestBody === undefined ? [] : [requestBody]), ...Object.values(responses)];
    return [
      ...parameters.filter(({ description }) => description === "").map((one) => `${name}?${one.name}`),
      ...bodies.flatMap(({ content }) =>
        Object.values(content).flatMap(({ schema }) => undescribed(schema, name)),
      ),
    ];
  });
  expect(missing).toEqual([]);
});

test("a member without a description is found, at any depth", () => {
  const string = { type: "string" };
  const told = { ...string, description: "Told" };
  const schema = {
    properties: { a: told, b: { description: "B", items: { properties: { c: string, d: told } } } },
  };
  expect(undescribed({ anyOf: [schema] }, "x")).toEqual(["x.b.c"]);
});
