import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { exportScope } from "../../accounts/token-scopes.ts";
import { createRecent } from "../../enrichment/memoize.ts";
import type { Variant } from "../../exports/variant.ts";
import type { Ip } from "../../targets/ip.ts";
import { clientAddress } from "../client-address.ts";
import type { HttpParts } from "../context.ts";
import { refuseDoubtfulFraming } from "../framing.ts";
import type { Ways } from "../hooks.ts";
import { beginExchange, oweAnswer, type RawHandler, rawHeaders } from "../raw-requests.ts";
import { isHttps, STRICT_TRANSPORT } from "../request-state.ts";
import { assertHolds } from "../served-export.ts";
import { admitToken } from "../token-admission.ts";
import { noteFetched } from "./note-fetch.ts";
import {
  codingOf,
  type FileQuestion,
  type FileVersion,
  hasAlready,
  isConditional,
  rawFileHeaders,
  readFileQuestion,
  readVariant,
} from "./question.ts";

/** A question, and what its file is of the export that it names, once that was found out. */
type Question = FileQuestion & { variant: Variant | null };

const MAX_QUESTIONS = 2000;
/** Longer ones are a stranger's, or rare. */
const MAX_URL = 200;

/** Reads request targets, of which the same come again and again. */
function createReader(): (url: string) => Question | null {
  const known = createRecent<Question>(MAX_QUESTIONS);
  return (url) => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const question = readFileQuestion(url);
    if (question === null) return null;
    const made = { ...question, variant: null };
    if (url.length <= MAX_URL) known.set(url, made);
    return made;
  };
}

type Asked = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly question: Question;
  readonly address: Ip | null;
};

/**
 * Tells who has a file already that nothing changed, beside the framework: firewalls ask all the time. Every other answer, each
 * refusal too, is the route's.
 */
export function createUnchanged(parts: HttpParts, ways: Ways): RawHandler {
  const read = createReader();
  return (request, response, next) => {
    const question = isConditionalRead(request) ? read(request.url ?? "") : null;
    if (question === null) return next();
    const { headers, socket } = request;
    try {
      refuseDoubtfulFraming(request);
      const address = clientAddress(socket.remoteAddress, headers["x-forwarded-for"], parts.isTrustedProxy);
      const asked = { request, response, question, address };
      const admitted = (bearer: TokenBearer): void => {
        const version = versionOf(parts, asked);
        if (version === null) next();
        else sendUnchanged(parts, asked, { version, bearer, ways });
      };
      const scope = exportScope(question.name);
      const found = admitToken(parts, { headers, state: { clientAddress: address } }, scope, question.token);
      if (!(found instanceof Promise)) return admitted(found);
      // From when it is handed on or begins, it is owed by that.
      const settled = oweAnswer(ways, request);
      // Of a connection that ended meanwhile nothing would tell its end again to what begins now.
      const isThere = (): boolean => !socket.destroyed;
      found
        .then((bearer) => (isThere() ? admitted(bearer) : undefined))
        .catch(() => (isThere() ? next() : undefined))
        .finally(settled);
    } catch {
      next();
    }
  };
}

const isConditionalRead = ({ method, headers }: IncomingMessage): boolean =>
  isConditional(headers) && (method === "GET" || method === "HEAD");

/** What the caller has already; null: something else. Throws where there is nothing that could be had. */
function versionOf({ exports }: HttpParts, { request, question }: Asked): FileVersion | null {
  const standing = exports.find(question.name);
  if (standing === null || standing.facts === null || standing.closed !== null) return null;
  const { headers } = request;
  const { facts } = standing;
  question.variant ??= readVariant(question, standing);
  assertHolds(facts, question.variant);
  const info = exports.infoOf(question.name, facts.generation, question.variant.id);
  if (info === null) return null;
  const version = { facts, info, variant: question.variant, coding: codingOf(headers) };
  return hasAlready(headers, version) ? version : null;
}

type Known = {
  readonly version: FileVersion;
  readonly bearer: TokenBearer;
  readonly ways: Ways;
};

function sendUnchanged(parts: HttpParts, asked: Asked, { version, bearer, ways }: Known): void {
  const { request, response } = asked;
  const exchange = beginExchange(parts, { request, response }, "other");
  const head = [...rawHeaders(exchange), ...rawFileHeaders(version)];
  if (isHttps(parts)) head.push("Strict-Transport-Security", STRICT_TRANSPORT);
  if (ways.closing.state) head.push("Connection", "close");
  response.writeHead(304, head);
  response.end();
  // It says nothing that could be lost.
  noteFetched(parts.exports, { ...asked, bearer }, { generation: version.facts.generation, unchanged: true });
}
