import type { z } from "zod";
import { Subscription } from "../accounts/shapes.ts";
import { counted } from "../base/counted.ts";
import type { ErrorCode } from "../base/failure.ts";
import { bulkInputOf, bulkReportOf } from "../metering/bulk.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { viewShapesOf } from "../products/view-shapes.ts";
import type { HttpParts } from "./context.ts";
import {
  ACCOUNT_ERRORS,
  errorResponses,
  FREE_ERRORS,
  METERED_ERRORS,
  TRANSPORT_ERRORS,
} from "./openapi-errors.ts";
import { bulkExamples, type Examples, exampleOf, viewExamples } from "./openapi-examples.ts";
import { ENGINE_PARAMETERS, parametersOf } from "./openapi-parameters.ts";
import { type JsonSchema, schemaOf } from "./openapi-schema.ts";
import { Banner, EngineList, Health } from "./shapes.ts";

type DocumentOptions = {
  readonly version: string;
  readonly publicUrl: string | null;
  /** `site.security_contact`: the contact of this installation. */
  readonly contact?: string | null;
};

/** The OpenAPI 3.1 document, made from the products and the shapes that the answers are tested against. */
export function openApiDocument(options: DocumentOptions): JsonSchema {
  const schemas: JsonSchema = {};
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
      contact: contactOf(options),
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

/** The document of a running service. */
export const documentOf = ({ version, publicUrl, site }: Pick<HttpParts, "version" | "publicUrl" | "site">) =>
  openApiDocument({ version, publicUrl, contact: site.security_contact });

/** Who runs the installation, and where to write to: as its operator configured it. */
function contactOf({ contact = null, publicUrl }: DocumentOptions): JsonSchema {
  const name = "The operator of this installation";
  if (contact?.startsWith("mailto:") === true) return { name, email: contact.slice("mailto:".length) };
  const url = contact ?? publicUrl;
  return url === null ? { name } : { name, url };
}

function productPaths(schemas: JsonSchema, product: SealedProduct): JsonSchema {
  const single = operation(schemas, {
    id: product.name,
    tag: "Products",
    summary: product.summary,
    description: `${product.description} Costs ${counted(product.price, "credit")}.`,
    input: product.input,
    output: Object.values(viewShapesOf(product)),
    parameters: parametersOf(product),
    example: product.example,
    examples: viewExamples(product),
    errors: METERED_ERRORS,
    secured: true,
    price: product.price,
    limit: product.halfAllowance ? "half" : "plan",
    field: product.field,
  });
  return {
    [`/api/${product.name}`]: { post: single },
    ...bulkPath(schemas, product),
    ...freePath(schemas, product),
  };
}

function bulkPath(schemas: JsonSchema, product: SealedProduct): JsonSchema {
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
    price: product.price,
    limit: "half",
    field: bulk.field,
  });
  return { [`/api/bulk/${product.name}`]: { post } };
}

function freePath(schemas: JsonSchema, product: SealedProduct): JsonSchema {
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
    limit: "free",
    field: product.field,
  });
  return { [free.path]: { post } };
}

const META_ERRORS: readonly ErrorCode[] = [...TRANSPORT_ERRORS, "INTERNAL_ERROR"];

function metaPaths(schemas: JsonSchema): JsonSchema {
  const get = (
    id: string,
    tag: string,
    summary: string,
    output: z.ZodType,
    errors: readonly ErrorCode[],
  ): JsonSchema => ({
    get: operation(schemas, {
      ...{ id, tag, summary, output, errors },
      secured: tag === "Account",
      ...(tag === "Account" ? { limit: "plan" } : {}),
    }),
  });
  return {
    "/": get("banner", "Service", "Name, version and documentation", Banner, META_ERRORS),
    "/api/health": get("health", "Service", "Whether the service is well", Health, META_ERRORS),
    "/api/engines": {
      get: operation(schemas, {
        id: "engines",
        tag: "Service",
        summary: "Every engine of this installation, on or off",
        description: "Free and without a key. Answered with a strong `ETag`; `If-None-Match` is heeded.",
        output: EngineList,
        parameters: ENGINE_PARAMETERS,
        isBare: true,
        errors: ["VALIDATION", "INTERNAL_ERROR"],
        secured: false,
        field: "target",
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
  readonly parameters?: readonly JsonSchema[];
  /** Answers the same octets to everybody: the envelope has neither id nor time. */
  readonly isBare?: boolean;
  /** Of the body. */
  readonly example?: object;
  /** Of the answer; else the one that is kept by its id. */
  readonly examples?: Examples;
  readonly errors: readonly ErrorCode[];
  readonly secured: boolean;
  /** Credits, of a batch for each item; left out where it costs nothing. */
  readonly price?: number;
  /** Whose window it is counted in: the plan's, half of it, that of the free tools; left out where it has none. */
  readonly limit?: "plan" | "half" | "free";
  /** Member of the body, or of the query where there is none, that is wrong in the example of a 422. */
  readonly field?: string;
};

function operation(
  schemas: JsonSchema,
  { id, tag, summary, description, input, output, ...rest }: Operation,
): JsonSchema {
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
    ...(rest.price === undefined ? {} : { "x-credits": rest.price }),
    ...(rest.limit === undefined ? {} : { "x-limit": rest.limit }),
    responses: {
      "200": success(schemas, {
        outputs: [output].flat(),
        examples: rest.examples ?? exampleOf(id),
        isBare: rest.isBare === true,
      }),
      ...errorResponses(schemas, rest.errors, {
        price: rest.price ?? 0,
        field: [input === undefined ? "query" : "body", rest.field ?? ""],
      }),
    },
  };
}

const requestBody = (schemas: JsonSchema, input: z.ZodType, example: object | undefined): JsonSchema => ({
  required: true,
  content: { "application/json": { schema: schemaOf(schemas, input, "input"), example } },
});

type Success = {
  readonly outputs: readonly z.ZodType[];
  readonly examples: Examples;
  readonly isBare: boolean;
};

function success(schemas: JsonSchema, { outputs, examples, isBare }: Success): JsonSchema {
  const all = outputs.map((output) => schemaOf(schemas, output, "output"));
  // Two views may have one shape.
  const shapes = [...new Map(all.map((shape) => [JSON.stringify(shape), shape])).values()];
  const call = {
    request_id: {
      type: ["string", "null"],
      description: "Names this call: also the header X-Request-Id, and what a log of the service calls it",
    },
    timestamp: { type: "string", format: "date-time", description: "When the answer was made, UTC" },
  };
  const schema = {
    type: "object",
    required: isBare ? ["data"] : [...Object.keys(call), "data"],
    properties: {
      ...(isBare ? {} : call),
      data:
        shapes.length === 1
          ? shapes[0]
          : { description: "The answer itself, in the form that `view` chooses", anyOf: shapes },
    },
  };
  return { description: "The answer", content: { "application/json": { schema, ...examples } } };
}
