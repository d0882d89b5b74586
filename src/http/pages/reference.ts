import { z } from "zod";
import { PRODUCT_NAMES, PRODUCTS } from "../../products/all.ts";
import { LOOKUP_BASE } from "../dashboard/endpoints.ts";
import type { PublicPage } from "./page-shapes.ts";
import { fieldsOf, formsOf, type Named } from "./reference-fields.ts";
import type { ReferenceOperation } from "./reference-shapes.ts";
import { snippetsOf } from "./snippets.ts";

const contentSchema = z.object({
  "application/json": z.object({
    schema: z.unknown(),
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
  }),
});

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(""),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        description: z.string().default(""),
        schema: z.looseObject({ enum: z.array(z.string()).default([]), default: z.string().optional() }),
      }),
    )
    .default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), "x-code": z.string().optional(), content: contentSchema }),
  ),
  "x-credits": z.int().optional(),
  "x-limit": z.enum(["plan", "half", "free"]).optional(),
});
type Operation = z.infer<typeof operationSchema>;

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

type Found = { readonly path: string; readonly method: string; readonly operation: Operation };

/** Last parts of the addresses of its pages behind the first one. */
export const REFERENCE_NAMES = [...PRODUCT_NAMES, "service"] as const;

/** The pages of the API reference, made from the OpenAPI document once. */
export type Reference = {
  /** The page of a name; of none the first. `origin` stands in the examples. */
  readonly page: (name: string, origin: string) => PublicPage;
};

/** Reads the document. */
export function createReference(document: unknown): Reference {
  const { paths, components } = documentSchema.parse(document);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = groupsOf(found);
  return {
    page: (name, origin) => ({
      page: "reference",
      group: name,
      groups: groups.map(({ operations, ...group }) => ({ ...group, operations: operations.map(entryOf) })),
      operations: (groups.find((group) => group.name === name)?.operations ?? []).map((one) =>
        operationOf(components.schemas, found, one, origin),
      ),
    }),
  };
}

/** A page for each product, and one for the rest. */
function groupsOf(found: readonly Found[]) {
  const products = PRODUCTS.map(({ name, summary }) => ({
    name,
    title: summary,
    operations: found.filter(({ operation }) => productOf(operation.operationId) === name),
  }));
  const rest = found.filter(({ operation }) => productOf(operation.operationId) === null);
  return [
    { name: "", title: "Overview", operations: [] },
    ...products,
    { name: "service", title: "Account and service", operations: rest },
  ];
}

const productOf = (id: string): string | null =>
  PRODUCTS.find(({ name }) => [name, `bulk-${name}`, `free-${name}`].includes(id))?.name ?? null;

const kindOf = (id: string): ReferenceOperation["kind"] => {
  if (productOf(id) === null) return "other";
  if (id.startsWith("bulk-")) return "bulk";
  return id.startsWith("free-") ? "free" : "single";
};

const entryOf = ({ path, method, operation }: Found) => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path,
  title: operation.summary,
});

function operationOf(
  schemas: Named["schemas"],
  all: readonly Found[],
  one: Found,
  origin: string,
): ReferenceOperation {
  const { path, operation } = one;
  const entry = entryOf(one);
  const kind = kindOf(entry.id);
  const request = operation.requestBody?.content["application/json"];
  const auth = authOf(operation);
  const call = { url: origin + path, method: entry.method, body: request?.example, hasKey: auth !== "none" };
  return {
    ...entry,
    description: operation.description,
    kind,
    price: operation["x-credits"] ?? null,
    limit: operation["x-limit"] ?? null,
    auth,
    session_path: sessionPathOf(entry, auth),
    parameters: operation.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      description: parameter.description,
      values: parameter.schema.enum,
      preset: parameter.schema.default ?? null,
    })),
    request: request === undefined ? [] : [...fieldsOf({ schemas }, request.schema)],
    body: request === undefined ? null : jsonOf(request.example),
    answers: answersOf(
      { schemas, elsewhere: kind === "bulk" ? reportsOf(all, operation) : new Map() },
      operation,
    ),
    examples: examplesOf(operation, kind),
    errors: errorsOf(operation),
    snippets: snippetsOf(call),
  };
}

const authOf = ({ security }: Operation): ReferenceOperation["auth"] => {
  if (security.length === 0) return "none";
  return security.some((way) => "session" in way) ? "key or session" : "key";
};

/** Lookups have a path of their own for sessions; what a session opens as a key does has the same. */
function sessionPathOf({ path }: { readonly path: string }, auth: ReferenceOperation["auth"]): string | null {
  if (auth === "none") return null;
  return auth === "key or session" ? path : path.replace("/api", LOOKUP_BASE);
}

const dataOf = (operation: Operation): unknown => {
  const schema = operation.responses["200"]?.content["application/json"].schema;
  return z.object({ properties: z.object({ data: z.unknown() }) }).parse(schema).properties.data;
};

/** The forms of an answer by the default view: those of other views have members of it. */
function answersOf(named: Named, operation: Operation): ReferenceOperation["answers"] {
  const forms = formsOf(named, dataOf(operation)).filter(([name]) => !VIEW_ENDINGS.test(name));
  return forms.map(([name, form]) => ({
    title: forms.length === 1 ? "" : name,
    fields: [...fieldsOf(named, form)],
  }));
}

const VIEW_ENDINGS = /(?:Full|Compact|Verdict)$/;

/** The reports of a product's single call: a batch holds them, and they are not described twice. */
function reportsOf(all: readonly Found[], { operationId }: Operation): ReadonlyMap<string, string> {
  const name = productOf(operationId);
  const single = all.find(({ operation }) => operation.operationId === name);
  if (single === undefined) return new Map();
  const { anyOf = [] } = z
    .looseObject({ anyOf: z.array(z.looseObject({ $ref: z.string().optional() })).optional() })
    .parse(dataOf(single.operation));
  const text = `What \`data\` of POST ${single.path} holds; null where the item failed`;
  return new Map(anyOf.map(({ $ref: reference = "" }) => [reference.split("/").at(-1) ?? "", text]));
}

/** Of a batch the shortest: it repeats what the single call answers. The longest is the default view with more engines. */
function examplesOf({ responses }: Operation, kind: ReferenceOperation["kind"]) {
  const content = responses["200"]?.content["application/json"];
  if (content?.example !== undefined) return [{ title: "200", text: jsonOf(content.example) }];
  const shown = kind === "bulk" ? ["verdict"] : ["standard", "compact", "verdict"];
  return Object.entries(content?.examples ?? {})
    .filter(([view]) => shown.includes(view))
    .map(([view, { value }]) => ({ title: `200, view ${view}`, text: jsonOf(value) }));
}

const errorsOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status !== "200")
    .map(([status, response]) => ({
      status,
      code: response["x-code"] ?? "",
      text: response.description,
      example: jsonOf(response.content["application/json"].example),
    }));

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
