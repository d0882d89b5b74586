import { isoMilliseconds } from "../base/clock.ts";
import { Refusal } from "../base/failure.ts";
import type { JsonText } from "../base/json-text.ts";
import { createWork } from "../base/work.ts";
import { bulkInputOf, callBulk } from "../metering/bulk.ts";
import { noScore } from "../metering/disposition.ts";
import { callFree } from "../metering/free.ts";
import type { Call, CallAnswer } from "../metering/metered-call.ts";
import { callProduct } from "../metering/single.ts";
import { PRODUCTS } from "../products/all.ts";
import type { SealedProduct } from "../products/product.ts";
import { findCaller } from "./admission.ts";
import { readJson } from "./body.ts";
import { compress, encodingFor } from "./compression.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";
import { LOOKUP_BASE } from "./dashboard/endpoints.ts";
import { callOnce } from "./dashboard/session-calls.ts";
import { JSON_CONTENT_TYPE, successBody } from "./envelope.ts";
import { mayClose, type Ways } from "./hooks.ts";
import { isGone } from "./request-state.ts";
import { type AskedView, askedOf, memberOfQuery } from "./view.ts";

/** Single, bulk and free route of every product. No product has a route of its own making. */
export function addProductRoutes(app: App, parts: HttpParts, ways: Ways): void {
  const send = createSender(ways);
  for (const product of PRODUCTS) {
    addSingle(app, parts, send, product);
    if (product.bulk !== null) addBulk(app, parts, send, product);
    if (product.free !== null) addFree(app, parts, product, product.free.path);
  }
}

function addSingle(app: App, parts: HttpParts, send: Send, product: SealedProduct): void {
  const config = meteredConfig(product);
  app.post(`/api/${product.name}`, { config }, (request, reply) => {
    const asked = askedOf(parts.policies, product, request);
    const call = callOf(parts, request, product.name, asked);
    // Not awaited by the framework: its own promises would cost turns on the busiest path.
    callProduct(parts.calls, product, readJson(request), call)
      .then((answer) => {
        send(request, reply, { ...answer, isPreferred: asked.isPreferred });
      })
      .catch((error: unknown) => reply.send(error));
  });
  const paidBySession = { config: { ...config, audience: "member" as const } };
  app.post(`${LOOKUP_BASE}/${product.name}`, paidBySession, (request, reply) =>
    callOnce(parts, request, async () => {
      const asked = askedOf(parts.policies, product, request);
      const call = callOf(parts, request, product.name, asked);
      const answer = await callProduct(parts.calls, product, readJson(request), call);
      return send(request, reply, { ...answer, isPreferred: asked.isPreferred });
    }),
  );
}

function addBulk(app: App, parts: HttpParts, send: Send, product: SealedProduct): void {
  if (product.bulk === null) return;
  const bulk = { product, variant: product.bulk, input: bulkInputOf(product, product.bulk) };
  const endpoint = `bulk/${product.name}`;
  const config = {
    endpoint,
    product: product.name,
    halfAllowance: true,
    isMetered: true,
    targetKind: product.targetKind,
  };
  const answer = async (request: Request, reply: Reply): Promise<Reply> => {
    const asked = askedOf(parts.policies, product, request);
    const call = callOf(parts, request, endpoint, asked);
    const made = await callBulk(parts.calls, bulk, readJson(request), call);
    return send(request, reply, { ...made, isPreferred: asked.isPreferred });
  };
  app.post(`/api/${endpoint}`, { config }, answer);
  const paidBySession = { config: { ...config, audience: "member" as const } };
  app.post(`${LOOKUP_BASE}/${endpoint}`, paidBySession, (request, reply) =>
    callOnce(parts, request, () => answer(request, reply)),
  );
}

function addFree(app: App, parts: HttpParts, product: SealedProduct, path: string): void {
  app.post(path, { config: { freeTool: path, cors: true } }, async (request, reply) => {
    const policy = memberOfQuery(request.query, "policy");
    // Strangers are not told which policies there are.
    if (policy !== undefined)
      throw new Refusal("VALIDATION", { faults: [noScore(policy, "a free tool's answer")] });
    const data = await callFree(parts.calls, product, readJson(request), request.state.hangUp.signal);
    return sendData(parts, request, reply, data);
  });
}

