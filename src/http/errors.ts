import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Clock } from "../base/clock.ts";
import { ERROR_CODES, type ErrorCode, type Fault, Refusal } from "../base/failure.ts";
import { isTooLarge } from "./body.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";
import { JSON_CONTENT_TYPE, refusalBody } from "./envelope.ts";

/** Fastify's own errors, in our words. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_BAD_URL: "BAD_REQUEST",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
};

const DATABASE_RETRY_S = 5;

/** How long, and for how many octets, a refused body is thrown away. */
export const LINGER = { ms: 2_000, bytes: 16_777_216 } as const;

/** Every failure becomes its answer here: refusals as they are, the database's absence as 503, the rest as 500. */
export function installErrorHandlers(app: App, parts: HttpParts, sendProblem: SendProblem): void {
  app.setErrorHandler(async (error, request, reply) => {
    await answerError(parts, error, request, reply, sendProblem);
    return reply;
  });
}

/** Sends a refusal as a page where a person waits for one; false: nothing was sent. */
export type SendProblem = (request: Request, reply: Reply, refusal: Refusal) => Promise<boolean>;

/** Sends the answer for what was thrown; a fault of ours is logged once, with its stack and request id. */
export async function answerError(
  parts: HttpParts,
  error: unknown,
  request: Request,
  reply: Reply,
  sendProblem: SendProblem,
): Promise<void> {
  const refusal =
    error instanceof Refusal ? error : asRefusal(parts, await parts.explainFault(error), request);
  const { status } = ERROR_CODES[refusal.code];
  if (status === 401) reply.header("WWW-Authenticate", challengesOf(request));
  if (status === 429 && !reply.hasHeader("X-RateLimit-Scope"))
    reply.header("X-RateLimit-Scope", refusal.scope);
  if (refusal.retryAfterS !== null) reply.header("Retry-After", String(refusal.retryAfterS));
  const isEndless = mayBeEndless(request);
  if (refusal.code === "BAD_REQUEST" || isEndless) reply.header("Connection", "close");
  if (!isEndless && (await sendProblem(request, reply, refusal))) return;
  const body = refusalBody(request.id, refusal);
  reply
    .code(status)
    .header("Content-Type", JSON_CONTENT_TYPE)
    .header("Content-Length", Buffer.byteLength(body))
    .send(isEndless ? Readable.from(beforeRest(body, request.raw, parts.calls.clock)) : body);
}

/** Programs that know Basic alone often send its password only when they are asked for it. */
const challengesOf = ({ routeOptions }: Request): readonly string[] =>
  routeOptions.config.basic === true ? ["ApiKey", 'Basic realm="Repute", charset="UTF-8"'] : ["ApiKey"];

/** Whether an unread body may go on for long: its connection is closed after the answer. */
function mayBeEndless(request: Request): boolean {
  if (request.headers["transfer-encoding"] !== undefined) return !request.raw.complete;
  return isTooLarge(request);
}

/**
 * The answer at once, and its end when the rest of the body was thrown away, within bounds: closing on octets that
 * is unread resets the connection, and a caller still sending would never see the answer (RFC 9112 9.6).
 */
async function* beforeRest(body: string, rest: IncomingMessage, clock: Clock): AsyncGenerator<string> {
  yield body;
  const stop = new AbortController();
  let bytes = 0;
  rest.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER.bytes) stop.abort();
  });
  rest.once("end", () => stop.abort());
  rest.once("close", () => stop.abort());
  await clock.sleep(LINGER.ms, stop.signal).catch(() => undefined);
}

function asRefusal(parts: HttpParts, error: unknown, request: Request): Refusal {
  // The body broke off with the connection, and the answer will not be read; or the service stops.
  const { reason } = request.state.hangUp.signal;
  if (reason instanceof Refusal) return reason;
  const code = codeOf(error);
  if (code !== null) return new Refusal(code, { cause: error });
  if (isRefusedText(error)) return new Refusal("VALIDATION", { faults: [REFUSED_TEXT], cause: error });
  return failureRefusal(parts, error, request.id);
}

/** The database's absence is a 503, whose outage is logged; a fault of ours is logged and a 500. */
export function failureRefusal(
  { calls, isDatabaseUnavailable, noteOutage }: FailureParts,
  error: unknown,
  requestId: string,
): Refusal {
  if (isDatabaseUnavailable(error)) {
    noteOutage(error, requestId);
    const message = "The database cannot be reached; try again";
    return new Refusal("SERVICE_UNAVAILABLE", { message, retryAfterS: DATABASE_RETRY_S, cause: error });
  }
  calls.deps.log.error({ err: error, request_id: requestId }, "Call failed");
  return new Refusal("INTERNAL_ERROR", { cause: error });
}

type FailureParts = Pick<HttpParts, "calls" | "isDatabaseUnavailable" | "noteOutage">;

/** The texts that PostgreSQL cannot keep, U+0000 in the first place: the sender is at fault, not the service. */
const isRefusedText = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "22021" || error.code === "22P05");

const REFUSED_TEXT: Fault = {
  loc: ["body"],
  msg: "A text holds a character that cannot be kept: leave U+0000 out",
  type: "value_error",
  input: null,
  ctx: { reason: "text_malformed" },
};

function codeOf(error: unknown): ErrorCode | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return Object.hasOwn(FRAMEWORK_CODES, error.code) ? (FRAMEWORK_CODES[error.code] ?? null) : null;
}
