import type { Clock } from "../../base/clock.ts";
import { MAX_PARTS, parseJson } from "../../base/parse-json.ts";
import type { Http, HttpReply } from "../../net/http/http-types.ts";
import { READ_WHOIS_BYTES } from "../../net/whois/whois.ts";
import { decodeWhoisText } from "../../net/whois/whois-charset.ts";
import { isJson, type Json, listOf, naturalOf } from "./json.ts";
import { createServers, type RdapFailure, type RdapServers } from "./servers.ts";

export type RdapReply =
  | { readonly state: "found"; readonly url: string; readonly status: number; readonly object: Json }
  /** 404: the server is responsible and has no such object. `object`: what it says to that, if anything. */
  | {
      readonly state: "not_found";
      readonly url: string;
      readonly status: number;
      readonly object: Json | null;
    }
  | {
      readonly state: "failed";
      readonly url: string;
      readonly status: number | null;
      readonly reason: RdapFailure;
      readonly detail: string;
    };

type RdapQuestion = {
  readonly url: string;
  /** True of servers that the bootstrap names, false of links in answers. */
  readonly isOperatorsWord: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** No caller waits for it: asked only when the server is not busy. */
  readonly isAside: boolean;
};

export type RdapClient = {
  /** Never rejects. */
  readonly ask: (question: RdapQuestion) => Promise<RdapReply>;
  /** Whether a question aside would be turned away at the server of this address. */
  readonly isShut: (url: string) => boolean;
};

/** Security P23. */
const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;
const MAX_DEPTH = 64;
const MAX_HOSTS = 500;
/** How much too early the timers of a question and of its caller may run out. */
const EARLY_MS = 50;

/** RDAP over HTTP (RFC 7480): one question, one object; servers that ask for rest get it. */
export function createRdapClient({ http, clock }: { http: Pick<Http, "get">; clock: Clock }): RdapClient {
  const servers = createServers(clock);
  const hosts = new Map<string, string>();
  return {
    isShut: (url) => {
      // Asked by every lookup about the same few servers.
      const known = hosts.get(url);
      if (known !== undefined) return servers.isShut(known);
      const { host } = new URL(url);
      if (hosts.size < MAX_HOSTS) hosts.set(url, host);
      return servers.isShut(host);
    },
    ask: async (question) => {
      const { url, signal, isAside } = question;
      const place = await servers.enter(new URL(url).host, { signal, isAside });
      if (place.state === "shut") return failed(url, null, place.reason, place.detail);
      try {
        return await askServer({ http, clock }, servers, question);
      } finally {
        place.leave();
      }
    },
  };
}

async function askServer(
  { http, clock }: { readonly http: Pick<Http, "get">; readonly clock: Clock },
  servers: RdapServers,
  { url, isOperatorsWord, signal, timeoutMs }: RdapQuestion,
): Promise<RdapReply> {
  const { host } = new URL(url);
  const endMs = clock.monotonicMs() + timeoutMs;
  const answer = await http.get({
    url,
    headers: { accept: "application/rdap+json, application/json;q=0.9" },
    maxBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
    timeoutMs,
    signal,
    isOperatorsWord,
  });
  if (answer.state === "unavailable") {
    // A caller who leaves says nothing about the server; one whose time is over waited for it to the end.
    const isOver = clock.monotonicMs() >= endMs - EARLY_MS;
    if (signal.aborted && !isOver) return failed(url, null, "timeout", "There was no answer in time");
    servers.noteSilence(host);
    const reason = answer.reason === "timeout" ? "timeout" : "unreachable";
    return failed(url, null, reason, answer.detail);
  }
  servers.noteAnswer(host);
  return judge(answer.value, servers, host);
}

function judge(reply: HttpReply, servers: RdapServers, askedHost: string): RdapReply {
  const url = bareUrl(reply.url);
  const object = reply.status === 200 || reply.status === 404 ? objectOf(reply.body) : null;
  const status = reply.status === 200 ? ((object && errorIn(object)) ?? 200) : reply.status;
  const failedFor = (reason: RdapFailure, detail: string) => failed(url, reply.status, reason, detail);
  if (status === 429) {
    const retryAfter = reply.headers.get("retry-after") ?? null;
    servers.noteLimit(hostOf(url), retryAfter);
    // The one that led there has others to lead to: it rests for a moment only.
    if (hostOf(url) !== askedHost) servers.noteLimit(askedHost, null);
    return failedFor("rate_limited", "The registry asks to be left alone for a while");
  }
  if (status === 404) return { state: "not_found", url, status: reply.status, object };
  if (status >= 500) {
    servers.noteSilence(askedHost);
    return failedFor("server_error", `HTTP status ${status}`);
  }
  if (status !== 200) return failedFor("refused", `HTTP status ${status}`);
  return object === null
    ? failedFor("invalid_response", "The answer is not an RDAP object")
    : { state: "found", url, status, object };
}

/** The error that an answer of status 200 is in truth (RFC 9083 6); null of an answer with anything in it. */
function errorIn(object: Json): number | null {
  const code = naturalOf(object, "errorCode");
  if (code === null || code < 400 || code > 599) return null;
  return code === 404 || listOf(object["entities"]).length === 0 ? code : null;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "";

/** Without what an operator may have put in for the server alone. */
function bareUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : url.origin + url.pathname;
}

const failed = (url: string, status: number | null, reason: RdapFailure, detail: string): RdapReply => ({
  state: "failed",
  url,
  status,
  reason,
  detail,
});

/** The object of a body; null of HTML, of lists and null, of nesting without end. */
function objectOf(body: Buffer): Json | null {
  try {
    const object = parseJson(textOf(body).replace(/^\ufeff/, ""), {
      maxDepth: MAX_DEPTH,
      maxParts: MAX_PARTS,
    });
    return isJson(object) ? object : null;
  } catch {
    return null;
  }
}

/** RDAP is UTF-8 (RFC 7480 6); a server that carries over what its WHOIS has is read as WHOIS is. */
const textOf = (body: Buffer): string =>
  body.length > READ_WHOIS_BYTES ? body.toString("utf8") : decodeWhoisText(body, []);
