import { connect } from "node:net";
import { type Decoded, decodeReply, matchReply, type Query } from "./dns-message.ts";
import type { DnsServer } from "./dns-options.ts";

/** What came of one query to one server. */
export type DnsExchange = { readonly state: "reply"; readonly reply: Decoded } | DnsFailure;

/** The server cannot be reached, or what it says is no DNS. */
export type DnsFailure = { readonly state: "failed"; readonly detail: string };

export const BROKEN: DnsFailure = {
  state: "failed",
  detail: "The resolver's answer is not a valid DNS message",
};
const CUT: DnsFailure = { state: "failed", detail: "The resolver's answer is cut off, over TCP too" };
/** One message and as much again of strangers' before it. */
const MAX_TCP_BYTES = 2 * 65_537;

/** One question to one server over TCP. */
export type TcpQuestion = {
  readonly server: DnsServer;
  readonly query: Query;
  /** Called once with what came of it, unless it was given up. */
  readonly end: (exchange: DnsExchange) => void;
  /** Our question came back in other letter case, which is no answer. */
  readonly onFolded: () => void;
};

/**
 * Asks over a TCP connection, each message after its length in two octets (RFC 7766); the function that is returned
 * gives the question up.
 */
export function askTcp({ server, query, end, onFolded }: TcpQuestion): () => void {
  const socket = connect({ host: server.host, port: server.port, noDelay: true });
  let open = true;
  const close = () => {
    open = false;
    socket.destroy();
  };
  const settle = (exchange: DnsExchange) => {
    if (!open) return;
    close();
    end(exchange);
  };
  const reader = createMessageReader();
  socket.on("error", (error) => settle(failureOf(error)));
  socket.on("close", () =>
    settle({ state: "failed", detail: "The resolver closed the connection unanswered" }),
  );
  socket.on("connect", () => socket.write(Buffer.concat([lengthOf(query.message), query.message])));
  socket.on("data", (chunk: Buffer) => {
    const exchange = firstAnswer(query, reader.add(chunk), onFolded);
    if (exchange !== null) settle(exchange);
    else if (reader.totalBytes() > MAX_TCP_BYTES) settle(BROKEN);
  });
  return close;
}

function firstAnswer(query: Query, messages: readonly Buffer[], onFolded: () => void): DnsExchange | null {
  for (const message of messages) {
    const match = matchReply(query, message);
    if (match === "reply") return exchangeOf(message);
    // What is missing may be all of it.
    if (match === "truncated") return CUT;
    if (match === "broken") return BROKEN;
    if (match === "folded") onFolded();
  }
  return null;
}

function lengthOf(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}

type MessageReader = {
  /** The messages that are whole now. */
  readonly add: (chunk: Buffer) => Buffer[];
  readonly totalBytes: () => number;
};

function createMessageReader(): MessageReader {
  let chunks: Buffer[] = [];
  let pendingBytes = 0;
  let wantedBytes = 2;
  let total = 0;
  const add = (chunk: Buffer): Buffer[] => {
    chunks.push(chunk);
    pendingBytes += chunk.length;
    total += chunk.length;
    // Joined only when something is whole: a server that sends octet by octet must not cost square time.
    if (pendingBytes < wantedBytes) return [];
    const messages: Buffer[] = [];
    let joined = Buffer.concat(chunks);
    for (;;) {
      wantedBytes = 2 + (joined.length < 2 ? 0 : joined.readUInt16BE(0));
      if (joined.length < wantedBytes) break;
      messages.push(joined.subarray(2, wantedBytes));
      joined = joined.subarray(wantedBytes);
    }
    chunks = [joined];
    pendingBytes = joined.length;
    return messages;
  };
  return { add, totalBytes: () => total };
}

/** The content of a reply, or that it is broken. */
export function exchangeOf(message: Buffer): DnsExchange {
  const reply = decodeReply(message);
  return reply === null ? BROKEN : { state: "reply", reply };
}

/** Of a socket's error. */
export function failureOf(error: Error): DnsFailure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown error";
  return { state: "failed", detail: `The resolver cannot be reached: ${code}` };
}
