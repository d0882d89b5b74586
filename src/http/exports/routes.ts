import { Readable } from "node:stream";
import type { TokenBearer } from "../../accounts/access-tokens.ts";
import { exportScope } from "../../accounts/token-scopes.ts";
import { InvalidValue, Refusal } from "../../base/failure.ts";
import type { ExportFacts } from "../../exports/facts.ts";
import type { ExportStanding, OpenBody } from "../../exports/shelf.ts";
import { formatOf, formatsFor, type Variant, variantOf } from "../../exports/variant.ts";
import { encodingFor } from "../compression.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { namesTag, sendUnchanged } from "../engines-route.ts";
import { mayClose, type Ways } from "../hooks.ts";
import { sendData } from "../product-routes.ts";
import { addCommonHeaders } from "../request-state.ts";
import { sendFile } from "../send-file.ts";
import { admitToken } from "../token-admission.ts";
import { exportViews } from "./view.ts";

const FILE = /^\/api\/exports\/[a-z0-9_-]{1,64}\.[A-Za-z0-9]{1,16}$/;
const FILE_WITH_TOKEN = /^\/x\/[A-Za-z0-9_]{1,64}\/[a-z0-9_-]{1,64}\.[A-Za-z0-9]{1,16}$/;

/** One body of each token in this time. */
const BODY_EVERY_MS = 10_000;
const MAX_TOKENS = 10_000;

/** The list of exports, and their files for consumers that send a token, or have it in the path. Source: enforcement 2. */
export function addExportRoutes(app: App, parts: HttpParts, ways: Ways): void {
  const { exports } = parts;
  const throttle = createThrottle(() => parts.calls.clock.monotonicMs());
  app.get("/api/exports", { config: { basic: true } }, async (request, reply) => {
    const names = await readableBy(parts, request);
    return sendData(parts, request, reply, { exports: exportViews(exports, names) });
  });
  const serve = async (request: Request, reply: Reply, token: string | null): Promise<Reply> => {
    const asked = fileOf(request);
    const bearer = await admit(parts, request, asked.name, token);
    const standing = exports.find(asked.name);
    if (standing === null) throw noExport(asked.name);
    const variant = readVariant(asked.ext, request, standing);
    refuseClosed(standing);
    noteFetch(parts, request, reply, { bearer, standing, variant });
    return sendBody(
      request,
      reply,
      { standing, variant },
      { parts, ways, mayTake: () => throttle(bearer.tokenId) },
    );
  };
  app.get("/api/exports/:file", { config: { pattern: FILE, basic: true } }, (request, reply) =>
    serve(request, reply, null),
  );
  app.get("/x/:token/:file", { config: { pattern: FILE_WITH_TOKEN } }, (request, reply) =>
    serve(request, reply, parameter(request, "token")),
  );
}

function parameter({ params }: Request, name: string): string {
  const value = typeof params === "object" && params !== null ? Object.entries(params) : [];
  return String(value.find(([key]) => key === name)?.[1] ?? "");
}

function fileOf(request: Request): { readonly name: string; readonly ext: string } {
  const file = parameter(request, "file");
  const dot = file.lastIndexOf(".");
  return { name: file.slice(0, dot), ext: file.slice(dot + 1) };
}

