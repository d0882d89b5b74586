import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { ERROR_CODES, Refusal } from "../../base/failure.ts";
import { createRecent, type Recent } from "../../enrichment/memoize.ts";
import { type JudgedIp, judgeFromLists } from "../../products/check-ip/from-lists.ts";
import { type Disposition, judge, type Policy } from "../../risk/policy.ts";
import { type Ip, keyOfIp } from "../../targets/ip.ts";
import {
  type Beside,
  beginExchange,
  besideHeaders,
  besideRefusal,
  type Exchange,
  sendBesideRefusal,
} from "../beside.ts";
import type { HttpParts } from "../context.ts";
import { JSON_CONTENT_TYPE, refusalBody } from "../envelope.ts";
import { refuseDoubtfulFraming } from "../framing.ts";
import { admitToken } from "../token-admission.ts";
import { type GateQuestion, isGate, readQuestion } from "./question.ts";
import { createRates } from "./rate.ts";

/**
 * What proxies ask before they let a visitor through: answered at once where the token is known in memory. Bodies are not
 * read.
 */
export function createGate(parts: HttpParts, closing: { readonly state: boolean }): Beside {
  const rates = createRates(parts.gatePerSecond, parts.calls.clock);
  const decide = createDecisions(parts);
  const admitted = (exchange: Exchange, { tokenId }: TokenBearer): void => {
    if (!rates.take(tokenId)) throw tooMany(parts.gatePerSecond);
    const { request, peer } = exchange;
    const question = readQuestion({ url: request.url ?? "", headers: request.headers, peer }, parts);
    assertReady(parts);
    sendAnswer(exchange, question, decide(question), closing.state);
  };
  const answer = (exchange: Exchange): Promise<void> | undefined => {
    refuseDoubtfulFraming(exchange.request);
    const { headers } = exchange.request;
    // Whose networks a token names is who holds it: the proxy, not its visitor.
    const found = admitToken(parts, { headers, state: { clientAddress: exchange.peer } }, "gate");
    if (found instanceof Promise) return found.then((bearer) => admitted(exchange, bearer));
    admitted(exchange, found);
    return undefined;
  };
  return {
    serves: isGate,
    answer: (request, response) => {
      const exchange = beginExchange(parts, { request, response }, "gate");
      const refused = (error: unknown): void => sendRefusal(parts, exchange, error);
      try {
        answer(exchange)?.catch(refused);
      } catch (error) {
        refused(error);
      }
    },
  };
}

/** What is decided of an address, and the headers that say so. */
type Decision = {
  readonly atMs: number;
  readonly disposition: Disposition;
  readonly head: readonly string[];
};

const MAX_DECISIONS = 20_000;
/** A visitor's page is many requests; less than the time for which proxies may keep an answer by its headers. */
const DECIDED_MS = 5000;

/** Decisions by policy and address, each kept for five seconds. */
function createDecisions({ calls: { deps, clock } }: HttpParts): (question: GateQuestion) => Decision {
  const byPolicy = new Map<Policy, Recent<Decision>>();
  return ({ ip, policy }) => {
    const known = byPolicy.get(policy) ?? createRecent<Decision>(MAX_DECISIONS);
    byPolicy.set(policy, known);
    const nowMs = clock.monotonicMs();
    const key = keyOfIp(ip);
    const kept = known.get(key);
    if (kept !== undefined && nowMs - kept.atMs < DECIDED_MS) return kept;
    const judged = judgeFromLists(ip, deps);
    const disposition = judge(policy, judged);
    const made = { atMs: nowMs, disposition, head: decisionHead(disposition, judged) };
    known.set(key, made);
    return made;
  };
}

function decisionHead({ action, policy, because }: Disposition, { score, dataAgeS }: JudgedIp): string[] {
  const head = ["Cache-Control", "private, max-age=30", "X-Repute-Action", action, "X-Repute-Policy", policy];
  head.push("X-Repute-Score", String(score.result), "X-Repute-Band", score.band);
  head.push("X-Repute-Verdict", score.verdict, "X-Repute-Because", because.join(","));
  if (dataAgeS !== null) head.push("X-Repute-Data-Age", String(dataAgeS));
  return head;
}

function assertReady({ calls }: HttpParts): void {
  const missing = calls.missingParts();
  if (missing.length === 0) return;
  throw new Refusal("SERVICE_UNAVAILABLE", {
    message: `The data is being prepared (${missing.join(", ")}); try again in a moment`,
    retryAfterS: 2,
  });
}

const tooMany = (perSecond: number): Refusal =>
  new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `More than ${perSecond} questions a second by this token (gate.per_second)`,
    retryAfterS: 1,
  });

function sendAnswer(
  exchange: Exchange,
  { ip }: GateQuestion,
  { disposition, head: decided }: Decision,
  isClosing: boolean,
): void {
  const isBlocked = disposition.action === "block";
  const head = [...besideHeaders(exchange), ...decided];
  if (isClosing) head.push("Connection", "close");
  const body = isBlocked ? blockedText(exchange, ip, disposition) : "";
  if (isBlocked) head.push("Content-Type", "text/plain; charset=utf-8");
  head.push("Content-Length", String(Buffer.byteLength(body)));
  exchange.response.writeHead(isBlocked ? 403 : 200, head);
  exchange.response.end(exchange.request.method === "HEAD" ? undefined : body);
}

/** For the visitor: many proxies pass it on. */
const blockedText = ({ id }: Exchange, { text }: Ip, { because }: Disposition): string =>
  because[0] === "unknown"
    ? `Access from ${text} is blocked here: too little is known of this address now. Reference: ${id}\n`
    : `Access from ${text} is blocked here: this address is on lists of abuse. Reference: ${id}\n`;

/**
 * A refusal is never a 403, which proxies take for "block": what they do then would depend on the address no more. A token of
 * another scope or from another network is a 401 too.
 */
function sendRefusal(parts: HttpParts, exchange: Exchange, error: unknown): void {
  const refusal = besideRefusal(parts, exchange, error);
  const status = refusal.code === "FORBIDDEN" ? 401 : ERROR_CODES[refusal.code].status;
  const body = refusalBody(exchange.id, refusal);
  sendBesideRefusal(exchange, refusal, { status, body, contentType: JSON_CONTENT_TYPE });
}
