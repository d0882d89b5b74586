import { ERROR_CODES, type ErrorCode, Refusal } from "../failure.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";
import { refusalBody } from "./envelope.ts";

/** Fastify's own errors, in our words. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_BAD_URL: "BAD_REQUEST",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
};

const DATABASE_RETRY_S = 5;

/** Every failure becomes its answer here: refusals as they are, the database's absence as 503, the rest as 500. */
export function installErrorHandlers(app: App, parts: HttpParts): void {
  app.setErrorHandler((error, request, reply) => answerError(parts, error, request, reply));
}

/** Sends the answer for what was thrown; a fault of ours is logged once, with its stack and request id. */
export function answerError(parts: HttpParts, error: unknown, request: Request, reply: Reply): void {
  const refusal = asRefusal(parts, error, request);
  const { status } = ERROR_CODES[refusal.code];
  if (refusal.code === "UNAUTHORIZED") reply.header("WWW-Authenticate", "ApiKey");
  if (refusal.retryAfterS !== null) reply.header("Retry-After", String(refusal.retryAfterS));
  // What stands unread on the connection would be read as the next request.
  if (refusal.code === "PAYLOAD_TOO_LARGE") reply.header("Connection", "close");
  reply
    .code(status)
    .header("Content-Type", "application/json; charset=utf-8")
    .send(refusalBody(request.id, refusal));
}

function asRefusal(parts: HttpParts, error: unknown, request: Request): Refusal {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  if (code !== null) return new Refusal(code, { cause: error });
  if (parts.isDatabaseUnavailable(error)) {
    parts.calls.deps.log.warn({ err: error, request_id: request.id }, "The database is not available");
    return new Refusal("SERVICE_UNAVAILABLE", { retryAfterS: DATABASE_RETRY_S, cause: error });
  }
  parts.calls.deps.log.error({ err: error, request_id: request.id }, "Call failed");
  return new Refusal("INTERNAL_ERROR", { cause: error });
}

function codeOf(error: unknown): ErrorCode | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return Object.hasOwn(FRAMEWORK_CODES, error.code) ? (FRAMEWORK_CODES[error.code] ?? null) : null;
}

/** 404 for paths that nobody serves, 405 with `Allow` for the others, 204 for OPTIONS (design 13.1). */
export function answerUnknownPath(app: App): void {
  const methods = new Map<string, Set<string>>();
  const hasCors = new Set<string>();
  for (const { url, method, cors } of knownRoutes(app)) {
    const known = methods.get(url) ?? new Set(["OPTIONS"]);
    known.add(method);
    methods.set(url, known);
    if (cors) hasCors.add(url);
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methods.get(path);
    if (allowed === undefined) throw new Refusal("NOT_FOUND");
    reply.header("Allow", [...allowed].toSorted().join(", "));
    if (hasCors.has(path)) addCorsHeaders(reply, allowed);
    if (request.method !== "OPTIONS") throw new Refusal("METHOD_NOT_ALLOWED");
    reply.code(204).send();
  });
}

function addCorsHeaders(reply: Reply, allowed: ReadonlySet<string>): void {
  reply.headers({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": [...allowed].toSorted().join(", "),
    "Access-Control-Allow-Headers": "Content-Type, X-Request-Id",
    "Access-Control-Max-Age": "600",
  });
}

type KnownRoute = { readonly url: string; readonly method: string; readonly cors: boolean };
const ROUTES = new WeakMap<App, KnownRoute[]>();

/** Starts to note every route that is added from now on. */
export function noteRoutes(app: App): void {
  const routes: KnownRoute[] = [];
  ROUTES.set(app, routes);
  app.addHook("onRoute", ({ url, method, config }) => {
    for (const one of [method].flat()) routes.push({ url, method: one, cors: config?.cors === true });
  });
}

const knownRoutes = (app: App): readonly KnownRoute[] => ROUTES.get(app) ?? [];
