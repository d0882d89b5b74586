import { z } from "zod";
import { Subscription } from "../accounts/shapes.ts";
import { bulkInputOf, bulkReportOf } from "../calls/bulk.ts";
import { TARGET_KINDS } from "../engines/kind.ts";
import { ERROR_CODES, type ErrorCode } from "../failure.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { viewShapesOf } from "../products/view-shapes.ts";
import { bulkExamples, type Examples, exampleOf, viewExamples } from "./openapi-examples.ts";
import { parametersOf } from "./openapi-parameters.ts";
import { Banner, EngineList, ErrorEnvelope, Health, ValidationError } from "./shapes.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made from the products and the shapes that the answers are tested against. */
export function openApiDocument(options: { version: string; publicUrl: string | null }): Json {
  const schemas: Json = {};
  const paths = Object.assign(
    {},
    ...[metaPaths(schemas), ...PRODUCTS.map((one) => productPaths(schemas, one))],
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Repute",
      version: options.version,
      description:
        "Reputation of IP addresses, domains, URLs and e-mail addresses. Every answer says which engines did not " +
        "answer, how old its data is and how its score is made. IP Geolocation by DB-IP (https://db-ip.com).",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.publicUrl ?? "/" }],
    tags: [
      { name: "Products", description: "Metered lookups" },
      { name: "Bulk", description: "Up to 100 items in one call" },
      {
        name: "Free tools",
        description: "Reduced, without an account; five calls a minute for each tool and client",
      },
      { name: "Account", description: "Plan and credits" },
      { name: "Service", description: "State of the service" },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "repute_session",
          description: "The dashboard's session",
        },
        bearer: { type: "http", scheme: "bearer", description: "The API key as a bearer token" },
      },
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const METERED_ERRORS: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "INSUFFICIENT_CREDITS",
  "FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];
const FREE_ERRORS = METERED_ERRORS.filter(
  (code) => !["UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN"].includes(code),
);
const ACCOUNT_ERRORS: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

function productPaths(schemas: Json, product: SealedProduct): Json {
  const single = operation(schemas, {
    id: product.name,
    tag: "Products",
    summary: product.summary,
    description: `${product.description} Costs ${product.price} credit${product.price === 1 ? "" : "s"}.`,
    input: product.input,
    output: Object.values(viewShapesOf(product)),
    parameters: parametersOf(product),
    example: product.example,
    examples: viewExamples(product),
    errors: METERED_ERRORS,
    secured: true,
  });
  return {
    [`/api/${product.name}`]: { post: single },
    ...bulkPath(schemas, product),
    ...freePath(schemas, product),
  };
}

function bulkPath(schemas: Json, product: SealedProduct): Json {
  const { bulk } = product;
  if (bulk === null) return {};
  const { [bulk.item]: item, ...shared } = Object.fromEntries(Object.entries(product.example));
  const post = operation(schemas, {
    id: `bulk-${product.name}`,
    tag: "Bulk",
    summary: `${product.summary}: up to 100 at once`,
    description:
      `Costs ${product.price} per item, charged once for the batch; items that fail are reported one by one ` +
      "and cost the same.",
    input: bulkInputOf(product, bulk),
    output: Object.values(viewShapesOf(product)).map(bulkReportOf),
    parameters: parametersOf(product),
    example: { [bulk.field]: [item], ...shared },
    examples: bulkExamples(product),
    errors: METERED_ERRORS,
    secured: true,
  });
  return { [`/api/bulk/${product.name}`]: { post } };
}

function freePath(schemas: Json, product: SealedProduct): Json {
  const { free } = product;
  if (free === null) return {};
  const post = operation(schemas, {
    id: `free-${product.name}`,
    tag: "Free tools",
    summary: free.summary,
    description: "Needs no account. Five calls a minute for each client address (IPv6: /64).",
    input: free.input ?? product.input,
    output: free.output,
    example: product.example,
    errors: FREE_ERRORS,
    secured: false,
  });
  return { [free.path]: { post } };
}

