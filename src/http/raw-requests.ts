import type { IncomingMessage, ServerResponse } from "node:http";
import { ERROR_CODES, type Refusal } from "../base/failure.ts";
import type { CallMetrics } from "../base/metrics.ts";
import type { Ip } from "../targets/ip.ts";
import { peerAddress } from "./client-address.ts";
import type { HttpParts } from "./context.ts";
import { acceptedRequestId } from "./envelope.ts";
import type { Ways } from "./hooks.ts";
import { HUNG_UP } from "./measured-calls.ts";

/**
 * What the server answers before the framework sees it, whose hooks would cost more than the question (decision 0021): by itself,
 * and never with a rejection. What is not its own it hands on, now or later, untouched.
 */
export type RawHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Each is told by its response that the caller left. */
const unheard = (): void => undefined;

/**
 * Counts a request among those that its connection owes an answer, until what is returned is called. What is answered at once
 * needs no counting: nothing can come between.
 */
export function oweAnswer({ connections }: Pick<Ways, "connections">, request: IncomingMessage): () => void {
  connections.began(request, unheard);
  return () => connections.ended(request);
}

/** A request that is answered beside the framework. */
export type Exchange = {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Who dials. */
  readonly peer: Ip | null;
};

/** Begins an exchange, which is counted under the name when its response is over. */
export function beginExchange(
  { calls: { clock }, metrics, randomUuid }: Pick<HttpParts, "calls" | "metrics" | "randomUuid">,
  { request, response }: Pick<Exchange, "request" | "response">,
  endpoint: string,
): Exchange {
  if (metrics !== null) measure(metrics, { response, endpoint, nowMs: () => clock.monotonicMs() });
  return {
    id: acceptedRequestId(request.headers["x-request-id"]) ?? randomUuid(),
    request,
    response,
    peer: peerAddress(request.socket.remoteAddress ?? ""),
  };
}

type Measured = {
  readonly response: ServerResponse;
  readonly endpoint: string;
  readonly nowMs: () => number;
};

function measure(metrics: CallMetrics, { response, endpoint, nowMs }: Measured): void {
  const startedMs = nowMs();
  metrics.began();
  response.once("close", () =>
    metrics.ended({
      ...{ kind: "other", endpoint, creditsCharged: 0 },
      status: response.writableFinished ? response.statusCode : HUNG_UP,
      elapsedMs: nowMs() - startedMs,
    }),
  );
}

// The gate's are handed on to visitors by proxies, so that nothing stands here that is only true of this service's own name.
/** Headers that every answer carries: name, value, name, value … */
export const rawHeaders = ({ id }: Exchange): string[] => [
  "X-Request-Id",
  id,
  "X-Content-Type-Options",
  "nosniff",
];

/** Sends a refusal whose body is JSON. */
export function sendRawRefusal(
  exchange: Exchange,
  refusal: Refusal,
  { status, body, contentType }: { status: number; body: string; contentType: string },
): void {
  const { request, response } = exchange;
  const head = rawHeaders(exchange);
  head.push("Cache-Control", "no-store", "Content-Type", contentType);
  head.push("Content-Length", String(Buffer.byteLength(body)));
  if (status === ERROR_CODES.UNAUTHORIZED.status) head.push("WWW-Authenticate", "ApiKey");
  if (status === ERROR_CODES.RATE_LIMIT_EXCEEDED.status) head.push("X-RateLimit-Scope", refusal.scope);
  if (refusal.retryAfterS !== null) head.push("Retry-After", String(refusal.retryAfterS));
  if (refusal.code === "BAD_REQUEST") head.push("Connection", "close");
  response.writeHead(status, head);
  response.end(request.method === "HEAD" ? undefined : body);
}
