import { Readable } from "node:stream";
import { exportScope } from "../../accounts/token-scopes.ts";
import { Refusal } from "../../base/failure.ts";
import type { ExportStanding, OpenBody } from "../../exports/shelf.ts";
import type { Variant } from "../../exports/variant.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { mayClose, type Ways } from "../hooks.ts";
import { sendData } from "../product-routes.ts";
import { addCommonHeaders } from "../request-state.ts";
import { sendFile } from "../send-file.ts";
import { assertHolds, assertServed } from "../served-export.ts";
import { admitToken } from "../token-admission.ts";
import { noteFetch } from "./note-fetch.ts";
import {
  codingOf,
  FILE,
  FILE_WITH_TOKEN,
  type FileQuestion,
  fileHeaders,
  hasAlready,
  isConditional,
  readFileQuestion,
  readVariant,
} from "./question.ts";
import { exportViews } from "./view.ts";

/** One body of each token in this time. */
const BODY_EVERY_MS = 10_000;
/** So many that were never asked for may be made for a token at once, and then one in that time. */
const MADE_AT_ONCE = 10;
const MAX_TOKENS = 10_000;

/** The list of exports, and their files for consumers that send a token, or have it in the path. Source: enforcement 2. */
export function addExportRoutes(app: App, parts: HttpParts, ways: Ways): void {
  const { exports } = parts;
  const nowMs = () => parts.calls.clock.monotonicMs();
  const [taking, making] = [createThrottle(nowMs, 1), createThrottle(nowMs, MADE_AT_ONCE)];
  app.get("/api/exports", { config: { basic: true } }, async (request, reply) => {
    const names = await readableBy(parts, request);
    return sendData(parts, request, reply, { exports: exportViews(exports, names) });
  });
  const serve = async (request: Request, reply: Reply): Promise<Reply> => {
    const question = readFileQuestion(request.url);
    if (question === null) throw new Refusal("NOT_FOUND");
    const bearer = await admit(parts, request, question);
    const standing = exports.find(question.name);
    if (standing === null) throw noExport(question.name);
    const variant = readVariant(question, standing);
    assertHolds(assertServed(standing).facts, variant);
    const { clientAddress: address } = request.state;
    // Of the framework's own headers: what it writes at once never stands among those of the raw answer.
    const generation = (): number => Number(reply.getHeader("X-Export-Generation"));
    noteFetch(exports, {
      request: request.raw,
      response: reply.raw,
      ...{ question, bearer, address, generation },
    });
    const asker = bearer.tokenId;
    const means = { parts, ways, mayTake: () => taking(asker), mayMake: () => making(asker) };
    return sendBody(request, reply, { standing, variant, asker }, means);
  };
  app.get("/api/exports/:file", { config: { pattern: FILE, basic: true } }, serve);
  app.get("/x/:token/:file", { config: { pattern: FILE_WITH_TOKEN } }, serve);
}

/** A stranger is told nothing of which exports there are; who has any token is told that there is none. */
async function admit(parts: HttpParts, request: Request, { name, token }: FileQuestion) {
  try {
    return await admitToken(parts, request, exportScope(name), token);
  } catch (error) {
    const isUnknown = parts.exports.find(name) === null;
    if (isUnknown && error instanceof Refusal && error.code === "FORBIDDEN") throw noExport(name);
    throw error;
  }
}

const noExport = (name: string): Refusal =>
  new Refusal("NOT_FOUND", { message: `There is no export "${name}"`, field: "name" });

/** The exports that a token may fetch. Throws as `admitToken` where there is none. */
async function readableBy(parts: HttpParts, request: Request): Promise<readonly string[]> {
  const names: string[] = [];
  let refusal: Refusal | null = null;
  for (const name of parts.exports.names) {
    try {
      await admitToken(parts, request, exportScope(name));
      names.push(name);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "FORBIDDEN") throw error;
      refusal ??= error;
    }
  }
  if (names.length === 0 && refusal !== null) throw refusal;
  return names;
}

