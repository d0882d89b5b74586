import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { hasZlibHeader, keepingStart, startDecoded } from "./coded-start.ts";
import type { OpenResponse } from "./http-exchange.ts";

/** How the reading of a body ended; `bytes` are decoded ones, given to the receiver. */
export type BodyEnd =
  | { readonly state: "whole"; readonly bytes: number }
  /** There is more than `maxBytes`; that many were given. */
  | { readonly state: "too_large"; readonly bytes: number }
  /** It broke off, or its coding is unknown or broken. */
  | { readonly state: "broken"; readonly bytes: number; readonly code: string };

export type BodyReceiver = (chunk: Buffer) => void | Promise<void>;

export type BodyOptions = {
  /** Takes gzip and deflate as browsers show them: a wrong checksum and what follows the first member count for nothing. Default false. */
  readonly asBrowsers?: boolean;
};

/**
 * Decodes and hands on the body piece by piece, at most `maxBytes` of it: the decoder's output is counted and never
 * collected first. One content coding at most (gzip, deflate, br). The response's socket must be destroyed afterwards.
 * Source: security P4.
 */
export async function readBody(
  response: OpenResponse,
  maxBytes: number,
  receive: BodyReceiver,
  { asBrowsers = false }: BodyOptions = {},
): Promise<BodyEnd> {
  const coding = codingOf(response.head.headers.get("content-encoding") ?? []);
  if (coding === null) return { state: "broken", bytes: 0, code: "UNKNOWN_CONTENT_CODING" };
  const counted = { bytes: 0 };
  const reading = { maxBytes, receive, counted };
  const octets = keepingStart(octetsOf(response.message, maxBytes), asBrowsers ? coding : null);
  const end = await endOf(decoded(octets.source, coding), reading);
  const start = octets.start();
  if (typeof end === "object" && end.code.startsWith("Z_") && start !== null) {
    const shown = await endOf(startDecoded(start, counted.bytes), reading);
    return typeof shown === "string" ? { state: shown, ...counted } : { ...shown, ...counted };
  }
  const fault = response.fault();
  if (end === "whole" && fault !== null) return { state: "broken", bytes: counted.bytes, code: fault };
  return typeof end === "string" ? { state: end, ...counted } : { ...end, ...counted };
}

type Coding = "identity" | "gzip" | "deflate" | "br";

/** Null: unknown, or more than one. */
function codingOf(values: readonly string[]): Coding | null {
  const names = values
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const [name = "identity", second] = names;
  if (second !== undefined) return null;
  if (name === "x-gzip") return "gzip";
  return name === "identity" || name === "gzip" || name === "deflate" || name === "br" ? name : null;
}

/** What the framing may cost beside the body: each chunk is parsed by itself, 500,000 in a second. */
const MAX_OVERHEAD = 1.5;
const SLACK_BYTES = 524_288;

class BodyError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * The body as it comes, until its framing outgrows it (chunks of an octet, endless extensions), or it outgrows what it
 * may be when decoded (endless empty members of gzip).
 */
async function* octetsOf(message: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (message.socket.bytesRead > MAX_OVERHEAD * bytes + SLACK_BYTES) throw new BodyError("TOO_MANY_CHUNKS");
    if (bytes > maxBytes + SLACK_BYTES) throw new BodyError("CODED_BODY_TOO_LARGE");
    yield chunk;
  }
}

/** The decoded pieces. A body of no octets is empty in every coding. */
async function* decoded(source: AsyncGenerator<Buffer>, coding: Coding): AsyncGenerator<Buffer> {
  if (coding === "identity") {
    yield* source;
    return;
  }
  const first = await source.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* source;
  };
  // An error of either side ends the decoder with it, which the loop below throws.
  yield* pipeline(whole, decoderOf(coding, first.value), () => undefined);
}

function decoderOf(coding: Exclude<Coding, "identity">, first: Buffer) {
  if (coding === "gzip") return createGunzip();
  if (coding === "br") return createBrotliDecompress();
  // RFC 9110, 8.4.1.2: some servers send deflate without the zlib wrapper.
  return hasZlibHeader(first) ? createInflate() : createInflateRaw();
}

const endOf = (chunks: AsyncIterable<Buffer>, reading: Reading) =>
  readChunks(chunks, reading).catch((error: unknown) => {
    if (error instanceof ReceiverError) throw error.cause;
    return brokenBy(error);
  });

type Reading = {
  readonly maxBytes: number;
  readonly receive: BodyReceiver;
  readonly counted: { bytes: number };
};

async function readChunks(
  chunks: AsyncIterable<Buffer>,
  { maxBytes, receive, counted }: Reading,
): Promise<"whole" | "too_large"> {
  for await (const chunk of chunks) {
    const room = maxBytes - counted.bytes;
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk;
    counted.bytes += piece.length;
    await give(receive, piece);
    if (chunk.length > room) return "too_large";
  }
  return "whole";
}

/** Tells our own failure (a full disk) from the body's. */
class ReceiverError extends Error {}

async function give(receive: BodyReceiver, piece: Buffer): Promise<void> {
  try {
    await receive(piece);
  } catch (error) {
    throw new ReceiverError("Cannot take the body", { cause: error });
  }
}

/** Errors of sockets, parser and decoders have a code; what has none is a fault of ours. */
function brokenBy(error: unknown): { readonly state: "broken"; readonly code: string } {
  if (error instanceof Error && "code" in error) return { state: "broken", code: String(error.code) };
  throw error;
}

/** Collects pieces into one buffer that grows by doubling: a body of one-octet pieces costs no more than another. */
export function createBodyBuffer(): { readonly add: BodyReceiver; readonly bytes: () => Buffer } {
  let room = Buffer.alloc(0);
  let length = 0;
  const add = (chunk: Buffer) => {
    if (length + chunk.length > room.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, 2 * room.length, length + chunk.length));
      room.copy(larger, 0, 0, length);
      room = larger;
    }
    chunk.copy(room, length);
    length += chunk.length;
  };
  return { add, bytes: () => room.subarray(0, length) };
}
