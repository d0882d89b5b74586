import { Refusal } from "../base/failure.ts";
import { findCaller } from "./admission.ts";
import { sendCompressed } from "./compression.ts";
import type { App, HttpParts, Reply } from "./context.ts";
import { JSON_CONTENT_TYPE } from "./envelope.ts";
import { documentOf } from "./openapi.ts";
import { refuseOtherHost } from "./own-host.ts";
import { homePage } from "./pages/page-views.ts";
import { isClosedTo, personOf, readPerson, SIGN_IN } from "./pages/person.ts";
import { prefersHtml } from "./pages/preferred.ts";
import type { Site } from "./pages/site.ts";
import { sendData } from "./product-routes.ts";

/** The name of the service on the wire (design 13.1). */
const SERVICE = "Repute";

/** Banner, health, subscription, OpenAPI and the orchestrators' two. */
export function addMetaRoutes(
  app: App,
  parts: HttpParts,
  closing: { readonly state: boolean },
  site: Site,
): void {
  const { version } = parts;
  app.get("/", { config: { cors: true } }, async (request, reply) => {
    reply.header("Vary", "Accept");
    if (prefersHtml(request.headers.accept)) {
      refuseOtherHost(parts, request);
      await readPerson(parts, request);
      if (isClosedTo(parts, request)) return reply.redirect(SIGN_IN, 303);
      if (personOf(request) !== null) return site.send(request, reply, homePage(parts));
      return site.sendShared(request, reply, () => homePage(parts));
    }
    return sendData(parts, request, reply, { service: SERVICE, version, docs: "/docs" });
  });
  app.get("/api/health", { config: { cors: true } }, async (request, reply) => {
    const database = await parts.isDatabaseReachable();
    const isAlone = parts.areLimitsShared() === false;
    const status = database && !isAlone ? "ok" : "degraded";
    const health = { status, service: SERVICE, version, database };
    return sendData(parts, request, reply, isAlone ? { ...health, limits: "process" } : health);
  });
  let openApi: Buffer | null = null;
  app.get("/openapi.json", { config: { cors: true } }, async (request, reply) => {
    openApi ??= Buffer.from(JSON.stringify(documentOf(parts)));
    return sendCompressed(request, reply.header("Content-Type", JSON_CONTENT_TYPE), openApi);
  });
  app.get("/livez", async (_request, reply) => sendJson(reply, { status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const missing = [...parts.calls.missingParts()];
    if (!(await parts.isDatabaseReachable())) missing.push("database");
    if (closing.state) missing.push("stopping");
    if (missing.length > 0) reply.code(503).header("Retry-After", "2");
    // Calls are answered without a list that cannot answer, and name it: no reason to send them elsewhere.
    const faulty = parts.listsInError();
    const ready = faulty.length === 0 ? "ready" : "degraded";
    const status = missing.length === 0 ? ready : "not_ready";
    return sendJson(reply, { status, missing, lists: parts.listProgress(), lists_in_error: faulty });
  });
  addSubscription(app, parts);
}

function addSubscription(app: App, parts: HttpParts): void {
  const config = { endpoint: "account/subscription", targetKind: "account", takesSession: true };
  app.get("/api/account/subscription", { config }, async (request, reply) => {
    const { caller } = request.state;
    if (caller === null) throw new Refusal("UNAUTHORIZED");
    const subscription = await parts.subscriptionOf(caller.accountId);
    // It settles nothing: a key revoked or a session ended meanwhile must be seen all the same (design 13.2).
    const isAlive = (await findCaller(parts, request, config)) !== null;
    if (subscription === null || !isAlive) throw new Refusal("UNAUTHORIZED");
    return sendData(parts, request, reply, subscription);
  });
}

function sendJson(reply: Reply, value: object): Reply {
  return reply.header("Content-Type", JSON_CONTENT_TYPE).send(JSON.stringify(value));
}
