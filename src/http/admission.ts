import type { Caller } from "../accounts/accounts.ts";
import { planOf } from "../accounts/plans.ts";
import { Refusal } from "../failure.ts";
import { FREE_WINDOW_S } from "../limits/free.ts";
import { MAX_HANG_UPS } from "../limits/hang-ups.ts";
import { halfOf, rateHeaders } from "../limits/headers.ts";
import type { Admission } from "../limits/limits.ts";
import { counted } from "../products/messages.ts";
import type { HttpParts, Reply, Request, RouteConfig } from "./context.ts";
import { credentialOf } from "./credential.ts";
import { readSession } from "./dashboard/admit-session.ts";
import { clientNameOf } from "./window.ts";

/** Window of the authenticated endpoints, seconds (interface 8.3). */
const WINDOW_S = 1;

/** Known key, then both limits: what design 13.1 wants before a body is read. At once where nothing is waited for. */
export function admitAccount(parts: HttpParts, request: Request, reply: Reply): Promise<void> | undefined {
  const { state } = request;
  const config: RouteConfig = request.routeOptions.config;
  state.credential = credentialOf(request.headers) ?? "";
  const caller = findCaller(parts, request, config);
  if (caller instanceof Promise) return caller.then((found) => admitCaller(parts, request, reply, found));
  return admitCaller(parts, request, reply, caller);
}

function admitCaller(
  parts: HttpParts,
  request: Request,
  reply: Reply,
  caller: Caller | null,
): Promise<void> | undefined {
  if (caller === null) throw new Refusal("UNAUTHORIZED");
  const { state } = request;
  const config: RouteConfig = request.routeOptions.config;
  state.caller = caller;
  state.subject = { targetKind: config.targetKind ?? "", target: null, items: 0 };
  const allowance = planOf(caller.plan).requestsPerSecond;
  const perSecond = config.halfAllowance ? halfOf(allowance) : allowance;
  const { accountId } = caller;
  const owner = config.isMetered ? accountId : undefined;
  const admission = parts.limits.admit(bucketOf(accountId, config.endpoint ?? ""), perSecond, owner);
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

const buckets = new Map<string, Map<string, string>>();
const MAX_BUCKETS = 10_000;

/** The limits' name of an account on an endpoint: the same text again for the same, which is found faster than an equal one. */
function bucketOf(accountId: string, endpoint: string): string {
  let names = buckets.get(endpoint);
  if (names === undefined) {
    names = new Map();
    buckets.set(endpoint, names);
  }
  const known = names.get(accountId);
  if (known !== undefined) return known;
  const made = `${accountId} ${endpoint}`;
  if (names.size >= MAX_BUCKETS) names.clear();
  names.set(accountId, made);
  return made;
}

/** Who calls, by key or, where the route takes one and no key was sent, by session: null when nobody does. */
export function findCaller(
  parts: HttpParts,
  request: Request,
  { takesSession = false }: RouteConfig,
): Promise<Caller | null> | Caller | null {
  const { credential } = request.state;
  if (credential !== "") return parts.calls.ledger.findCaller(credential);
  return takesSession ? callerOfSession(parts, request) : null;
}

async function callerOfSession(parts: HttpParts, request: Request): Promise<Caller | null> {
  const { state } = request;
  await readSession(parts, request);
  if (state.session === null) return null;
  const { id, plan, credits, creditsResetAt } = state.session.account;
  return { accountId: id, keyId: "", keyPrefix: "session", plan, credits, creditsResetAt };
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
