import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { type Decoded, decodeReply, matchReply, type Query } from "./dns-message.ts";
import type { DnsServer } from "./dns-options.ts";

/** What came of one query to one server. */
export type Exchange =
  | { readonly state: "reply"; readonly reply: Decoded }
  /** The UDP answer did not fit: ask over TCP. */
  | { readonly state: "truncated" }
  /** The server cannot be reached, or what it says is no DNS. */
  | { readonly state: "failed"; readonly detail: string }
  /** Nothing usable until the signal aborted; `sawBroken`: only messages that are no DNS came. */
  | { readonly state: "silent"; readonly sawBroken: boolean };

type Ask = {
  readonly server: DnsServer;
  readonly query: Query;
  /** Ends the wait: the deadline passed, or another try was answered. */
  readonly signal: AbortSignal;
  /** Called when our question came back in other letter case, which is no answer. */
  readonly onFolded: () => void;
};

const BROKEN: Exchange = { state: "failed", detail: "The resolver's answer is no valid DNS message" };
const CUT: Exchange = { state: "failed", detail: "The resolver's answer is cut off, over TCP too" };
/** One message and as much again of strangers' before it. */
const MAX_TCP_BYTES = 2 * 65_537;

/**
 * One query over a connected UDP socket of its own: the kernel picks its port at random and drops what
 * comes from elsewhere. Messages with another id or question are ignored (RFC 5452, 9.1).
 */
export function askUdp({ server, query, signal, onFolded }: Ask): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = createSocket(server.family === 4 ? "udp4" : "udp6");
    let sawBroken = false;
    let open = true;
    const settle = (exchange: Exchange) => {
      if (!open) return;
      open = false;
      signal.removeEventListener("abort", onAbort);
      socket.close();
      resolve(exchange);
    };
    const onAbort = () => settle({ state: "silent", sawBroken });
    const onMessage = (message: Buffer) => {
      const match = matchReply(query, message);
      if (match === "reply") settle(exchangeOf(message));
      else if (match === "truncated") settle({ state: "truncated" });
      else if (match === "folded") onFolded();
      else if (match === "broken") {
        if (isOurId(query, message)) settle(BROKEN);
        sawBroken = true;
      }
    };
    // An ICMP refusal arrives here.
    socket.on("error", (error) => settle(failureOf(error)));
    socket.on("message", onMessage);
    socket.on("connect", () => {
      if (!open) return;
      socket.send(query.message, (error) => {
        if (error) settle(failureOf(error));
      });
    });
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      socket.connect(server.port, server.host);
    }
  });
}

const isOurId = (query: Query, message: Buffer): boolean =>
  message.length >= 2 && message.readUInt16BE(0) === query.id;

/** The same over TCP, each message after its length in two octets (RFC 7766). */
export function askTcp({ server, query, signal, onFolded }: Ask): Promise<Exchange> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ state: "silent", sawBroken: false });
      return;
    }
    const socket = connect({ host: server.host, port: server.port, noDelay: true });
    const settle = (exchange: Exchange) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      resolve(exchange);
    };
    const onAbort = () => settle({ state: "silent", sawBroken: false });
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
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function firstAnswer(query: Query, messages: readonly Buffer[], onFolded: () => void): Exchange | null {
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

function exchangeOf(message: Buffer): Exchange {
  const reply = decodeReply(message);
  return reply === null ? BROKEN : { state: "reply", reply };
}

function failureOf(error: Error): Exchange {
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown error";
  return { state: "failed", detail: `The resolver cannot be reached: ${code}` };
}
