import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fastify } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { ErrorCode } from "../base/failure.ts";
import { createServer } from "../net/http/node-http.ts";
import { addBillingWebhook } from "./billing-webhook.ts";
import { announcedBytes, holdBody, MAX_BODY_BYTES, takeBodiesAsBytes } from "./body.ts";
import { type Connections, createConnections } from "./connections.ts";
import type { App, HttpParts } from "./context.ts";
import { addDashboardRoutes } from "./dashboard/dashboard-routes.ts";
import { addEnginesRoute } from "./engines-route.ts";
import { acceptedRequestId, errorBody } from "./envelope.ts";
import { answerError, installErrorHandlers, LINGER } from "./errors.ts";
import { addExportRoutes } from "./exports/routes.ts";
import { createUnchanged } from "./exports/unchanged.ts";
import { createGate } from "./gate/gate.ts";
import { installHooks, type Ways } from "./hooks.ts";
import { createLapi } from "./lapi/lapi.ts";
import { measureCalls } from "./measured-calls.ts";
import { addMetaRoutes } from "./meta-routes.ts";
import { openSite, type Site } from "./pages/site.ts";
import { addSiteRoutes } from "./pages/site-routes.ts";
import { addProductRoutes } from "./product-routes.ts";
import type { RawHandler } from "./raw-requests.ts";
import { addCommonHeaders, isHttps, prepareState, STRICT_TRANSPORT } from "./request-state.ts";

/** The bounds of security P7. */
const BOUNDS = {
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  /** Nothing came or went for so long: longer than any call may take, so it is a reader who stopped reading. */
  stalledTimeoutMs: 150_000,
  checkEveryMs: 1_000,
  /** How long what is idle at the end may still send: a balancer's request may be on its way. */
  closingGraceMs: 1_000,
  /** How long calls go on at the end, of the ten seconds that all of it may take: the rest is for their answers, on a slow machine too. */
  closingWorkMs: 7_000,
  /** When who has not read, or not sent, until then is left: what comes after the server needs its time as well. */
  closingEndMs: 9_500,
} as const;

/** Zod judges, and answers are texts already: without these the framework loads two compilers (Ajv's) at every start, for nothing. */
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas };

function noSchemas(): never {
  throw new Error("No route has a schema of the framework's");
}

export type HttpServer = {
  /** Starts to listen; resolves to the address, e.g. `http://127.0.0.1:8080`. */
  readonly listen: (host: string, port: number) => Promise<string>;
  /** Refuses what is new, finishes what runs, then closes (security P25). */
  readonly close: () => Promise<void>;
};

/** The HTTP surface of interface 4: every route is made from the products or stands in `meta-routes.ts`. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const closing = { state: false };
  const connections = createConnections();
  const site = openSite(parts);
  const ways = { closing, connections };
  const beside = [createGate(parts, ways), createLapi(parts, ways), createUnchanged(parts, ways)];
  const app: App = fastify({
    genReqId: (request) => acceptedRequestId(request.headers["x-request-id"]) ?? parts.randomUuid(),
    logger: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    serverFactory: (handler) => createListener(beside, handler, parts.calls.clock),
    clientErrorHandler: (error, socket) => void refuseBrokenHttp(parts, connections, error, socket),
    frameworkErrors: (error, request, reply) => {
      prepareState(parts, request);
      addCommonHeaders(request, reply);
      void answerError(parts, error, request, reply, site.sendProblem);
    },
    // A value in a path is judged by its parser: no bound of the router's comes before it.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: BOUNDS.headerBytes },
  });
  app.server.headersTimeout = BOUNDS.headersTimeoutMs;
  takeExpectations(app.server);
  app.decorateRequest("state");
  takeBodiesAsBytes(app);
  if (parts.metrics !== null) measureCalls(app, parts, parts.metrics);
  installHooks(app, parts, { closing, connections });
  installErrorHandlers(app, parts, site.sendProblem);
  addRoutes(app, parts, site, { closing, connections });
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: () => closeGently(app, { closing, connections }, parts.calls.clock),
  };
}

function addRoutes(app: App, parts: HttpParts, site: Site, ways: Ways): void {
  addMetaRoutes(app, parts, ways.closing, site);
  addProductRoutes(app, parts, ways);
  addEnginesRoute(app, parts);
  addExportRoutes(app, parts, ways);
  addSiteRoutes(app, parts, site);
  addDashboardRoutes(app, parts);
  addBillingWebhook(app, parts);
}

function takeExpectations(server: Server): void {
  // A caller who waits for 100 gets it once the body is wanted: a refusal that needs no body comes instead (RFC 9110 10.1.1).
  server.on("checkContinue", (request, response) => {
    holdBody(request, () => response.writeContinue());
    server.emit("request", request, response);
  });
  // An expectation that is not known is ignored, as RFC 9110 10.1.1 allows: Node's 417 has no envelope.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server some of whose requests go past the framework. */