type Asked = { readonly standing: ExportStanding; readonly variant: Variant; readonly asker: string };
/** `mayMake`: as `mayTake`, of bodies that are made first, which asks as much of us though only their head is sent, or that nothing changed. */
type Means = {
  readonly parts: HttpParts;
  readonly ways: Ways;
  readonly mayTake: () => number;
  readonly mayMake: () => number;
};

async function sendBody(
  request: Request,
  reply: Reply,
  { standing, variant, asker }: Asked,
  { parts, ways, mayTake, mayMake }: Means,
): Promise<Reply> {
  const coding = codingOf(request.headers);
  // Who may have it already is told so at any time; whether that is so, is known of the file alone.
  const isCounted = request.method !== "HEAD";
  if (isCounted && !isConditional(request.headers)) refuseTooSoon(mayTake());
  const asking = { coding, asker, beforeMaking: () => refuseTooSoon(mayMake()) };
  const body = await openFile(parts, request, { name: standing.options.name, variant, asking });
  const version = { facts: body.facts, info: body.info, variant, coding };
  if (hasAlready(request.headers, version)) {
    await body.file.close();
    return reply.code(304).headers(fileHeaders(version)).send();
  }
  if (isCounted && isConditional(request.headers)) {
    const waitMs = mayTake();
    if (waitMs > 0) await body.file.close();
    refuseTooSoon(waitMs);
  }
  reply.headers(fileHeaders(version));
  reply.headers({ "Content-Type": variant.format.mediaType, "Content-Length": body.bytes });
  if (coding !== null) reply.header("Content-Encoding", coding);
  if (body.info.dropped > 0) reply.header("X-Export-Dropped", body.info.dropped);
  return send(request, reply, body, ways);
}

type Opening = {
  readonly name: string;
  readonly variant: Variant;
  readonly asking: Parameters<HttpParts["exports"]["open"]>[2];
};

/** Throws SERVICE_UNAVAILABLE where it cannot be made, and RATE_LIMIT_EXCEEDED where it must not be now. */
async function openFile(
  parts: HttpParts,
  { id }: Request,
  { name, variant, asking }: Opening,
): Promise<OpenBody> {
  const body = await parts.exports.open(name, variant, asking).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    const { log } = parts.calls.deps;
    log.error({ err: error, request_id: id }, "A file of an export could not be made");
    return null;
  });
  if (body !== null) return body;
  throw new Refusal("SERVICE_UNAVAILABLE", {
    message: "This file is not ready; try again",
    retryAfterS: 30,
  });
}

async function send(request: Request, reply: Reply, { file, bytes }: OpenBody, ways: Ways): Promise<Reply> {
  if (request.method === "HEAD") {
    await file.close();
    // Of nothing at all the framework would say that its length is 0; what it is given to throw away it reads to the end.
    return reply.send(Readable.from([]));
  }
  addCommonHeaders(request, reply);
  if (mayClose(ways, request)) reply.header("Connection", "close");
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
  await sendFile(reply.raw, file, bytes);
  return reply;
}

function refuseTooSoon(waitMs: number): void {
  if (waitMs <= 0) return;
  throw new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `This token fetched a file less than ${BODY_EVERY_MS / 1000} seconds ago; with If-None-Match it may ask at any time`,
    retryAfterS: Math.ceil(waitMs / 1000),
  });
}

/** Milliseconds until a token may take the next body, of which it may take some at once; 0: now, and it has taken it. */
function createThrottle(nowMs: () => number, atOnce: number): (tokenId: string) => number {
  /** When all that a token took is made up for. */
  const taken = new Map<string, number>();
  return (tokenId) => {
    const now = nowMs();
    const fromMs = Math.max(taken.get(tokenId) ?? now, now);
    const waitMs = fromMs - now - (atOnce - 1) * BODY_EVERY_MS;
    if (waitMs > 0) return waitMs;
    taken.delete(tokenId);
    taken.set(tokenId, fromMs + BODY_EVERY_MS);
    const [oldest] = taken.keys();
    if (taken.size > MAX_TOKENS && oldest !== undefined) taken.delete(oldest);
    return 0;
  };
}
