import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { ERROR_CODES, Refusal } from "../../base/failure.ts";
import { durationSecondsOf } from "../../exports/decisions/decision.ts";
import { announcedBytes, MAX_BODY_BYTES } from "../body.ts";
import { clientAddress } from "../client-address.ts";
import type { HttpParts } from "../context.ts";
import { JSON_CONTENT_TYPE } from "../envelope.ts";
import { failureRefusal } from "../errors.ts";
import { refuseDoubtfulFraming } from "../framing.ts";
import { createRates, tooManyBy } from "../gate/rate.ts";
import type { Ways } from "../hooks.ts";
import {
  beginExchange,
  type Exchange,
  oweAnswer,
  type RawHandler,
  rawHeaders,
  sendRawRefusal,
} from "../raw-requests.ts";
import { admitToken } from "../token-admission.ts";
import { createCursors } from "./cursors.ts";
import { createFinders, lookupText } from "./lookup-text.ts";
import { isFirewallBouncer, isLapi, type LapiQuestion, notServed, readLapiQuestion } from "./question.ts";
import { sendStream, sendStreamHead } from "./send-stream.ts";
import { servedExport } from "./served.ts";

/** A request whose token may read decisions. */
type Admitted = {
  readonly exchange: Exchange;
  readonly question: LapiQuestion;
  readonly bearer: TokenBearer;
  readonly address: string;
};

/**
 * Exports as CrowdSec's bouncers read them, beside the framework: every refusal here is JSON with a message, which is what
 * bouncers take for one (decision 0026).
 */
export function createLapi(parts: HttpParts, ways: Ways): RawHandler {
  const routes = createRoutes(parts, ways.closing);
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    refuseDoubtfulFraming(request);
    // Bodies are thrown away; larger ones are not even that.
    if (announcedBytes(request.headers) > MAX_BODY_BYTES) throw new Refusal("PAYLOAD_TOO_LARGE");
    const { headers } = request;
    const address = clientAddress(
      request.socket.remoteAddress,
      headers["x-forwarded-for"],
      parts.isTrustedProxy,
    );
    const bearer = await admitToken(parts, { headers, state: { clientAddress: address } }, "decisions");
    const question = readLapiQuestion(request.url ?? "", headers["user-agent"] ?? "");
    const route = routes[`${request.method} ${question.route}`];
    if (route === undefined) throw notServed();
    await route({ exchange, question, bearer, address: address?.text ?? "" });
  };
  return (request, response, next) => {
    const { url = "" } = request;
    if (!isLapi(url)) return next();
    const exchange = beginExchange(parts, { request, response }, endpointOf(url));
    response.once("close", oweAnswer(ways, request));
    answer(exchange).catch((error: unknown) => refuse(parts, exchange, error));
  };
}

/** For the metrics: one of a few words, whatever is asked for. */
const endpointOf = (url: string): string =>
  /\/v1\/(decisions\/stream|decisions|usage-metrics)(?:\?|$)/.exec(url)?.[1] ?? "lapi";

type Route = (admitted: Admitted) => Promise<void> | void;

function createRoutes(
  parts: HttpParts,
  closing: { readonly state: boolean },
): Readonly<Record<string, Route>> {
  const stream = createStream(parts, closing);
  const rates = createRates(parts.gatePerSecond);
  const finderOf = createFinders(parts.exports, (error) =>
    parts.calls.deps.log.error({ err: error }, "An export cannot be read"),
  );
  const limited =
    (route: Route): Route =>
    (admitted) => {
      const waitS = rates.take(admitted.bearer.tokenId, parts.calls.clock.monotonicMs());
      if (waitS > 0) throw tooManyBy(parts.gatePerSecond, "requests", waitS);
      return route(admitted);
    };
  const lookup = limited(({ exchange, question }) => {
    const { facts } = servedExport(parts.exports, question.exportName);
    sendText(exchange, { text: lookupText(question, facts, finderOf(facts)), isClosing: closing.state });
  });
  return {
    "GET decisions/stream": limited(stream),
    "HEAD decisions/stream": limited(stream),
    "GET decisions": lookup,
    "HEAD decisions": lookup,
    // What bouncers count of themselves is counted as a request, and kept by none.
    "POST usage-metrics": limited(({ exchange }) => {
      const head = [...rawHeaders(exchange), "Content-Length", "0"];
      exchange.response.writeHead(201, head);
      exchange.response.end();
    }),
  };
}

