import type { Caller } from "../accounts/accounts.ts";
import type { KeyRestriction } from "../accounts/key-options.ts";
import { planOf } from "../accounts/plans.ts";
import { counted } from "../base/counted.ts";
import { Refusal } from "../base/failure.ts";
import { FREE_WINDOW_S } from "../metering/limits/free.ts";
import { MAX_HANG_UPS } from "../metering/limits/hang-ups.ts";
import { halfOf, rateHeaders } from "../metering/limits/headers.ts";
import type { Admission } from "../metering/limits/types.ts";
import type { HttpParts, Reply, Request, RequestState, RouteConfig } from "./context.ts";
import { credentialOf } from "./credential.ts";
import { admitAudience, readSession } from "./dashboard/admit-session.ts";
import type { Audience } from "./dashboard/endpoints.ts";
import { refusalOfKey } from "./token-admission.ts";
import { clientNameOf } from "./window.ts";

/** Window of the authenticated endpoints, seconds (interface 8.3). */
const WINDOW_S = 1;

/** Known key, allowed by its own limits, then the account's: what design 13.1 wants before a body is read. At once where nothing is waited for. */
export function admitAccount(parts: HttpParts, request: Request, reply: Reply): Promise<void> | undefined {
  const { state } = request;
  const config: RouteConfig = request.routeOptions.config;
  if (config.audience !== undefined) return admitSessionCall(parts, request, reply, config.audience);
  state.credential = credentialOf(request.headers) ?? "";
  const caller = findCaller(parts, request, config);
  if (caller instanceof Promise) return caller.then((found) => admitCaller(parts, request, reply, found));
  return admitCaller(parts, request, reply, caller);
}

/** A call of the pages that costs credits: from a page of ours, of a session that may spend, within its account's limits. */
async function admitSessionCall(
  parts: HttpParts,
  request: Request,
  reply: Reply,
  audience: Audience,
): Promise<void> {
  await admitAudience(parts, request, audience);
  const { session } = request.state;
  if (session === null) throw new Refusal("NOT_SIGNED_IN");
  const { ledger } = parts.calls;
  let caller = await ledger.findSessionCaller(session.id);
  if (caller === null) {
    const { actor } = session;
    const { id: accountId } = session.account;
    await parts.dashboard.makeSessionKey({ accountId, sessionId: session.id, actor });
    caller = await ledger.findSessionCaller(session.id);
  }
  if (caller === null) throw new Refusal("NOT_SIGNED_IN");
  await admitCaller(parts, request, reply, caller);
}

function admitCaller(
  parts: HttpParts,
  request: Request,
  reply: Reply,
  caller: Caller | null,
): Promise<void> | undefined {
  const { state } = request;
  if (caller === null) throw refusalOfKey(state.credential);
  const config: RouteConfig = request.routeOptions.config;
  if (caller.restriction !== null) assertAllowed(caller.restriction, state.clientAddress, config);
  state.caller = caller;
  state.subject = { targetKind: config.targetKind ?? "", target: null, items: 0 };
  const allowance = planOf(caller.plan).requestsPerSecond;
  const perSecond = config.halfAllowance ? halfOf(allowance) : allowance;
  const { accountId } = caller;
  const owner = config.isMetered ? accountId : undefined;
  const admission = parts.limits.admit(`${accountId} ${config.endpoint ?? ""}`, perSecond, owner);
  const apply = (made: Admission): void => {
    applyAdmission(made, WINDOW_S, reply);
    if (made.state !== "admitted") return;
    state.isAdmitted = true;
    state.release = made.release;
  };
  if (admission instanceof Promise) return admission.then(apply);
  apply(admission);
  return undefined;
}

/**
 * Refuses a call that its key's limits rule out, before it takes a place in a window or leaves a row: a thief of a key
 * that works elsewhere uses up nothing of its account.
 */
function assertAllowed(
  { allowsAddress, allowsProduct }: KeyRestriction,
  address: RequestState["clientAddress"],
  { product }: RouteConfig,
): void {
  if (!allowsAddress(address)) {
    throw new Refusal("FORBIDDEN", {
      message: `This API key may not be used from ${address?.text ?? "an unknown address"}`,
      details: { client_address: address?.text ?? null },
    });
  }
  if (product !== undefined && !allowsProduct(product)) {
    throw new Refusal("FORBIDDEN", {
      message: `This API key may not be used for ${product}`,
      details: { product },
    });
  }
}

/**
 * Who calls, by key or, where the route takes one and no key was sent, by session: null when none is known. Of a call that a
 * session pays for, by the session's own key.
 */
export function findCaller(
  parts: HttpParts,
  request: Request,
  { takesSession = false, audience }: RouteConfig,
): Promise<Caller | null> | Caller | null {
  const { credential, session } = request.state;
  if (audience !== undefined)
    return session === null ? null : parts.calls.ledger.findSessionCaller(session.id);
  if (credential !== "") return parts.calls.ledger.findCaller(credential);
  return takesSession ? callerOfSession(parts, request) : null;
}

async function callerOfSession(parts: HttpParts, request: Request): Promise<Caller | null> {
  const { state } = request;
  await readSession(parts, request);
  if (state.session === null) return null;
  const { id, plan, credits, creditsResetAt } = state.session.account;
  return { accountId: id, keyId: "", keyPrefix: "session", plan, credits, creditsResetAt, restriction: null };
}

/** The free tools' window, per tool and client. */
export async function admitClient(
  parts: HttpParts,
  request: Request,
  reply: Reply,
  freeTool: string,
): Promise<void> {
  const bucket = `${clientNameOf(request.state)} ${freeTool}`;
  applyAdmission(await parts.freeLimits.admit(bucket), FREE_WINDOW_S, reply);
}

function applyAdmission(admission: Admission, windowS: number, reply: Reply): void {
  if (admission.state === "admitted") {
    const headers = rateHeaders(admission.limits, windowS);
    for (const name in headers) reply.request.state.headers.push(name, headers[name] ?? "");
    return;
  }
  const { limits, scope, retryAfterS } = admission;
  reply.headers(rateHeaders(limits, windowS, scope));
  const message = `More than ${excessOf(admission, windowS)}; try again in ${retryAfterS} s`;
  throw new Refusal("RATE_LIMIT_EXCEEDED", { message, retryAfterS });
}

function excessOf(
  { limits, scope, isForHangUps }: Admission & { readonly state: "refused" },
  windowS: number,
): string {
  if (isForHangUps)
    return `${MAX_HANG_UPS} calls of this account were hung up before their answers in a minute`;
  if (scope === "concurrency") return `${counted(limits.concurrencyLimit, "call")} at once on this endpoint`;
  return `${counted(limits.limit, "call")} ${windowS === 1 ? "a second" : `in ${windowS} seconds`}`;
}
