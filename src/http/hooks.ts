import { callRecord } from "../calls/call.ts";
import { Refusal } from "../failure.ts";
import { admitAccount, admitClient } from "./admission.ts";
import { refuseLargeBody } from "./body.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";
import { prepareState } from "./request-state.ts";

/** Status of a call whose caller hung up: nginx's word for it, only in the history. */
const HUNG_UP = 499;

/** The life of every request around its handler, in the order of design 13.1. */
export function installHooks(app: App, parts: HttpParts, closing: { readonly state: boolean }): void {
  app.addHook("onRequest", async (request, reply) => {
    prepareState(parts, request, reply);
    watchHangUp(parts, request, reply);
    const { config } = request.routeOptions;
    if (config.cors) reply.header("Access-Control-Allow-Origin", "*");
    const isMetered = config.endpoint !== undefined || config.freeTool !== undefined;
    if (isMetered && closing.state) throw shuttingDown();
    if (config.endpoint !== undefined) await admitAccount(parts, request, reply);
    if (config.freeTool !== undefined) admitClient(parts, request, reply);
    if (isMetered) refuseLargeBody(request);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    // Freed before the answer leaves: the caller's next call must not meet the slot of this one.
    request.state?.release();
    if (!reply.hasHeader("Cache-Control")) reply.header("Cache-Control", "no-store");
    reply.header("X-Content-Type-Options", "nosniff");
    if (closing.state) reply.header("Connection", "close");
    return payload;
  });
  app.addHook("onResponse", async (request, reply) => recordCall(parts, request, reply.statusCode));
}

const shuttingDown = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", { message: "The service is stopping; try again", retryAfterS: 5 });

function watchHangUp(parts: HttpParts, request: Request, reply: Reply): void {
  reply.raw.once("close", () => {
    request.state.release();
    if (reply.raw.writableFinished) return;
    request.state.hangUp.abort(new Refusal("REQUEST_TIMEOUT", { message: "The caller hung up" }));
    recordCall(parts, request, HUNG_UP);
  });
}

/** One history row per call that passed 401; a charged one was written with its charge. */
function recordCall(parts: HttpParts, request: Request, status: number): void {
  const { state } = request;
  const { endpoint } = request.routeOptions.config;
  if (state.caller === null || state.isRecorded || endpoint === undefined) return;
  state.isRecorded = true;
  const call = {
    requestId: request.id,
    endpoint,
    caller: state.caller,
    credential: "",
    clientAddress: state.clientAddress?.text ?? "",
    startedMs: state.startedMs,
    signal: state.hangUp.signal,
  };
  parts.calls.ledger.record(callRecord(call, state.subject, status, parts.calls.clock));
}
