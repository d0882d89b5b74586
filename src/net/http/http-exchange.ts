import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { errorCode } from "../../base/caught.ts";
import { request as httpRequest } from "./node-http.ts";

/** The first lines of a response. */
export type ResponseHead = {
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: "1.0" | "1.1";
  /** Names in lower case, values in the order in which they came, octets as Latin-1. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
};

/** A response whose head is there. */
export type OpenResponse = {
  readonly head: ResponseHead;
  readonly message: IncomingMessage;
  /** What the parser objected to after the head, null so far. */
  readonly fault: () => string | null;
};

/** `closed`: the other side left before it said anything; `invalid`: what it says is not HTTP. */
export type HttpExchange =
  | { readonly state: "response"; readonly response: OpenResponse }
  | { readonly state: "closed"; readonly code: string }
  | { readonly state: "invalid"; readonly code: string };

/** Source: security P4. */
const MAX_HEADER_BYTES = 65_536;
const MAX_HEADERS = 200;
const MAX_INFORMATIONAL = 10;

/**
 * Sends one GET over an open connection and reads the head of its answer, by Node's strict parser: HTTP/0.9, two
 * lengths, length with chunks, bare line feeds and folded headers are `invalid`. Never uses an agent, so neither
 * proxies nor other calls' connections come in. Destroying the socket ends it.
 */
export function sendGet(
  socket: Socket,
  { url, headers }: { readonly url: URL; readonly headers: ReadonlyMap<string, string> },
): Promise<HttpExchange> {
  return new Promise((resolve) => {
    let fault: string | null = null;
    const request = httpRequest({
      createConnection: () => socket,
      method: "GET",
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: ["Host", url.host, ...[...headers].flat(), "Connection", "close"],
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    });
    const invalid = (code: string) => {
      socket.destroy();
      resolve({ state: "invalid", code });
    };
    // Counted by ourselves: Node would cut the list in silence.
    request.maxHeadersCount = 0;
    // Stays after the head: a fault of the parser in the body comes here, too.
    request.on("error", (error) => {
      fault = errorCode(error);
      resolve(failureOf(fault, socket));
    });
    request.on("upgrade", () => invalid("UNEXPECTED_UPGRADE"));
    limitInformational(request, () => invalid("TOO_MANY_INFORMATIONAL"));
    request.on("response", (message) => {
      const head = headOf(message);
      if (typeof head === "string") invalid(head);
      else resolve({ state: "response", response: { head, message, fault: () => fault } });
    });
    request.end();
  });
}

function limitInformational(request: ClientRequest, onTooMany: () => void): void {
  let count = 0;
  request.on("information", () => {
    if (++count === MAX_INFORMATIONAL + 1) onTooMany();
  });
}

/** The head, or what is wrong with it. */
function headOf(message: IncomingMessage): ResponseHead | string {
  const { statusCode = 0, statusMessage = "", httpVersion, rawHeaders } = message;
  if (httpVersion !== "1.0" && httpVersion !== "1.1") return "UNKNOWN_VERSION";
  if (statusCode < 200) return "UNEXPECTED_STATUS";
  if (rawHeaders.length > 2 * MAX_HEADERS) return "TOO_MANY_HEADERS";
  const headers = headersOf(rawHeaders);
  const codings = headers.get("transfer-encoding") ?? [];
  if (codings.length > 0 && codings.join().trim().toLowerCase() !== "chunked")
    return "UNKNOWN_TRANSFER_CODING";
  return { status: statusCode, statusText: statusMessage, httpVersion, headers };
}

function headersOf(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    const values = headers.get(name);
    if (values) values.push(rawHeaders[i + 1] ?? "");
    else headers.set(name, [rawHeaders[i + 1] ?? ""]);
  }
  return headers;
}

function failureOf(code: string, socket: Socket): HttpExchange {
  const saidNothing = !code.startsWith("HPE_") && socket.bytesRead === 0;
  return saidNothing ? { state: "closed", code } : { state: "invalid", code };
}
