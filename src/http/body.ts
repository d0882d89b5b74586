import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Refusal } from "../failure.ts";
import { InvalidJson, parseJson } from "../parse-json.ts";
import type { App, Request } from "./context.ts";

/** 1 MiB, design 13.1. */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * Bodies are read as bytes whatever they say they are, so that 413 comes before 415 and 415 before 422; `readJson`
 * judges them then.
 */
export function takeBodiesAsBytes(app: App): void {
  app.removeAllContentTypeParsers();
  // Named as well as meant: the framework looks a type that has no parser of its own up anew on every call.
  app.addContentTypeParser(["application/json", "*"], (request, stream, done) => {
    if (announcedBytes(request.headers) > MAX_BODY_BYTES) done(new Refusal("PAYLOAD_TOO_LARGE"));
    else readBytes(stream, done);
  });
}

type Done = (error: Error | null, body?: Buffer) => void;

/** Mostly a body comes in one piece, which is handed on as it is; the framework's own reader copies it. */
function readBytes(stream: IncomingMessage, done: Done): void {
  const pieces: Buffer[] = [];
  let length = 0;
  stream.on("data", (piece: Buffer) => {
    const isNews = length <= MAX_BODY_BYTES;
    length += piece.length;
    if (length <= MAX_BODY_BYTES) pieces.push(piece);
    else if (isNews) done(new Refusal("PAYLOAD_TOO_LARGE"));
  });
  stream.on("end", () => {
    const [first] = pieces;
    if (length > MAX_BODY_BYTES) return;
    done(null, first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces, length));
  });
  stream.on("error", (cause) => {
    if (length <= MAX_BODY_BYTES) done(cause);
  });
}

/** Bytes of body that a request announces; 0 when it announces none. */
export const announcedBytes = (headers: IncomingHttpHeaders): number =>
  Number(headers["content-length"] ?? 0);

/** 413 by the announced length, before a byte is read. */
export function refuseLargeBody(request: Request): void {
  if (announcedBytes(request.headers) > MAX_BODY_BYTES) throw new Refusal("PAYLOAD_TOO_LARGE");
}

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
    return parseJson(decode(request.body));
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
