import { Refusal } from "../base/failure.ts";
import type { App, Reply, Request } from "./context.ts";

type ServedPath = { readonly methods: Set<string>; readonly cors: boolean };

/** What stands before the first parameter of a page's path. */
const literalOf = (url: string): string => url.split(/[:*]/, 1)[0] ?? "";

/** True when the request was answered here. Throws NOT_FOUND or METHOD_NOT_ALLOWED. */
export type PathJudge = (request: Request, reply: Reply) => boolean;

/**
 * Judges every request before its body is read (design 13.1): 404 for an unknown path, 405 with `Allow` for
 * a method that it does not take, 204 for OPTIONS. A path is served in its one spelling alone: no percent-encoded
 * twin, no absolute target; only pages have parameters. To be made before the routes are added, which it notes.
 */
export function createPathJudge(app: App): PathJudge {
  const served = new Map<string, ServedPath>();
  const pages: { readonly prefix: string; readonly served: ServedPath }[] = [];
  const patterns = new Map<string, RegExp>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const known = served.get(url) ?? { methods: new Set(["OPTIONS"]), cors: config?.cors === true };
    for (const one of [method].flat()) known.methods.add(one);
    if (config?.pattern !== undefined) patterns.set(url, config.pattern);
    else if (url.includes("/:"))
      patterns.set(url, new RegExp(`^${url.replace(/:\w+/g, "[A-Za-z0-9_-]{1,64}")}$`));
    served.set(url, known);
    const prefix = literalOf(url);
    if (config?.page === true && prefix !== url) pages.push({ prefix, served: known });
  }); // By its beginning alone: where a page could be read, the router has said already that there is none.
  const pageOf = (method: string, path: string): ServedPath | undefined =>
    method === "GET" || method === "HEAD"
      ? undefined
      : pages.find(({ prefix }) => path.startsWith(prefix))?.served;
  return (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const { url = "", config } = request.routeOptions;
    const isOwn =
      config.page === true ? path.startsWith(literalOf(url)) : path === url || patterns.get(url)?.test(path);
    if (!request.is404 && isOwn === true) return false;
    const known =
      served.get(path) ?? served.get(patternOf(path, patterns) ?? "") ?? pageOf(request.method, path);
    if (known === undefined) throw new Refusal("NOT_FOUND");
    const allowed = [...known.methods].toSorted().join(", ");
    reply.header("Allow", allowed);
    if (known.cors) addCorsHeaders(reply, allowed);
    if (request.method !== "OPTIONS") throw new Refusal("METHOD_NOT_ALLOWED");
    reply.code(204).send();
    return true;
  };
}

/** The route with an id in its path that a path is one of. */
function patternOf(path: string, patterns: ReadonlyMap<string, RegExp>): string | undefined {
  for (const [url, pattern] of patterns) if (pattern.test(path)) return url;
  return undefined;
}

function addCorsHeaders(reply: Reply, allowed: string): void {
  reply.headers({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": allowed,
    "Access-Control-Allow-Headers": "Content-Type, X-Request-Id",
    "Access-Control-Max-Age": "600",
  });
}