function createListener(besides: readonly RawHandler[], handler: Handler, clock: Clock): Server {
  const options = {
    maxHeaderSize: BOUNDS.headerBytes,
    headersTimeout: BOUNDS.headersTimeoutMs,
    connectionsCheckingInterval: BOUNDS.checkEveryMs,
    requireHostHeader: false, // a hook judges it: Node's own refusal has no envelope
    keepAliveTimeout: BOUNDS.keepAliveTimeoutMs,
    requestTimeout: BOUNDS.requestTimeoutMs,
  };
  const server = createServer(options, (request, response) => {
    if (isLong(request)) endAfterAnswer(request, response, clock);
    let at = 0;
    const next = (): void => {
      const beside = besides[at++];
      if (beside === undefined) handler(request, response);
      else beside(request, response, next);
    };
    next();
  });
  server.setTimeout(BOUNDS.stalledTimeoutMs);
  return server;
}

/** Whether a body may go on for longer than any is read. */
const isLong = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || announcedBytes(headers) > MAX_BODY_BYTES;

/** What is answered without its body (a GET, the gate) must not go on sending it: Node would throw it away for ever. */
function endAfterAnswer(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  const { socket } = request;
  response.once("finish", () => {
    void clock.sleep(LINGER.ms).then(() => {
      if (!request.complete) socket.destroy();
    });
  });
}

const broken = new WeakSet<Socket>();

// HTTP that Node's strict parser refuses never becomes a request: it is answered on the socket (security P7), after the
// answers to the requests that stood before it.
async function refuseBrokenHttp(
  parts: HttpParts,
  connections: Connections,
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
  // Every further packet comes here again.
  if (broken.has(socket)) return;
  broken.add(socket);
  await connections.answered(socket);
  if (!socket.writable) return;
  const requestId = parts.randomUuid();
  const [status, code] = BROKEN_HTTP[error.code ?? ""] ?? (["400 Bad Request", "BAD_REQUEST"] as const);
  const body = errorBody(requestId, code);
  const strict = isHttps(parts) ? `Strict-Transport-Security: ${STRICT_TRANSPORT}\r\n` : "";
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n${strict}Connection: close\r\n\r\n${body}`,
  );
  // Nothing else would ever end a connection whose other side does not leave.
  void parts.calls.clock.sleep(LINGER.ms).then(() => socket.destroy());
}

const BROKEN_HTTP: Readonly<Record<string, readonly [status: string, code: ErrorCode]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "HEADERS_TOO_LARGE"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "REQUEST_TIMEOUT"],
};

// What arrives on an open connection is refused with 503 and `Connection: close`, never reset: a balancer may send it to
// another process. Node's own close would end idle connections at once, with a request perhaps on its way to them, and
// Fastify's would wait for them for ever after (fastify#6889).
async function closeGently(
  app: App,
  { closing, connections }: { readonly closing: { state: boolean }; readonly connections: Connections },
  clock: Clock,
): Promise<void> {
  closing.state = true;
  const closeIdle = app.server.closeIdleConnections.bind(app.server);
  app.server.closeIdleConnections = () => undefined;
  const closed = new AbortController();
  const sweeping = closeAsTheyFallIdle(closeIdle, clock, closed.signal);
  void clock.sleep(BOUNDS.closingWorkMs, closed.signal).then(connections.giveUp, () => undefined);
  const cut = () => app.server.closeAllConnections();
  void clock.sleep(BOUNDS.closingEndMs, closed.signal).then(cut, () => undefined);
  try {
    await app.close();
  } finally {
    closed.abort();
    await sweeping;
  }
}

async function closeAsTheyFallIdle(closeIdle: () => void, clock: Clock, closed: AbortSignal): Promise<void> {
  try {
    await clock.sleep(BOUNDS.closingGraceMs, closed);
    for (;;) {
      closeIdle();
      await clock.sleep(50, closed);
    }
  } catch (error) {
    if (!closed.aborted) throw error;
  }
}
