import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../base/failure.ts";
import type { Session } from "../../sessions/session-store.ts";
import { isCsrfToken } from "../../sessions/tokens.ts";
import type { HttpParts, Request, RequestState } from "../context.ts";
import { isOwnHost } from "../own-host.ts";
import { clientNameOf, takePlace } from "../window.ts";
import { tokensOf } from "./cookie.ts";
import type { Audience } from "./endpoints.ts";

/**
 * The session behind a request's cookies, if one is alive, into the request's state. Of several the one whose CSRF token
 * came along, else the one whose cookie comes last.
 */
export async function readSession(parts: HttpParts, { headers, state }: Request): Promise<void> {
  const tokens = tokensOf(headers);
  if (tokens.length === 0 || !isOwnHost(parts, headers.host)) return;
  const alive = await parts.dashboard.sessions.findAll(tokens);
  const csrf = headers["x-csrf-token"];
  const meant = alive.find(({ token }) => isCsrfToken(csrf, token)) ?? alive[0];
  state.session = meant?.session ?? null;
  state.sessionToken = meant?.token ?? "";
}

/** Calls a second on the pages' own interface. Source: security P7, P22. */
const DASHBOARD_CALLS_PER_SECOND = 10;

/**
 * What the pages' own interface wants of a call before its body is read: what its audience needs, and a place in the
 * window of the caller. Source: security P7, P15.
 */
export async function admitSession(parts: HttpParts, request: Request, audience: Audience): Promise<void> {
  await admitAudience(parts, request, audience);
  const bucket = `${callerOf(request.state)} pages`;
  request.state.release = await takePlace(parts, { bucket, perSecond: DASHBOARD_CALLS_PER_SECOND });
}

/**
 * Who has a window of their own: a person with all their sessions, those that keys of an account opened, a client without a
 * session. A person who floods must not keep an owner from removing them.
 */
function callerOf(state: RequestState): string {
  if (state.session === null) return clientNameOf(state);
  const { person, account } = state.session;
  return person?.id ?? `${account.id} keys`;
}

/**
 * That a call which changes or costs something comes from a page of this service, a session where one is needed, its CSRF
 * token, one opened by more than a key, and the role that it wants. Source: security P15.
 */
export async function admitAudience(parts: HttpParts, request: Request, audience: Audience): Promise<void> {
  const { headers, method } = request;
  const isChange = method !== "GET" && method !== "HEAD";
  if (isChange && !isSameOrigin(headers, parts.publicUrl)) throw crossSite(parts.publicUrl);
  await readSession(parts, request);
  assertAudience(parts, request, audience, isChange);
}

function assertAudience(
  { dashboard }: HttpParts,
  { headers, state, routeOptions }: Request,
  audience: Audience,
  isChange: boolean,
): void {
  // A form has its token in the body, and its handler looks there.
  const isByHeader = isChange && routeOptions.config.page !== true;
  if (audience === "everybody") return;
  if (state.session === null && audience === "leaving") return;
  if (state.session === null) throw new Refusal("NOT_SIGNED_IN");
  if (isByHeader && !isCsrfToken(headers["x-csrf-token"], state.sessionToken)) {
    throw new Refusal("CROSS_SITE", {
      message: "The header X-CSRF-Token is missing or is another session's: load the page again",
    });
  }
  if (audience === "leaving" || audience === "reader") return;
  const { person } = state.session;
  if (person === null) throw readsOnly(state.session);
  if (audience === "person") return;
  if (person.role === "viewer") throw new Refusal("FORBIDDEN", { message: VIEWER });
  if (audience === "accountOwner" && person.role !== "owner") {
    throw new Refusal("FORBIDDEN", { message: "Only owners of this account may do this" });
  }
  if (audience === "owner" && !dashboard.sessions.isOperator(state.session)) {
    throw new Refusal("FORBIDDEN", { message: "Only owners of this installation may do this" });
  }
}

const VIEWER = "You are a viewer of this account and may only read: ask one of its owners for another role";

const readsOnly = ({ keyPrefix }: Session): Refusal =>
  new Refusal("FORBIDDEN", {
    message:
      `You signed in with the API key ${keyPrefix ?? ""}…, which can only read here. Sign in with your e-mail address and ` +
      "password instead; if you have no password yet, set one with the link of Forgotten password or of your operator",
  });

/** Browsers send `Origin` with everything but GET: it must be ours; without one nothing is changed. */
function isSameOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { origin: own, host: ownHost, protocol } = new URL(origin);
  // What no browser writes is no origin: another scheme, a name or a path beside the host.
  if (own !== origin || (protocol !== "http:" && protocol !== "https:")) return false;
  if (publicUrl !== null) return own === new URL(publicUrl).origin;
  // TLS may end before us, where the configuration does not say so: the host alone is compared.
  const asked = `http://${host ?? ""}`;
  return URL.canParse(asked) && new URL(asked).host === ownHost;
}

const crossSite = (publicUrl: string | null): Refusal =>
  publicUrl === null
    ? new Refusal("CROSS_SITE")
    : new Refusal("CROSS_SITE", {
        message: `The call does not come from a page of this service: use it at ${new URL(publicUrl).origin}`,
      });
