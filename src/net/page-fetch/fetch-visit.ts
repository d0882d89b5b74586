import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "../../base/clock.ts";
import type { Unavailable } from "../../base/failure.ts";
import type { Ip } from "../../targets/ip.ts";
import type { Deadline } from "../deadline.ts";
import type { Connection, Dialer, ResolvedHost } from "../dialer-types.ts";
import { type HttpExchange, type OpenResponse, sendGet } from "../http/http-exchange.ts";
import { exchangeFault } from "../http/http-faults.ts";
import { hostOf, portOf } from "../http/http-redirect.ts";
import { type ForbiddenReason, refusalOf } from "../ssrf-guard.ts";
import { reportCertificate } from "../tls/tls.ts";
import { dialTls } from "../tls/tls-dial.ts";
import { handshakeFault, isTlsRefusal } from "../tls/tls-faults.ts";
import type { TlsReport } from "../tls/tls-shape.ts";
import type { Trust } from "../tls/tls-trust.ts";
import type { CookieJar } from "./fetch-cookies.ts";
import type { FetchStatus } from "./fetch-types.ts";
import type { PageBuffer } from "./page-memory.ts";

/** What all hops of a chain share. */
export type HopContext = {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly deadline: Deadline;
  readonly userAgent: string;
  readonly cookies: CookieJar;
  readonly counts: { requests: number; bytesRead: number };
  readonly page: PageBuffer;
  /** Told how a host was resolved. */
  readonly onResolved: (host: ResolvedHost) => void;
};

/** Why a URL gave no response. */
export type VisitFailure = {
  readonly state: "failed";
  readonly status: FetchStatus;
  readonly code: string;
  readonly message: string;
  readonly blockedReason: ForbiddenReason | null;
};

/** A response whose body is not read yet. */
export type OpenedPage = {
  readonly state: "response";
  readonly url: URL;
  readonly response: OpenResponse;
  readonly ip: Ip;
  readonly tls: TlsReport | null;
};

const BROWSER_HEADERS = [
  ["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
  ["accept-language", "en-US,en;q=0.9"],
  ["accept-encoding", "gzip, deflate, br"],
  ["upgrade-insecure-requests", "1"],
] as const;

/**
 * Asks for one URL on a connection of its own, resolved once, and hands the response to `take`; the connection is
 * destroyed when that is done.
 */
export async function visitUrl<T>(
  url: URL,
  chain: HopContext,
  take: (visit: OpenedPage) => Promise<T>,
): Promise<T | VisitFailure> {
  const opened = await openConnection(url, chain);
  if (opened.state === "failed") return opened;
  const { connection, socket, tls } = opened;
  const { deadline, counts, cookies } = chain;
  const destroy = () => {
    socket.destroy();
    connection.socket.destroy();
  };
  deadline.signal.addEventListener("abort", destroy, { once: true });
  try {
    counts.requests++;
    const exchange = await sendGet(socket, { url, headers: headersFor(url, chain) });
    if (exchange.state !== "response") {
      return failure(chain, statusOf(exchange), exchange.code, exchangeFault(exchange));
    }
    const { response } = exchange;
    cookies.keep(url, response.head.headers.get("set-cookie") ?? []);
    return await take({ state: "response", url, response, ip: connection.ip, tls });
  } finally {
    counts.bytesRead += connection.socket.bytesRead;
    destroy();
  }
}

/** With TLS 1.3 a server may refuse the handshake when it is over for us, such as for want of a client's certificate. */
const statusOf = ({ state, code }: Exclude<HttpExchange, { state: "response" }>): FetchStatus => {
  if (isTlsRefusal(code)) return "tls_error";
  return state === "invalid" ? "invalid_response" : "connect_error";
};

type Opened = {
  readonly state: "opened";
  readonly connection: Connection;
  readonly socket: Socket | TLSSocket;
  readonly tls: TlsReport | null;
};

async function openConnection(url: URL, chain: HopContext): Promise<Opened | VisitFailure> {
  const { dialer, trust, deadline, clock } = chain;
  const host = hostOf(url);
  const { signal } = deadline;
  const target = {
    host,
    port: portOf(url),
    isOperatorsWord: false,
    timeoutMs: deadline.remainingMs(),
    signal,
  };
  const resolved = await dialer.resolve(target);
  chain.onResolved(resolved);
  if (resolved.state !== "addresses") return unresolved(chain, resolved);
  if (url.protocol === "http:") {
    const answer = await dialer.connectTo(resolved.addresses, target);
    if (answer.state === "unavailable") return unconnected(chain, answer);
    return { state: "opened", connection: answer.value, socket: answer.value.socket, tls: null };
  }
  const tls = await dialTls(resolved.addresses, target, { dialer, trust, alpn: ["http/1.1"] });
  if (tls.state === "unconnected") return unconnected(chain, tls.answer);
  if (tls.state === "failed") return failure(chain, "tls_error", tls.code, handshakeFault(tls.code));
  const { socket, connection } = tls;
  return { state: "opened", connection, socket, tls: reportCertificate(socket, { host, now: clock.now() }) };
}

function unresolved(chain: HopContext, host: Exclude<ResolvedHost, { state: "addresses" }>): VisitFailure {
  switch (host.state) {
    case "blocked":
      return blocked(chain, host.reason);
    case "no_address":
      return failure(chain, "dns_error", "no_address", "The host name has no A or AAAA record");
    case "failed":
      return failure(chain, "dns_error", host.reason, host.detail);
    default:
      return host satisfies never;
  }
}

function unconnected(chain: HopContext, answer: Unavailable): VisitFailure {
  const reason = refusalOf(answer);
  if (reason !== null) return blocked(chain, reason);
  // It had all the time that was left.
  if (answer.reason === "timeout") return failure(chain, "timeout", "timeout", answer.detail);
  return failure(chain, "connect_error", answer.code ?? answer.reason, "No connection");
}

const blocked = (chain: HopContext, reason: ForbiddenReason): VisitFailure => ({
  ...failure(chain, "blocked", reason, "The target may not be reached"),
  status: "blocked",
  blockedReason: reason,
});

/** Whatever broke after the time was over broke because of it. */
function failure({ deadline }: HopContext, status: FetchStatus, code: string, message: string): VisitFailure {
  const why = deadline.signal.aborted
    ? { status: "timeout" as const, code: "timeout", message: "The time was over" }
    : { status, code, message };
  return { state: "failed", ...why, blockedReason: null };
}

function headersFor(url: URL, { userAgent, cookies }: HopContext): ReadonlyMap<string, string> {
  const headers = new Map<string, string>([["user-agent", userAgent], ...BROWSER_HEADERS]);
  const cookie = cookies.cookieFor(url);
  if (cookie !== null) headers.set("cookie", cookie);
  return headers;
}
