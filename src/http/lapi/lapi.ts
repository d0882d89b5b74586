import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { decisionWriter, scenarioPlace } from "../../exports/decisions/decision.ts";
import { createRowFinder, type RowFinder } from "../../exports/decisions/lookup.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { Row } from "../../exports/rows.ts";
import type { ExportStanding } from "../../exports/shelf.ts";
import { ERROR_CODES, Refusal } from "../../failure.ts";
import { type Cidr, networkOf, readCidr } from "../../targets/cidr.ts";
import { readIp } from "../../targets/ip.ts";
import {
  type Beside,
  beginExchange,
  besideHeaders,
  besideRefusal,
  type Exchange,
  sendBesideRefusal,
} from "../beside.ts";
import { clientAddress } from "../client-address.ts";
import type { HttpParts } from "../context.ts";
import { JSON_CONTENT_TYPE } from "../envelope.ts";
import { refuseDoubtfulFraming } from "../framing.ts";
import { createRates } from "../gate/rate.ts";
import { admitToken } from "../token-admission.ts";
import { createCursors } from "./cursors.ts";
import { invalid, LAPI_PATH, type LapiQuestion, notServed, readLapiQuestion } from "./question.ts";
import { sendStream, sendStreamHead } from "./send-stream.ts";

/** A request whose token may read decisions. */
type Admitted = {
  readonly exchange: Exchange;
  readonly question: LapiQuestion;
  readonly bearer: TokenBearer;
  readonly address: string;
};

/**
 * Exports as CrowdSec's bouncers read them, beside the framework: every refusal here is JSON with a message, which is what
 * bouncers take for one (decision 0023).
 */
