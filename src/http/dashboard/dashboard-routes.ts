import { Refusal } from "../../base/failure.ts";
import { clientNetwork } from "../../metering/limits/client.ts";
import type { Client } from "../../sessions/session-store.ts";
import { readJson } from "../body.ts";
import type { App, HttpParts, Reply, Request } from "../context.ts";
import { JSON_CONTENT_TYPE } from "../envelope.ts";
import { sendData } from "../product-routes.ts";
import { clientNameOf } from "../window.ts";
import { ACCOUNT_ROUTES, readUsage } from "./account-routes.ts";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { BILLING_ROUTES } from "./billing-routes.ts";
import { isSecurePage, setToken } from "./cookie.ts";
import { DELETION_ROUTES, exportOf } from "./deletion-routes.ts";
import { DASHBOARD_BASE, type ENDPOINTS } from "./endpoints.ts";
import { FEED_ROUTES } from "./feed-routes.ts";
import { withFaults } from "./fields.ts";
import { KEY_ROUTES } from "./key-routes.ts";
import { PEOPLE_ROUTES } from "./people-routes.ts";
import { RESULT_ROUTES } from "./result-routes.ts";
import type { DashboardCall, DashboardRoute } from "./route.ts";
import { csvOf, jsonOf } from "./run-files.ts";
import { RUN_ROUTES, refOf } from "./run-routes.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { streamOf } from "./streamed.ts";
import { TOKEN_ROUTES } from "./token-routes.ts";
import { usageCsv } from "./usage-csv.ts";

/** One for every endpoint: a missing one does not compile. */
const ROUTES: Readonly<Record<keyof typeof ENDPOINTS, DashboardRoute>> = {
  ...SIGN_IN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...PEOPLE_ROUTES,
  ...KEY_ROUTES,
  ...TOKEN_ROUTES,
  ...RESULT_ROUTES,
  ...RUN_ROUTES,
  ...FEED_ROUTES,
  ...DELETION_ROUTES,
  ...ADMIN_ROUTES,
  ...BILLING_ROUTES,
};

/** The routes of `endpoints.ts`, each with what answers it. */
export function addDashboardRoutes(app: App, parts: HttpParts): void {
  addUsageCsv(app, parts);
  addExport(app, parts);
  addRunFiles(app, parts);
  for (const { endpoint, answer } of Object.values(ROUTES)) {
    app.route({
      method: endpoint.method,
      url: `${DASHBOARD_BASE}${endpoint.path}`,
      config: { audience: endpoint.audience, isUpload: endpoint.isUpload === true },
      handler: async (request, reply) => {
        const body = endpoint.input === null ? undefined : readJson(request);
        const call = callOf(parts, request, reply);
        const data = await answerSignedIn({ endpoint, answer }, call, body).catch(throwWithFaults);
        return sendData(parts, request, reply, data);
      },
    });
  }
}

/**
 * Answers a call, unless its session has ended meanwhile: its body may have been long on its way, and what it reads may take
 * long. What was changed stays changed, and is told.
 */
async function answerSignedIn(
  { endpoint, answer }: DashboardRoute,
  call: DashboardCall,
  body: unknown,
): Promise<object> {
  const { method, audience } = endpoint;
  if (audience === "everybody" || audience === "leaving") return answer(call, body);
  if (method !== "GET") await call.stillSignedIn();
  const data = await answer(call, body);
  if (method === "GET") await call.stillSignedIn();
  return data;
}

function addUsageCsv(app: App, parts: HttpParts): void {
  const config = { audience: "reader" } as const;
  app.get(`${DASHBOARD_BASE}/usage.csv`, { config }, async (request, reply) => {
    const call = callOf(parts, request, reply);
    const { days, rows } = await readUsage(call).catch(throwWithFaults);
    await call.stillSignedIn();
    return reply
      .header("Content-Type", "text/csv; charset=utf-8")
      .header("Content-Disposition", `attachment; filename="repute-usage-${days.from}-${days.to}.csv"`)
      .send(usageCsv(rows));
  });
}

function addExport(app: App, parts: HttpParts): void {
  const config = { audience: "accountOwner" } as const;
  app.get(`${DASHBOARD_BASE}/account/export`, { config }, async (request, reply) => {
    const call = callOf(parts, request, reply);
    const pieces = await exportOf(call).catch(throwWithFaults);
    return reply
      .header("Content-Type", JSON_CONTENT_TYPE)
      .header("Content-Disposition", 'attachment; filename="repute-account.json"')
      .send(streamOf(call, pieces));
  });
}

/** Runs whole: too large to be held in memory, they are read step by step. */
function addRunFiles(app: App, parts: HttpParts): void {
  const config = { audience: "reader" } as const;
  const files = [
    { end: "csv", type: "text/csv; charset=utf-8", piecesOf: csvOf },
    { end: "json", type: JSON_CONTENT_TYPE, piecesOf: jsonOf },
  ];
  for (const { end, type, piecesOf } of files) {
    app.get(`${DASHBOARD_BASE}/runs/:id/${end}`, { config }, async (request, reply) => {
      const call = callOf(parts, request, reply);
      const { runs } = call.dashboard;
      const ref = refOf(call);
      const run = await runs.read(ref);
      const pieces = piecesOf(run, runs.allItems(ref, { withReports: end === "json" }));
      return reply
        .header("Content-Type", type)
        .header("Content-Disposition", `attachment; filename="repute-run-${run.id.slice(0, 8)}.${end}"`)
        .send(streamOf(call, pieces));
    });
  }
}

const throwWithFaults = (error: unknown): never => {
  throw withFaults(error);
};

function callOf(parts: HttpParts, request: Request, reply: Reply): DashboardCall {
  const { state, params, url } = request;
  const query = new URLSearchParams(url.split("?", 2)[1] ?? "");
  return {
    parts,
    dashboard: parts.dashboard,
    session: state.session,
    token: state.sessionToken,
    client: clientOf(request),
    stillSignedIn: async () => {
      if (state.session === null) return;
      if ((await parts.dashboard.sessions.find(state.sessionToken)) === null) {
        throw new Refusal("NOT_SIGNED_IN");
      }
    },
    param: (name) => paramOf(params, name),
    query: (name) => query.get(name),
    setToken: (token) => setToken(reply, token, isSecurePage(parts.publicUrl, request.headers)),
  };
}

function paramOf(params: unknown, name: string): string {
  const value: unknown =
    typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  if (typeof value !== "string") return "";
  // Nothing has such a name, and PostgreSQL takes no U+0000.
  if (/\p{Cc}/u.test(value)) throw new Refusal("NOT_FOUND");
  return value;
}

function clientOf({ state, headers }: Request): Client {
  return {
    address: state.clientAddress?.text ?? "",
    bucket: clientNameOf(state),
    network: state.clientAddress === null ? "unknown" : clientNetwork(state.clientAddress),
    userAgent: headers["user-agent"] ?? "",
  };
}
