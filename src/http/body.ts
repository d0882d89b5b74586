import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Refusal } from "../base/failure.ts";
import { InvalidJson, MAX_PARTS, parseJson } from "../base/parse-json.ts";
import type { App, Request, RouteConfig } from "./context.ts";

/** 1 MiB, design 13.1. */
export const MAX_BODY_BYTES = 1_048_576;

/** Of forms and of the pages' own interface but for its lookups, whose bodies hold a few short fields. Source: security P7. */
const MAX_DASHBOARD_BODY_BYTES = 16_384;

/** Of a piece of a file, which only an account's own session sends. */
const MAX_UPLOAD_BYTES = 262_144;

function maxBodyBytes({ audience, endpoint, page, isUpload }: RouteConfig): number {
  if (isUpload === true) return MAX_UPLOAD_BYTES;
  const isCall = page !== true && (audience === undefined || endpoint !== undefined);
  return isCall ? MAX_BODY_BYTES : MAX_DASHBOARD_BODY_BYTES;
}

/** How to ask for the bodies of callers who wait to be asked. */
const held = new WeakMap<IncomingMessage, () => void>();

/** Notes that the caller sends the body when asked alone. */
export function holdBody(request: IncomingMessage, ask: () => void): void {
  held.set(request, ask);
}

/**
 * Bodies are read as bytes whatever they say they are, so that 413 comes before 415 and 415 before 422; `readJson`
 * judges them then.
 */
export function takeBodiesAsBytes(app: App): void {
  app.removeAllContentTypeParsers();
  // Named as well as meant: the framework looks a type that has no parser of its own up anew on every call.
  app.addContentTypeParser(["application/json", "*"], (request, stream, done) => {
    const maxBytes = maxBodyBytes(request.routeOptions.config);
    if (isTooLarge(request)) return done(tooLarge(maxBytes));
    held.get(request.raw)?.();
    readBytes(stream, maxBytes, done);
  });
}

type Done = (error: Error | null, body?: Buffer) => void;

/** Mostly a body comes in one piece, which is handed on as it is; the framework's own reader copies it. */
function readBytes(stream: IncomingMessage, maxBytes: number, done: Done): void {
  const pieces: Buffer[] = [];
  let length = 0;
  stream.on("data", (piece: Buffer) => {
    const isNews = length <= maxBytes;
    length += piece.length;
    if (length <= maxBytes) pieces.push(piece);
    else if (isNews) done(tooLarge(maxBytes));
  });
  stream.on("end", () => {
    const [first] = pieces;
    if (length > maxBytes) return;
    done(null, first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces, length));
  });
  stream.on("error", (cause) => {
    if (length <= maxBytes) done(cause);
  });
}

/** Bytes of body that a request announces; 0 when it announces none. */
export const announcedBytes = (headers: IncomingHttpHeaders): number =>
  Number(headers["content-length"] ?? 0);

/** Whether the announced length is more than the route takes. */
export const isTooLarge = ({ headers, routeOptions }: Request): boolean =>
  announcedBytes(headers) > maxBodyBytes(routeOptions.config);

/** 413 by the announced length, before a byte is read. */
export function refuseLargeBody(request: Request): void {
  if (isTooLarge(request)) throw tooLarge(maxBodyBytes(request.routeOptions.config));
}

const tooLarge = (maxBytes: number): Refusal =>
  maxBytes === MAX_BODY_BYTES
    ? new Refusal("PAYLOAD_TOO_LARGE")
    : new Refusal("PAYLOAD_TOO_LARGE", { message: `The request body is larger than ${maxBytes / 1024} KiB` });

const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.-]{1,100}\+json)(?:\s*;|\s*$)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The body as a JSON value; undefined when there is none. Throws the 415 or the `json_invalid` 422. */
export function readJson(request: Request): unknown {
  const type = request.headers["content-type"];
  if (type !== undefined && !JSON_TYPE.test(type.trim())) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body without a content coding" });
  }
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return undefined;
  try {
    return parseJson(decode(request.body), { maxParts: MAX_PARTS });
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    throw new Refusal("VALIDATION", {
      faults: [
        {
          loc: ["body", error.offset],
          msg: "The body is not valid JSON",
          type: "json_invalid",
          input: {},
          ctx: { error: error.message },
        },
      ],
      cause: error,
    });
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvalidJson(0, "The body is not valid UTF-8");
    throw cause;
  }
}