export function createLapi(parts: HttpParts, closing: { readonly state: boolean }): Beside {
  const routes = createRoutes(parts, closing);
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    refuseDoubtfulFraming(request);
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
  return {
    serves: (url) => url.startsWith(LAPI_PATH),
    answer: (request, response) => {
      const exchange = beginExchange(parts, { request, response }, endpointOf(request.url ?? ""));
      answer(exchange).catch((error: unknown) => refuse(parts, exchange, error));
    },
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
  const { clock } = parts.calls;
  const cursors = createCursors(clock);
  const rates = createRates(parts.gatePerSecond, clock);
  const finderOf = createFinders(parts);
  const stream: Route = async ({ exchange, question, bearer, address }) => {
    const standing = servedExport(parts, question.exportName);
    const { facts, differences } = standing;
    const userAgent = exchange.request.headers["user-agent"] ?? "";
    const client = JSON.stringify([bearer.tokenId, address, userAgent, facts.name, question.view]);
    const { isStartup } = question;
    const hasChangesSince = (generation: number): boolean =>
      generation === facts.generation || differences.some(({ from }) => from === generation);
    const plan = cursors.plan({ client, isStartup, hasChangesSince });
    const answer = { question, plan, facts, isClosing: closing.state };
    if (exchange.request.method === "HEAD") return sendStreamHead(exchange, answer);
    const sent = await sendStream(exchange, answer, parts.exports);
    cursors.delivered(client, { plan, isStartup, generation: sent.facts.generation });
  };
  const lookup: Route = ({ exchange, question, bearer }) => {
    if (!rates.take(bearer.tokenId)) throw tooMany(parts.gatePerSecond);
    const { facts } = servedExport(parts, question.exportName);
    sendText(exchange, { text: lookupText(question, facts, finderOf(facts)), isClosing: closing.state });
  };
  return {
    "GET decisions/stream": stream,
    "HEAD decisions/stream": stream,
    "GET decisions": lookup,
    "HEAD decisions": lookup,
    // What bouncers count of themselves is counted as a request, and kept by none.
    "POST usage-metrics": ({ exchange }) => {
      exchange.response.writeHead(201, [...besideHeaders(exchange), "Content-Length", "0"]);
      exchange.response.end();
    },
  };
}

type Served = ExportStanding & { readonly facts: ExportFacts };

/** The export of a name, by default the first that bouncers can enforce. Throws where nothing of it may be told. */
function servedExport({ exports }: HttpParts, name: string | null): Served {
  const known = exports.names.flatMap((one) => exports.find(one) ?? []);
  const enforceable = known.filter(({ options }) => options.kind === "block" && options.target === "ip");
  const standing = enforceable.find(({ options }) => name === null || options.name === name);
  if (standing === undefined) throw noExport(name, enforceable);
  const { facts, closed } = standing;
  // An empty answer in place of this one would empty what is enforced.
  if (facts === null || closed !== null) {
    throw new Refusal("SERVICE_UNAVAILABLE", {
      message: closed ?? "This export was not built yet",
      retryAfterS: facts === null ? 30 : 3600,
    });
  }
  return { ...standing, facts };
}

function noExport(name: string | null, enforceable: readonly ExportStanding[]): Refusal {
  const names = enforceable.map(({ options }) => options.name).join(", ") || "none";
  const which = name === null ? "There is no export" : `There is no export "${name}"`;
  return new Refusal("NOT_FOUND", { message: `${which} of kind block and target ip; there are: ${names}` });
}

/** The rows of exports as they were when they were last asked for; read anew for another generation. */
function createFinders({ exports }: HttpParts): (facts: ExportFacts) => RowFinder {
  const finders = new Map<string, { readonly generation: number; readonly finder: RowFinder }>();
  return ({ name, generation }) => {
    const kept = finders.get(name);
    if (kept?.generation === generation) return kept.finder;
    const read = exports.read(name);
    if (read === null) throw new Refusal("SERVICE_UNAVAILABLE", { retryAfterS: 30 });
    const finder = createRowFinder(read);
    finders.set(name, { generation: read.facts.generation, finder });
    return finder;
  };
}

/** Decisions about one value, in LAPI's words: a list, and `null` for none. */
function lookupText({ parameter, view }: LapiQuestion, facts: ExportFacts, finder: RowFinder): string {
  const row = findRow(parameter, finder);
  if (row === null || view.scenarios[scenarioPlace(row.categories)] !== true) return "null";
  const isAddress = row.prefix === (row.version === "v4" ? 32 : 128);
  if (!(isAddress ? view.hasIps : view.hasRanges)) return "null";
  const scope = isAddress ? "Ip" : "Range";
  return `[${decisionWriter(facts)({ scope, value: row.value }, row.categories)}]`;
}

function findRow(parameter: LapiQuestion["parameter"], finder: RowFinder): Row | null {
  const [ip, range, value] = [parameter("ip"), parameter("range"), parameter("value")];
  if ([ip, range, value].filter((one) => one !== null).length !== 1)
    throw invalid("Name one of ip, range and value");
  if (parameter("contains") === "false")
    throw invalid("Decisions inside a range are not looked up: only those that hold all of it");
  const type = parameter("type");
  if (type !== null && type !== "ban") return null;
  if (ip !== null) return finder.covering(addressOf(ip));
  if (range !== null) return finder.covering(rangeOf(range));
  return finder.exact(rangeOf(value ?? ""));
}

function addressOf(text: string): Cidr {
  const ip = readIp(text);
  if (ip === null) throw invalid(`This is no IP address: "${text.slice(0, 60)}"`);
  return networkOf(ip);
}

function rangeOf(text: string): Cidr {
  const range = readCidr(text, { hostBits: "drop" });
  if (range === null) throw invalid(`This is no network: "${text.slice(0, 60)}"`);
  return range;
}

const tooMany = (perSecond: number): Refusal =>
  new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `More than ${perSecond} questions a second by this token (gate.per_second)`,
    retryAfterS: 1,
  });

function sendText(exchange: Exchange, { text, isClosing }: { text: string; isClosing: boolean }): void {
  const head = besideHeaders(exchange);
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
  const refusal = besideRefusal(parts, exchange, error);
  const status = refusal.code === "UNAUTHORIZED" ? 403 : ERROR_CODES[refusal.code].status;
  const body = JSON.stringify({ message: refusal.message });
  sendBesideRefusal(exchange, refusal, { status, body, contentType: JSON_CONTENT_TYPE });
}