/** Answers of one token that may be on their way at once. */
const MAX_AT_ONCE = 128;

function createStream({ calls, exports }: HttpParts, closing: { readonly state: boolean }): Route {
  const cursors = createCursors(calls.deps.clock);
  const atOnce = new Map<string, number>();
  const send = async ({ exchange, question, bearer, address }: Admitted): Promise<void> => {
    const { facts, differences } = servedExport(exports, question.exportName);
    const userAgent = exchange.request.headers["user-agent"] ?? "";
    const client = JSON.stringify([bearer.tokenId, address, userAgent, facts.name, question.view]);
    const { isStartup } = question;
    const hasChangesSince = (generation: number): boolean =>
      generation === facts.generation || differences.some(({ from }) => from === generation);
    const noteFault = (error: unknown): void =>
      calls.deps.log.error({ err: error, request_id: exchange.id }, "Decisions could not be made");
    const isClosing = closing.state;
    if (exchange.request.method === "HEAD") return sendStreamHead(exchange, { facts, isClosing });
    const oldest = differences[0]?.from ?? facts.generation;
    const durationS = durationSecondsOf(facts);
    const keepsTimes = isFirewallBouncer(userAgent);
    const plan = cursors.plan({ client, isStartup, hasChangesSince, oldest, durationS, keepsTimes });
    const answer = { question, plan, facts, asker: bearer.tokenId, isClosing, noteFault };
    const sent = await sendStream(exchange, answer, exports);
    const { generation } = sent.facts;
    cursors.delivered(client, { plan, isStartup, generation });
    const bouncer = { token: bearer.prefix, address, userAgent };
    exports.noteBouncer(facts.name, { ...bouncer, generation, notEnforceable: sent.notEnforceable });
  };
  return async (admitted) => {
    const { tokenId } = admitted.bearer;
    const before = atOnce.get(tokenId) ?? 0;
    if (before >= MAX_AT_ONCE) throw tooManyAtOnce();
    atOnce.set(tokenId, before + 1);
    try {
      await send(admitted);
    } finally {
      const left = (atOnce.get(tokenId) ?? 1) - 1;
      if (left === 0) atOnce.delete(tokenId);
      else atOnce.set(tokenId, left);
    }
  };
}

const tooManyAtOnce = (): Refusal =>
  new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `More than ${MAX_AT_ONCE} answers to this token are on their way`,
    retryAfterS: 10,
    scope: "concurrency",
  });

function sendText(exchange: Exchange, { text, isClosing }: { text: string; isClosing: boolean }): void {
  const head = rawHeaders(exchange);
  head.push("Content-Type", JSON_CONTENT_TYPE, "Cache-Control", "no-store");
  head.push("Content-Length", String(Buffer.byteLength(text)));
  if (isClosing) head.push("Connection", "close");
  exchange.response.writeHead(200, head);
  exchange.response.end(exchange.request.method === "HEAD" ? undefined : text);
}

/** A credential that opens nothing is a 403, as of CrowdSec itself. */
function refuse(parts: HttpParts, exchange: Exchange, error: unknown): void {
  const { response } = exchange;
  // It began: its bouncer must see it break off.
  if (response.headersSent) return void response.destroy();
  const refusal = error instanceof Refusal ? error : failureRefusal(parts, error, exchange.id);
  const status = refusal.code === "UNAUTHORIZED" ? 403 : ERROR_CODES[refusal.code].status;
  const body = JSON.stringify({ message: refusal.message });
  sendRawRefusal(exchange, refusal, { status, body, contentType: JSON_CONTENT_TYPE });
}
