import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Reply, Request } from "./context.ts";

/** Content codings of answers, the one that is preferred among equals first. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MAX_HEADER = 1_000;
/** Below this an answer grows, or saves no packet. */
const MIN_BYTES = 1_024;

/**
 * The coding that `Accept-Encoding` likes best among those that are offered; null: as it is, which also is the answer to
 * one that takes nothing at all. Source: RFC 9110 12.5.3.
 */
export function encodingFor(
  header: string | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (header === undefined) return null;
  const qualities = new Map(header.slice(0, MAX_HEADER).split(",").map(parseCoding));
  const qualityOf = (coding: string): number => qualities.get(coding) ?? qualities.get("*") ?? 0;
  const asItIs = qualities.get("identity") ?? 0;
  const [best] = offered
    .filter((coding) => qualityOf(coding) > 0 && qualityOf(coding) >= asItIs)
    .toSorted((a, b) => qualityOf(b) - qualityOf(a));
  return best ?? null;
}

function parseCoding(text: string): readonly [coding: string, quality: number] {
  const [coding = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return [coding, quality >= 0 && quality <= 1 ? quality : 0];
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

const compressed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** The content in a coding, made once for as long as the content is kept. It must not change afterwards. */
export function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(content) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(content, known);
  const making = known.get(encoding) ?? make(content, encoding);
  known.set(encoding, making);
  return making;
}

/** Slower settings win two or three per cent of the length and take ten times as long. */
const make = (content: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === "gzip"
    ? gzipped(content, { level: 6 })
    : brotlied(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** Sends what many ask for in the coding that this caller likes best. */
export async function sendCompressed(request: Request, reply: Reply, content: Buffer): Promise<Reply> {
  const vary = reply.getHeader("Vary");
  reply.header("Vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
  const encoding = encodingFor(request.headers["accept-encoding"]);
  if (encoding === null || content.length < MIN_BYTES) return reply.send(content);
  return reply.header("Content-Encoding", encoding).send(await compress(content, encoding));
}