/** What the hooks are told of a product's single route. */
export const meteredConfig = (product: SealedProduct) => ({
  endpoint: product.name,
  product: product.name,
  halfAllowance: product.halfAllowance,
  isMetered: true,
  targetKind: product.targetKind,
});

/** The call of a request that was admitted. */
export function callOf(parts: HttpParts, request: Request, endpoint: string, asked: AskedView): Call {
  const { state } = request;
  if (state.caller === null) throw new Refusal("UNAUTHORIZED");
  const work = createWork();
  state.work = work;
  return {
    requestId: request.id,
    endpoint,
    caller: state.caller,
    findAgain: () => findCaller(parts, request, request.routeOptions.config),
    clientAddress: state.clientAddress?.text ?? "",
    startedMs: state.startedMs,
    signal: state.hangUp.signal,
    isGone: () => isGone(request),
    work,
    describe: (subject) => {
      state.subject = subject;
    },
    view: asked.view,
    policy: asked.policy,
    faults: asked.faults,
    keep: keeperOf(parts, request, asked),
    render: (data) => renderAnswer(parts, request, data),
  };
}

/** Keeps an answer that a session paid for, and names it in a header. What a key pays for is its program's to keep. */
function keeperOf(
  { calls: { clock }, dashboard: { results }, randomUuid }: HttpParts,
  request: Request,
  { view }: AskedView,
): Call["keep"] {
  const { state, routeOptions } = request;
  const accountId = state.caller?.accountId;
  if (accountId === undefined || routeOptions.config.audience === undefined) return null;
  // Shorter views cannot be shown as a report.
  if (results.keptDays === 0 || view !== "standard") return null;
  return (answer) => {
    const id = randomUuid();
    results.keep({ ...answer, id, accountId, at: clock.now(), requestId: request.id });
    state.headers.push("x-result-id", id);
  };
}

type Sent = CallAnswer & { readonly isPreferred: boolean };
type Send = (request: Request, reply: Reply, answer: Sent) => Reply;

/**
 * Sends a metered 200. A charged one, whose history row stands with its charge, goes past the framework: its hooks have
 * nothing left to do (decision 0009).
 */
function createSender(ways: Ways): Send {
  return (request, reply, { body, charged, creditsRemaining, isPreferred }) => {
    const { state } = request;
    state.isRecorded = charged > 0;
    state.charged = charged;
    const head = state.headers;
    head.push("x-credits-charged", String(charged), "x-credits-remaining", String(creditsRemaining));
    if (isPreferred) head.push("preference-applied", "return=minimal");
    if (state.encoding !== null) head.push("content-encoding", state.encoding);
    if (charged === 0) return sendBody(reply, body);
    head.push("content-type", JSON_CONTENT_TYPE, "content-length", String(body.length));
    if (mayClose(ways, request)) head.push("connection", "close");
    // Freed before the answer leaves: the caller's next call must not meet the slot of this one.
    state.release();
    reply.raw.writeHead(200, head);
    reply.hijack();
    reply.raw.end(body);
    return reply;
  };
}

/** A 200 in the success envelope. */
export function sendData(parts: HttpParts, request: Request, reply: Reply, data: object): Reply {
  return sendBody(reply, renderData(parts, request, [JSON.stringify(data)]));
}

const renderData = (parts: HttpParts, request: Request, data: JsonText): Buffer =>
  successBody(request.id, isoMilliseconds(parts.calls.clock.now()), data);

/** Smaller answers are not compressed: it costs more than it saves. Source: answers 4. */
const COMPRESSED_BYTES = 8_000;

/** The body of a metered 200, compressed where the operator and the caller want it. */
function renderAnswer(parts: HttpParts, request: Request, data: JsonText): Promise<Buffer> | Buffer {
  const body = renderData(parts, request, data);
  if (!parts.areAnswersCompressed) return body;
  request.state.headers.push("vary", "accept-encoding");
  const encoding = encodingFor(request.headers["accept-encoding"], ["gzip"]);
  if (encoding === null || body.length < COMPRESSED_BYTES) return body;
  request.state.encoding = encoding;
  return compress(body, encoding);
}

const sendBody = (reply: Reply, body: Buffer): Reply =>
  reply.header("content-type", JSON_CONTENT_TYPE).send(body);
