import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { ERROR_CODES, Refusal } from "../../base/failure.ts";
import { createRecent, type Recent } from "../../enrichment/memoize.ts";
import { type JudgedIp, judgeFromLists } from "../../products/check-ip/from-lists.ts";
import { type Disposition, judge, type Policy } from "../../risk/policy.ts";
import { type Ip, keyOfIp } from "../../targets/ip.ts";
import type { HttpParts } from "../context.ts";
import { JSON_CONTENT_TYPE, refusalBody } from "../envelope.ts";
import { failureRefusal } from "../errors.ts";
import { refuseDoubtfulFraming } from "../framing.ts";
import type { Ways } from "../hooks.ts";
import { beginExchange, type Exchange, oweAnswer, type RawHandler, sendRawRefusal } from "../raw-requests.ts";
import { admitToken } from "../token-admission.ts";
import { createFaultLog } from "./fault-log.ts";
import { type GateQuestion, isGate, readQuestion } from "./question.ts";
import { createRates, tooManyBy } from "./rate.ts";

/**
 * What proxies ask before they let a visitor through: answered at once where the token is known in memory. Bodies are not
 * read.
 */
export function createGate(parts: HttpParts, ways: Ways): RawHandler {
  const { clock } = parts.calls;
  const rates = createRates(parts.gatePerSecond);
  const decide = createDecisions(parts);
  const noteFault = createFaultLog(parts.calls.deps.log, clock);
  const questionOf = ({ request, peer }: Exchange, tokenId: string): GateQuestion => {
    try {
      return readQuestion({ url: request.url ?? "", headers: request.headers, peer }, parts);
    } catch (error) {
      noteFault(error, { tokenId, proxy: peer });
      throw error;
    }
  };
  const admitted = (exchange: Exchange, { tokenId }: TokenBearer): void => {
    const nowMs = clock.monotonicMs();
    const waitS = rates.take(tokenId, nowMs);
    if (waitS > 0) throw tooManyBy(parts.gatePerSecond, "questions", waitS);
    const question = questionOf(exchange, tokenId);
    assertReady(parts);
    sendAnswer(exchange, decide(question, nowMs), { nowMs, isClosing: ways.closing.state });
  };
  const answer = (exchange: Exchange): Promise<void> | void => {
    refuseDoubtfulFraming(exchange.request);
    const { headers } = exchange.request;
    // Whose networks a token names is who holds it: the proxy, not its visitor.
    const found = admitToken(parts, { headers, state: { clientAddress: exchange.peer } }, "gate");
    if (!(found instanceof Promise)) return admitted(exchange, found);
    exchange.response.once("close", oweAnswer(ways, exchange.request));
    return found.then((bearer) => admitted(exchange, bearer));
  };
  return (request, response, next) => {
    if (!isGate(request.url ?? "")) return next();
    const exchange = beginExchange(parts, { request, response }, "gate");
    const refused = (error: unknown): void => sendRefusal(parts, exchange, error);
    try {
      answer(exchange)?.catch(refused);
    } catch (error) {
      refused(error);
    }
  };
}

/** What is decided of an address, and the headers that say so. */
type Decision = {
  /** Of the engines and lists that it rests on. */
  readonly version: number;
  readonly atMs: number;
  readonly isBlocked: boolean;
  readonly head: readonly string[];
  /** Of the lists, when it was decided; null: nothing answered. */
  readonly dataAgeS: number | null;
  /** What a blocked visitor is told, but for the reference at its end; empty for others. */
  readonly text: string;
};

const MAX_DECISIONS = 20_000;
/** A visitor's page is many requests. As long as proxies may keep an answer by its headers. */
const DECIDED_MS = 30_000;

/** Decisions by policy and address, each kept for half a minute while engines and lists are the same. */
function createDecisions({
  calls: { deps },
}: HttpParts): (question: GateQuestion, nowMs: number) => Decision {
  const byPolicy = new Map<Policy, Recent<Decision>>();
  return ({ ip, policy }, nowMs) => {
    const known = byPolicy.get(policy) ?? createRecent<Decision>(MAX_DECISIONS);
    byPolicy.set(policy, known);
    const version = deps.engines.version();
    const key = keyOfIp(ip);
    const kept = known.get(key);
    if (kept?.version === version && nowMs - kept.atMs < DECIDED_MS) return kept;
    const judged = judgeFromLists(ip, deps);
    const disposition = judge(policy, judged);
    const isBlocked = disposition.action === "block";
    const made = {
      ...{ version, atMs: nowMs, isBlocked, text: isBlocked ? blockedText(ip, disposition) : "" },
      ...{ head: decisionHead(disposition, judged.score), dataAgeS: judged.dataAgeS },
    };
    known.set(key, made);
    return made;
  };
}

const decisionHead = (
  { action, policy, because }: Disposition,
  { result, band, verdict }: JudgedIp["score"],
): string[] => [
  ...["X-Content-Type-Options", "nosniff", "Cache-Control", "private, max-age=30"],
  ...["X-Repute-Action", action, "X-Repute-Policy", policy, "X-Repute-Score", String(result)],
  ...["X-Repute-Band", band, "X-Repute-Verdict", verdict, "X-Repute-Because", because.join(",")],
];

function assertReady({ calls }: HttpParts): void {
  const missing = calls.missingParts();
  if (missing.length === 0) return;
  throw new Refusal("SERVICE_UNAVAILABLE", {
    message: `The data is being prepared (${missing.join(", ")}); try again in a moment`,
    retryAfterS: 2,
  });
}

function sendAnswer(
  { id, request, response }: Exchange,
  { isBlocked, head: decided, dataAgeS, atMs, text }: Decision,
  { nowMs, isClosing }: { readonly nowMs: number; readonly isClosing: boolean },
): void {
  const head = ["X-Request-Id", id, ...decided];
  if (dataAgeS !== null) head.push("X-Repute-Data-Age", String(dataAgeS + Math.floor((nowMs - atMs) / 1000)));
  if (isClosing) head.push("Connection", "close");
  const body = isBlocked ? `${text}${id}\n` : "";
  if (isBlocked) head.push("Content-Type", "text/plain; charset=utf-8");
  head.push("Content-Length", String(body.length));
  response.writeHead(isBlocked ? 403 : 200, head);
  // All of it is ASCII.
  response.end(request.method === "HEAD" ? undefined : body, "latin1");
}

/** For the visitor: many proxies pass it on. */
const blockedText = ({ text }: Ip, { because }: Disposition): string =>
  because[0] === "unknown"
    ? `Access from ${text} is blocked here: too little is known of this address now. Reference: `
    : `Access from ${text} is blocked here: this address is on lists of abuse. Reference: `;

/**
 * A refusal is never a 403, which proxies take for "block": what they do then would depend on the address no more. A token of
 * another scope or from another network is a 401 too.
 */
function sendRefusal(parts: HttpParts, exchange: Exchange, error: unknown): void {
  const refusal = error instanceof Refusal ? error : failureRefusal(parts, error, exchange.id);
  const status = refusal.code === "FORBIDDEN" ? 401 : ERROR_CODES[refusal.code].status;
  const body = refusalBody(exchange.id, refusal);
  sendRawRefusal(exchange, refusal, { status, body, contentType: JSON_CONTENT_TYPE });
}
