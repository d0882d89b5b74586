import { Refusal } from "../failure.ts";
import type { App, HttpParts, Reply } from "./context.ts";
import { openApiDocument } from "./openapi.ts";
import { sendData } from "./product-routes.ts";

/** The name of the service on the wire (design 13.1). */
const SERVICE = "Repute";

/** Banner, health, subscription, OpenAPI and the orchestrators' two. */
export function addMetaRoutes(app: App, parts: HttpParts, closing: { readonly state: boolean }): void {
  const { version } = parts;
  app.get("/", { config: { cors: true } }, async (request, reply) =>
    sendData(parts, request, reply, { service: SERVICE, version, docs: "/docs" }),
  );
  app.get("/api/health", { config: { cors: true } }, async (request, reply) => {
    const database = await parts.isDatabaseReachable();
    const status = database ? "ok" : "degraded";
    return sendData(parts, request, reply, { status, service: SERVICE, version, database });
  });
  app.get("/openapi.json", { config: { cors: true } }, async (_request, reply) =>
    sendJson(reply, openApiDocument({ version, publicUrl: parts.publicUrl })),
  );
  app.get("/livez", async (_request, reply) => sendJson(reply, { status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const missing = [...parts.calls.missingParts()];
    if (!(await parts.isDatabaseReachable())) missing.push("database");
    if (closing.state) missing.push("stopping");
    if (missing.length > 0) reply.code(503).header("Retry-After", "2");
    return sendJson(reply, { status: missing.length === 0 ? "ready" : "not_ready", missing });
  });
  addSubscription(app, parts);
}

function addSubscription(app: App, parts: HttpParts): void {
  const config = { endpoint: "account/subscription", targetKind: "account" };
  app.get("/api/account/subscription", { config }, async (request, reply) => {
    const { caller, credential } = request.state;
    if (caller === null) throw new Refusal("UNAUTHORIZED");
    request.state.subject = { targetKind: "account", target: null, items: 1 };
    const subscription = await parts.subscriptionOf(caller.accountId);
    // It settles nothing: a key revoked meanwhile must be seen all the same (design 13.2).
    const isAlive = (await parts.calls.ledger.findCaller(credential)) !== null;
    if (subscription === null || !isAlive) throw new Refusal("UNAUTHORIZED");
    return sendData(parts, request, reply, subscription);
  });
}

function sendJson(reply: Reply, value: object): Reply {
  return reply.header("Content-Type", "application/json; charset=utf-8").send(JSON.stringify(value));
}
