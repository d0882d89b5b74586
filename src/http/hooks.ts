import { Refusal } from "../base/failure.ts";
import { callRecord } from "../metering/metered-call.ts";
import { partyOfAccount } from "../net/party.ts";
import { inTurn } from "../net/turns.ts";
import { admitAccount, admitClient } from "./admission.ts";
import { refuseLargeBody } from "./body.ts";
import type { Connections } from "./connections.ts";
import type { App, HttpParts, Reply, Request, RouteConfig } from "./context.ts";
import { admitSession } from "./dashboard/admit-session.ts";
import { refuseDoubtfulFraming } from "./framing.ts";
import { HUNG_UP } from "./measured-calls.ts";
import { refuseOtherHost } from "./own-host.ts";
import { createPathJudge } from "./paths.ts";
import { addCommonHeaders, freeSlot, isGone, prepareState } from "./request-state.ts";
import { sideBySide } from "./side-by-side.ts";

/** The life of every request around its handler, in the order of design 13.1. */
export function installHooks(app: App, parts: HttpParts, { closing, connections }: Ways): void {
  const judgePath = createPathJudge(app);
  app.addHook("onRequest", (request, reply, done) => {
    prepareState(parts, request);
    const owed = watchConnection(request, reply, connections);
    const begun = attempt(() => {
      if (owed > MAX_OWED) throw tooManyAtOnce();
      refuseDoubtfulFraming(request.raw);
      if (judgePath(request, reply)) return "answered";
      const { config } = request.routeOptions;
      if (config.cors) reply.header("Access-Control-Allow-Origin", "*");
      if (isCall(config) && closing.state) throw shuttingDown();
      return admit(parts, request, reply, config);
    });
    if (begun === "answered") return;
    const go = (): void => done(faultBeforeBody(request));
    // No promise where nothing is waited for: it would cost turns.
    if (begun === undefined) go();
    else begun.then(go, done);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    addCommonHeaders(request, reply);
    // Freed before the answer leaves: the caller's next call must not meet the slot of this one.
    freeSlot(request);
    recordCall(parts, request, reply.statusCode);
    if (mayClose({ closing, connections }, request)) reply.header("Connection", "close");
    done(null, payload);
  });
}

/** What those who send answers know of the connections. */
export type Ways = { readonly closing: { readonly state: boolean }; readonly connections: Connections };

/** Whether an answer ends its connection: while the service stops, the last one that it is owed. */
export const mayClose = ({ closing, connections }: Ways, request: Request): boolean =>
  closing.state && connections.isNewest(request.raw);

/** Requests of one connection at work at once: a caller who sends more without reading makes the service hold the answers. */
const MAX_OWED = 100;

const tooManyAtOnce = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", {
    message: `More than ${MAX_OWED} requests wait on this connection; read their answers first`,
    retryAfterS: 1,
  });

const isCall = ({ endpoint, freeTool, audience, isBounded }: RouteConfig): boolean =>
  endpoint !== undefined || freeTool !== undefined || audience !== undefined || isBounded === true;

function attempt<T>(work: () => T): T | Promise<never> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Lets a call in by its route's rule; undefined at once where there is none. */
function admit(
  parts: HttpParts,
  request: Request,
  reply: Reply,
  { endpoint, freeTool, audience, page }: RouteConfig,
): Promise<void> | undefined {
  // What pages load is the same for all, and the refusal is a page too.
  if ((page === true || audience !== undefined) && !request.url.startsWith("/assets/")) {
    refuseOtherHost(parts, request);
  }
  if (endpoint !== undefined) return sideBySide(() => admitAccount(parts, request, reply));
  if (freeTool !== undefined) return admitClient(parts, request, reply, freeTool);
  return audience === undefined ? undefined : admitSession(parts, request, audience);
}

/** Why the body is not to be read; undefined: it is. */
function faultBeforeBody(request: Request): Error | undefined {
  try {
    if (isCall(request.routeOptions.config)) refuseLargeBody(request);
    // A caller who hung up during admission sends no body: reading it would wait for ever, with the slot taken.
    request.state.hangUp.signal.throwIfAborted();
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

const shuttingDown = (): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", { message: "The service is stopping; try again", retryAfterS: 5 });

/** How many requests the connection has unanswered now. */
function watchConnection(request: Request, reply: Reply, connections: Connections): number {
  reply.raw.on("close", () => {
    const { state } = request;
    connections.ended(request.raw);
    if (!reply.raw.writableFinished) return leave(request);
    state.release();
  });
  return connections.began(request.raw, (why) => (why === "left" ? leave : giveUp)(request));
}

/**
 * The connection is gone, and with it the caller. A call at work goes on to its answer, perhaps through its settlement; then it is
 * recorded, charged or not, and its slot is freed.
 */
function leave(request: Request): void {
  const { state } = request;
  if (state.work === null || state.caller === null) state.release();
  endWork(request, hungUp());
}

/** The service stops, and the call takes too long: it is refused, uncharged unless its charge is under way, and may be asked of another process. */
const giveUp = (request: Request): void => endWork(request, shuttingDown());

function endWork({ state }: Request, why: Refusal): void {
  const end = (): void => {
    if (!state.hangUp.signal.aborted) state.hangUp.abort(why);
  };
  // A batch gives up hundreds of questions.
  if (state.work !== null && state.caller !== null) inTurn(partyOfAccount(state.caller.accountId), end);
  else end();
}

const hungUp = (): Refusal => new Refusal("REQUEST_TIMEOUT", { message: "The caller hung up" });

/** One history row per call that passed 401; a charged one was written with its charge. */
function recordCall(parts: HttpParts, request: Request, answered: number): void {
  const { state } = request;
  const { endpoint, isMetered } = request.routeOptions.config;
  if (state.caller === null || state.isRecorded || endpoint === undefined) return;
  state.isRecorded = true;
  const hasLeft = state.isAdmitted && isGone(request);
  if (hasLeft && isMetered) parts.limits.noteHangUp(state.caller.accountId);
  // A refusal by the limits is one whether its caller stays to read it or not.
  const status = hasLeft ? HUNG_UP : answered;
  const call = {
    requestId: request.id,
    endpoint,
    caller: state.caller,
    clientAddress: state.clientAddress?.text ?? "",
    startedMs: state.startedMs,
  };
  parts.calls.ledger.record(callRecord(call, state.subject, status, parts.calls.clock));
}
