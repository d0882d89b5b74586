import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Refusal } from "../base/failure.ts";
import type { EngineDefinition } from "../engines/definitions.ts";
import type { EngineRow } from "../engines/rows.ts";
import { CATEGORY_WEIGHTS } from "../risk/strength.ts";
import { LISTED_KINDS } from "../targets/listed-kinds.ts";
import { encodingFor, sendCompressed } from "./compression.ts";
import type { App, HttpParts, Reply, Request } from "./context.ts";
import { JSON_CONTENT_TYPE } from "./envelope.ts";
import type { EngineListed } from "./shapes.ts";
import { readChoice } from "./view.ts";

const ENABLED = ["true", "false"] as const;

/** `GET /api/engines`: every engine of this installation, free, for anybody. Source: answers 3. */
export function addEnginesRoute(app: App, parts: HttpParts): void {
  const bodyFor = createBodies(parts);
  app.get("/api/engines", { config: { cors: true } }, async (request, reply) => {
    const body = bodyFor(readFilter(request));
    // A strong validator is of the octets, so each coding has its own (RFC 9110 8.8.3.3).
    const coding = encodingFor(request.headers["accept-encoding"]) ?? "";
    const etag = `"${body.hash}${coding === "" ? "" : `-${coding}`}"`;
    reply.headers({ ETag: etag, "Cache-Control": "no-cache", "Content-Type": JSON_CONTENT_TYPE });
    if (!namesTag(request.headers["if-none-match"], etag))
      return sendCompressed(request, reply, body.content);
    return sendUnchanged(request, reply.header("Vary", "Accept-Encoding"));
  });
}

/**
 * A 304. Of a HEAD whose answer is nothing at all the framework would say that the length is 0, which is not that of what did
 * not change (RFC 9110 8.6).
 */
const sendUnchanged = ({ method }: Request, reply: Reply): Reply =>
  reply
    .removeHeader("Content-Type")
    .code(304)
    .send(method === "HEAD" ? Readable.from([]) : undefined);

type Filter = { readonly target: EngineListed["target"] | null; readonly enabled: boolean | null };

function readFilter({ query }: Request): Filter {
  const target = readChoice(query, "target", LISTED_KINDS);
  const enabled = readChoice(query, "enabled", ENABLED);
  const faults = [...target.faults, ...enabled.faults];
  if (faults.length > 0) throw new Refusal("VALIDATION", { faults });
  return { target: target.choice, enabled: enabled.choice === null ? null : enabled.choice === "true" };
}

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}

type Body = { readonly content: Buffer; readonly hash: string };

const KEPT_MS = 1000;

/** The answers by filter, kept for a second: asking over and over costs next to nothing. */
function createBodies({ calls: { deps, clock } }: HttpParts): (filter: Filter) => Body {
  const kept = new Map<string, { readonly body: Body; readonly untilMs: number }>();
  return ({ target, enabled }) => {
    const key = `${target} ${enabled}`;
    const known = kept.get(key);
    const nowMs = clock.monotonicMs();
    if (known !== undefined && nowMs < known.untilMs) return known.body;
    const engines = listEngines(deps.engines).filter(
      (one) => (target ?? one.target) === one.target && (enabled ?? one.enabled) === one.enabled,
    );
    const text = JSON.stringify({ data: { total: engines.length, engines } });
    const hash = createHash("sha256").update(text).digest("base64url").slice(0, 27);
    // The same octets stay the same buffer, whose compressed forms are kept with it.
    const body = known?.body.hash === hash ? known.body : { content: Buffer.from(text), hash };
    kept.set(key, { body, untilMs: nowMs + KEPT_MS });
    return body;
  };
}

type Known = {
  readonly definitions: () => readonly EngineDefinition[];
  readonly list: () => readonly EngineRow[];
};

function listEngines({ definitions, list }: Known): readonly EngineListed[] {
  const rows = new Map(list().map((row) => [row.key, row]));
  return definitions().flatMap((definition) => {
    const row = rows.get(definition.engine.key);
    return row === undefined ? [] : [listed(definition, row)];
  });
}

/** Of an engine that the operator configured nothing is told that describes the list itself: no size, link or time. */
function listed({ engine, feed }: EngineDefinition, row: EngineRow): EngineListed {
  const { key, name, kind, target, family, category, confidence, aggregate, disabled, builtin } = engine;
  return {
    ...{ key, name, kind, target, family, category, confidence, aggregate },
    half_life_days: CATEGORY_WEIGHTS[category].halfLifeDays,
    enabled: disabled === null,
    disabled_class: engine.disabledClass,
    disabled_reason: disabled,
    licence: engine.licence,
    homepage: builtin ? engine.homepage : null,
    entries: builtin && feed !== null ? row.entries : null,
    last_success: builtin ? row.last_success : null,
    state: row.status,
  };
}