function metaPaths(schemas: Json): Json {
  const get = (
    id: string,
    tag: string,
    summary: string,
    output: z.ZodType,
    errors: readonly ErrorCode[],
  ): Json => ({
    get: operation(schemas, { id, tag, summary, output, errors, secured: tag === "Account" }),
  });
  return {
    "/": get("banner", "Service", "Name, version and documentation", Banner, ["INTERNAL_ERROR"]),
    "/api/health": get("health", "Service", "Whether the service is well", Health, ["INTERNAL_ERROR"]),
    "/api/engines": {
      get: operation(schemas, {
        id: "engines",
        tag: "Service",
        summary: "Every engine of this installation, on or off",
        description: "Free and without a key. Answered with a strong `ETag`; `If-None-Match` is heeded.",
        output: EngineList,
        parameters: [
          { name: "target", in: "query", schema: { type: "string", enum: TARGET_KINDS } },
          { name: "enabled", in: "query", schema: { type: "string", enum: ["true", "false"] } },
        ],
        isBare: true,
        errors: ["VALIDATION", "INTERNAL_ERROR"],
        secured: false,
      }),
    },
    "/api/account/subscription": get(
      "subscription",
      "Account",
      "Plan, credits and allowances of the account",
      Subscription,
      ACCOUNT_ERRORS,
    ),
  };
}

type Operation = {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly input?: z.ZodType;
  /** Several: which one it is, is told by a parameter. */
  readonly output: z.ZodType | readonly z.ZodType[];
  readonly parameters?: readonly Json[];
  /** Answers the same octets to everybody: the envelope has neither id nor time. */
  readonly isBare?: boolean;
  /** Of the body. */
  readonly example?: object;
  /** Of the answer; else the one that is kept by its id. */
  readonly examples?: Examples;
  readonly errors: readonly ErrorCode[];
  readonly secured: boolean;
};

function operation(
  schemas: Json,
  { id, tag, summary, description, input, output, ...rest }: Operation,
): Json {
  const body = input === undefined ? {} : { requestBody: requestBody(schemas, input, rest.example) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: rest.secured
      ? [{ apiKey: [] }, { bearer: [] }, ...(tag === "Account" ? [{ session: [] }] : [])]
      : [],
    ...(rest.parameters === undefined ? {} : { parameters: rest.parameters }),
    ...body,
    responses: {
      "200": success(schemas, {
        outputs: [output].flat(),
        examples: rest.examples ?? exampleOf(id),
        isBare: rest.isBare === true,
      }),
      ...errorResponses(schemas, rest.errors),
    },
  };
}

const requestBody = (schemas: Json, input: z.ZodType, example: object | undefined): Json => ({
  required: true,
  content: { "application/json": { schema: schemaOf(schemas, input, "input"), example } },
});

type Success = {
  readonly outputs: readonly z.ZodType[];
  readonly examples: Examples;
  readonly isBare: boolean;
};

function success(schemas: Json, { outputs, examples, isBare }: Success): Json {
  const shapes = [...new Set(outputs)].map((output) => schemaOf(schemas, output, "output"));
  const call = {
    request_id: { type: ["string", "null"] },
    timestamp: { type: "string", format: "date-time" },
  };
  const schema = {
    type: "object",
    required: isBare ? ["data"] : [...Object.keys(call), "data"],
    properties: { ...(isBare ? {} : call), data: shapes.length === 1 ? shapes[0] : { anyOf: shapes } },
  };
  return { description: "The answer", content: { "application/json": { schema, ...examples } } };
}

function errorResponses(schemas: Json, codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, text } = ERROR_CODES[code];
      const schema = schemaOf(schemas, code === "VALIDATION" ? ValidationError : ErrorEnvelope, "output");
      return [String(status), { description: text, content: { "application/json": { schema } } }];
    }),
  );
}

/** Hoists a schema and all that it names into `components`; answers with the reference. */
function schemaOf(schemas: Json, schema: z.ZodType, io: "input" | "output"): unknown {
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