/** A stranger is told nothing of which exports there are; who has any token is told that there is none. */
async function admit(parts: HttpParts, request: Request, name: string, token: string | null) {
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

function readVariant(ext: string, { query }: Request, { options }: ExportStanding): Variant {
  const format = formatOf(ext);
  const known = formatsFor(options.target).map((one) => one.ext);
  if (format === null) {
    const message = `There is no format "${ext}"; of "${options.name}" there are ${known.join(", ")}`;
    throw new Refusal("NOT_FOUND", { message, field: "ext" });
  }
  if (!known.includes(ext)) {
    const msg = `The format ${ext} cannot hold ${options.target} entries; of "${options.name}" there are ${known.join(", ")}`;
    throw faultOf("path", "ext", msg);
  }
  try {
    return variantOf(format, typeof query === "object" && query !== null ? { ...query } : {}, options.target);
  } catch (error) {
    if (error instanceof InvalidValue) throw faultOf("query", error.reason, error.message);
    throw error;
  }
}

const faultOf = (where: "path" | "query", name: string, msg: string): Refusal =>
  new Refusal("VALIDATION", {
    faults: [{ loc: [where, name], msg, type: "value_error", ctx: { reason: "format_unknown" } }],
  });

/** Never an empty list in place of one that cannot be told: consumers take it for their new one. */
function refuseClosed({ closed, facts }: ExportStanding): void {
  if (closed === null) return;
  throw new Refusal("SERVICE_UNAVAILABLE", { message: closed, retryAfterS: facts === null ? 30 : 3600 });
}

type Fetched = { readonly bearer: TokenBearer } & Asked;

/** Notes who has which generation, once the whole answer left. */
function noteFetch(
  { exports }: HttpParts,
  request: Request,
  reply: Reply,
  { bearer, standing, variant }: Fetched,
): void {
  const { clientAddress } = request.state;
  if (request.method === "HEAD") return;
  reply.raw.once("finish", () => {
    const { statusCode: status } = reply.raw;
    // Of the framework's own headers: what it writes at once never stands among those of the raw answer.
    const generation = Number(reply.getHeader("X-Export-Generation"));
    if (status !== 200 && status !== 304) return;
    exports.fetches.note(standing.options.name, {
      token: bearer.prefix,
      address: clientAddress?.text ?? null,
      user_agent: request.headers["user-agent"] ?? null,
      format: variant.format.ext,
      generation,
      unchanged: status === 304,
    });
  });
}

type Asked = { readonly standing: ExportStanding; readonly variant: Variant };
type Means = { readonly parts: HttpParts; readonly ways: Ways; readonly mayTake: () => number };

async function sendBody(
  request: Request,
  reply: Reply,
  { standing, variant }: Asked,
  { parts, ways, mayTake }: Means,
): Promise<Reply> {
  const coding = encodingFor(request.headers["accept-encoding"], ["gzip"]) === "gzip" ? "gzip" : null;
  const { facts } = standing;
  if (facts !== null && isUnchanged(request, facts, tagOf(facts, variant, coding))) {
    return sendUnchanged(request, setHeaders(reply, facts, variant, coding));
  }
  if (request.method !== "HEAD") refuseTooSoon(mayTake());
  const body = await parts.exports.open(standing.options.name, variant, coding).catch((error: unknown) => {
    const { log } = parts.calls.deps;
    log.error({ err: error, request_id: request.id }, "A file of an export could not be made");
    return null;
  });
  if (body === null) {
    throw new Refusal("SERVICE_UNAVAILABLE", {
      message: "This file is not ready; try again",
      retryAfterS: 30,
    });
  }
  setHeaders(reply, body.facts, variant, coding);
  reply.header("Content-Length", body.bytes);
  if (coding !== null) reply.header("Content-Encoding", coding);
  if (body.info.dropped > 0) reply.header("X-Export-Dropped", body.info.dropped);
  return send(request, reply, body, ways);
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

/** A strong validator is of the octets, so each coding has its own (RFC 9110 8.8.3.3). */
const tagOf = ({ generation }: ExportFacts, { id }: Variant, coding: "gzip" | null): string =>
  `"${generation}-${id}${coding === null ? "" : "-gzip"}"`;

/** `If-None-Match` goes before `If-Modified-Since` (RFC 9110 13.2.2). */
const isUnchanged = ({ headers }: Request, facts: ExportFacts, tag: string): boolean =>
  headers["if-none-match"] === undefined
    ? isOfTime(headers["if-modified-since"], facts)
    : namesTag(headers["if-none-match"], tag);

/**
 * The very time that was told alone: one between the making of a generation and its coming into force is none of it. A generation
 * that was not the first of its second has a greater number.
 */
const isOfTime = (header: string | undefined, facts: ExportFacts): boolean =>
  header === lastModified(facts) && facts.generation === Math.floor(Date.parse(facts.made_at) / 1000);

const lastModified = ({ made_at: madeAt }: ExportFacts): string => new Date(madeAt).toUTCString();

function setHeaders(reply: Reply, facts: ExportFacts, variant: Variant, coding: "gzip" | null): Reply {
  return reply.headers({
    ETag: tagOf(facts, variant, coding),
    "Last-Modified": lastModified(facts),
    "Cache-Control": "private, no-cache",
    "Content-Type": variant.format.mediaType,
    Vary: "Accept-Encoding",
    "Accept-Ranges": "none",
    "X-Export-Generation": facts.generation,
    "X-Export-Made-At": facts.made_at,
    "X-Export-Entries": facts.entries,
    "X-Export-Truncated": facts.cut_by_limit,
  });
}

function refuseTooSoon(waitMs: number): void {
  if (waitMs <= 0) return;
  throw new Refusal("RATE_LIMIT_EXCEEDED", {
    message: `This token fetched a file less than ${BODY_EVERY_MS / 1000} seconds ago; with If-None-Match it may ask at any time`,
    retryAfterS: Math.ceil(waitMs / 1000),
  });
}

/** Milliseconds until a token may take the next body; 0: now, and it has taken it. */
function createThrottle(nowMs: () => number): (tokenId: string) => number {
  const taken = new Map<string, number>();
  return (tokenId) => {
    const now = nowMs();
    const waitMs = (taken.get(tokenId) ?? Number.NEGATIVE_INFINITY) + BODY_EVERY_MS - now;
    if (waitMs > 0) return waitMs;
    taken.delete(tokenId);
    taken.set(tokenId, now);
    const [oldest] = taken.keys();
    if (taken.size > MAX_TOKENS && oldest !== undefined) taken.delete(oldest);
    return 0;
  };
}
