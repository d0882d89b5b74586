import { z } from "zod";
import { ENDPOINTS } from "../src/http/dashboard/endpoints.ts";
import { openApiDocument } from "../src/http/openapi.ts";
import { createSchemaJudge } from "./json-schema.ts";

/** An answer of the service, as the contract judges it. */
export type JudgedAnswer = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Of a product's answer. Default: standard. */
  readonly view?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
};

const DOCUMENT = openApiDocument({ version: "0.3.0", publicUrl: null });
const schemaFaults = createSchemaJudge(DOCUMENT);

/** Refusals that any path may give, whatever its operation names. */
const EVERYWHERE = new Set([400, 404, 405, 408, 417, 431]);
/** A schema by itself, its parts being those of the document. */
function hoisted(schema: object): unknown {
  const root = { ...schema, $schema: undefined, $defs: undefined };
  // Zod writes the bounds of safe integers on every integer.
  const bounds = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
  const text = JSON.stringify(root, (_key, value) => (bounds.has(value) ? undefined : value));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** The pages' own interface, which is no part of the document: by its `endpoints.ts`. */
const DASHBOARD = Object.values(ENDPOINTS).map(({ method, path, output }) => ({
  method,
  pattern: new RegExp(`^/api/dashboard${path.replace(/:\w+/g, "[^/]+")}$`),
  schema: enveloped(hoisted(z.toJSONSchema(output))),
}));
/** Answered, and no part of the document. */
const NOT_DOCUMENTED =
  /^\/(livez|readyz|openapi\.json|docs(\/.*)?|api\/dashboard\/(usage\.csv|account\/export|runs\/[^/]+\/(csv|json)))$/;

/**
 * Everything in which an answer is not what the OpenAPI document and design 13.1 promise of all of them; empty:
 * nothing. Bulk results are judged as the single endpoint's `data` too.
 */
export function contractFaults(answer: JudgedAnswer): readonly string[] {
  // What a session pays for is answered as with a key.
  const path =
    answer.status === 200 ? answer.path.replace(/^\/api\/dashboard\/lookup\//, "/api/") : answer.path;
  return [...headerFaults(answer), ...bodyFaults({ ...answer, path })];
}

function headerFaults({ status, headers, method, text }: JudgedAnswer): readonly string[] {
  const faults: string[] = [];
  const id = headers["x-request-id"];
  if (typeof id !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(id)) faults.push("no X-Request-Id");
  if (headers["x-content-type-options"] !== "nosniff") faults.push("no nosniff");
  if (headers["x-powered-by"] !== undefined || headers["server"] !== undefined)
    faults.push("says what it is");
  if (headers["cache-control"] === undefined) faults.push("no Cache-Control");
  if (status === 405 && headers["allow"] === undefined) faults.push("405 without Allow");
  if (status === 401 && headers["www-authenticate"] !== "ApiKey") faults.push("401 without WWW-Authenticate");
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(String(headers["retry-after"]))) {
    faults.push(`${status} without Retry-After`);
  }
  const isScoped = headers["x-ratelimit-scope"] !== undefined;
  if (isScoped !== (status === 429)) faults.push("X-RateLimit-Scope is for a 429, and for that alone");
  if (status === 204 || method === "HEAD") {
    if (text !== "") faults.push("a body where none belongs");
  } else if (status >= 400 && headers["content-type"] !== "application/json; charset=utf-8") {
    faults.push(`an error as ${headers["content-type"]}`);
  }
  return faults;
}

function bodyFaults({
  method,
  path,
  view = "standard",
  status,
  headers,
  text,
}: JudgedAnswer): readonly string[] {
  if (method === "HEAD" || status === 204 || status === 304 || (status === 200 && NOT_DOCUMENTED.test(path)))
    return [];
  const body: unknown = JSON.parse(text);
  if (NOT_DOCUMENTED.test(path) && status === 503) return [];
  const schema = schemaFor(method, path, status, view);
  if (schema === null) return [`${method} ${path} has no ${status} in the document`];
  const faults = [...schemaFaults(schema, body)];
  const id = memberOf(body, "request_id");
  if (id !== undefined && id !== headers["x-request-id"]) faults.push("two request ids");
  if (status === 200) faults.push(...resultFaults(path, view, memberOf(body, "data")));
  return faults;
}

const ERROR = { $ref: "#/components/schemas/ErrorEnvelope" };
const INVALID = { $ref: "#/components/schemas/ValidationError" };

function schemaFor(method: string, path: string, status: number, view: string): object | null {
  if (EVERYWHERE.has(status)) return ERROR;
  if (path.startsWith("/api/dashboard/") || path === "/api/billing/webhook") {
    return dashboardSchema(method, path, status);
  }
  const operation = at(DOCUMENT, ["paths", path, method.toLowerCase()]);
  const schema = at(operation, ["responses", String(status), "content", "application/json", "schema"]);
  return schema === undefined ? null : inView(Object(schema), view);
}

function dashboardSchema(method: string, path: string, status: number): object | null {
  if (status === 422) return INVALID;
  if (status >= 400) return ERROR;
  if (path === "/api/billing/webhook") return RECEIVED;
  return DASHBOARD.find((one) => one.method === method && one.pattern.test(path))?.schema ?? null;
}

function enveloped(data: unknown): object {
  const properties = { request_id: { type: "string" }, timestamp: { type: "string" }, data };
  return { type: "object", required: ["request_id", "timestamp", "data"], properties };
}

const RECEIVED = enveloped({
  type: "object",
  required: ["received"],
  properties: { received: { const: true } },
});

/** A product's `data` has a shape for each view; the one of a view stands where the view does in their order. */
function inView(schema: object, view: string): object {
  const views = inViews.get(schema) ?? new Map<string, object>();
  inViews.set(schema, views);
  const known = views.get(view) ?? chosenView(schema, view);
  views.set(view, known);
  return known;
}

/** Each made once: schemas are compiled by their identity. */
const inViews = new WeakMap<object, Map<string, object>>();

function chosenView(schema: object, view: string): object {
  const data = at(schema, ["properties", "data"]);
  const shapes = memberOf(data, "anyOf");
  if (!Array.isArray(shapes) || shapes.length < 3) return schema;
  // Without engines `full` is `standard`.
  const order =
    shapes.length === 4 ? ["standard", "full", "compact", "verdict"] : ["standard", "compact", "verdict"];
  const shape: unknown = shapes[Math.max(0, order.indexOf(view))];
  return { ...schema, properties: { ...Object(memberOf(schema, "properties")), data: shape } };
}

function resultFaults(path: string, view: string, data: unknown): readonly string[] {
  const results = memberOf(data, "results");
  if (!path.startsWith("/api/bulk/") || !Array.isArray(results)) return [];
  const single = path.replace("/bulk", "");
  const schema = Object(at(schemaFor("POST", single, 200, view), ["properties", "data"]));
  return results.flatMap((item, i) => {
    const result = memberOf(item, "result");
    const isFailed = memberOf(item, "status") === "error";
    if (isFailed === (result !== null)) return [`results[${i}]: status and result do not go together`];
    if (isFailed) {
      const word = /^(invalid_input|timeout|upstream_error|internal_error|cancelled): ./;
      return word.test(String(memberOf(item, "error"))) ? [] : [`results[${i}]: no code in error`];
    }
    return schemaFaults(schema, result, `results[${i}]`);
  });
}

/** A member of an object that is its own; else undefined. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** What stands at the end of a path of members; undefined where it breaks off. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => memberOf(inner, name), value);
