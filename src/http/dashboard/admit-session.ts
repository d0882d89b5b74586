import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../failure.ts";
import { isCsrfToken } from "../../sessions/tokens.ts";
import type { HttpParts, Request } from "../context.ts";
import { clientNameOf, takePlace } from "../window.ts";
import { tokenOf } from "./cookie.ts";
import type { Audience } from "./endpoints.ts";

/** The session behind a request's cookie, if it is alive, into the request's state. */
export async function readSession({ dashboard }: HttpParts, { headers, state }: Request): Promise<void> {
  const token = tokenOf(headers);
  if (token === null) return;
  state.session = await dashboard.sessions.find(token);
  state.sessionToken = state.session === null ? "" : token;
}

/** Calls a second on the pages' own interface, for a session and for a client that has none. Source: security P7. */
export const DASHBOARD_CALLS_PER_SECOND = 10;

/**
 * What the pages' own interface wants of a call before its body is read: that it comes from a page of this service, a
 * session where one is needed, its CSRF token, an owner's where owners alone may call, and a place in the window of
 * the session or the client. Source: security P7, P15.
 */
export async function admitSession(parts: HttpParts, request: Request, audience: Audience): Promise<void> {
  const { headers, method } = request;
  const isChange = method !== "GET" && method !== "HEAD";
  if (isChange && !isSameOrigin(headers, parts.publicUrl)) throw crossSite(parts.publicUrl);
  await readSession(parts, request);
  assertAudience(parts, request, audience, isChange);
  const { session } = request.state;
  const bucket = session === null ? `${clientNameOf(request.state)} pages` : `${session.id} session`;
  request.state.release = await takePlace(parts, { bucket, perSecond: DASHBOARD_CALLS_PER_SECOND });
}

function assertAudience(
  { dashboard }: HttpParts,
  { headers, state }: Request,
  audience: Audience,
  isChange: boolean,
): void {
  if (audience === "everybody") return;
  if (state.session === null && audience === "leaving") return;
  if (state.session === null) throw new Refusal("NOT_SIGNED_IN");
  if (isChange && !isCsrfToken(headers["x-csrf-token"], state.sessionToken)) {
    throw new Refusal("CROSS_SITE", {
      message: "The header X-CSRF-Token is missing or is another session's: load the page again",
    });
  }
  if (audience === "owner" && !dashboard.sessions.isOwner(state.session.account)) {
    throw new Refusal("FORBIDDEN");
  }
}

/** Browsers send `Origin` with everything but GET: it must be ours; without one nothing is changed. */
function isSameOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { origin: own, host: ownHost, protocol } = new URL(origin);
  // What no browser writes is no origin: another scheme, a name or a path beside the host.
  if (own !== origin || (protocol !== "http:" && protocol !== "https:")) return false;
  if (publicUrl !== null) return own === new URL(publicUrl).origin;
  // TLS may end before us, where nobody told us of it: the host alone is compared.
  const asked = `http://${host ?? ""}`;
  return URL.canParse(asked) && new URL(asked).host === ownHost;
}

const crossSite = (publicUrl: string | null): Refusal =>
  publicUrl === null
    ? new Refusal("CROSS_SITE")
    : new Refusal("CROSS_SITE", {
        message: `The call does not come from a page of this service: use it at ${new URL(publicUrl).origin}`,
      });
