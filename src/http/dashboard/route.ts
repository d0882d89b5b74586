import type { z } from "zod";
import { Refusal } from "../../base/failure.ts";
import type { Wire } from "../../base/wire.ts";
import { validateBody } from "../../metering/read-input.ts";
import type { Client, Session } from "../../sessions/session-store.ts";
import type { HttpParts } from "../context.ts";
import type { DashboardEndpoint } from "./endpoints.ts";
import type { DashboardParts } from "./parts.ts";

/** One call of the pages' own interface under way. */
export type DashboardCall = {
  readonly parts: HttpParts;
  readonly dashboard: DashboardParts;
  /** Null: not signed in, or the route needs no session. */
  readonly session: Session | null;
  /** The session's token; empty without one. */
  readonly token: string;
  readonly client: Client;
  /** Part of the path, by its name. */
  readonly param: (name: string) => string;
  /** Of the query; null when it is not given. */
  readonly query: (name: string) => string | null;
  /** Throws NOT_SIGNED_IN where the session has ended since the call was admitted; without one nothing. */
  readonly stillSignedIn: () => Promise<void>;
  /** Sets the cookie; null takes it away. */
  readonly setToken: (token: string | null) => void;
};

/** A call with its session: for endpoints that require one. */
export function signedIn({ session }: DashboardCall): Session {
  if (session === null) throw new Refusal("NOT_SIGNED_IN");
  return session;
}

/** Who asks for a change of the account's people, keys or tokens. */
export function askedBy(call: DashboardCall) {
  const { id: sessionId, account, actor } = signedIn(call);
  return { accountId: account.id, actor, sessionId };
}

/** What a change of an account's results and runs is asked for by: its transaction asks whether the session still stands. */
export function changeBy(call: DashboardCall) {
  const { id: sessionId, account } = signedIn(call);
  const by = { accountId: account.id, sessionId };
  return { accountId: account.id, guard: call.dashboard.guardBySession(by) };
}

/** An endpoint with what answers it, input and output sealed: they were checked against one another. */
export type DashboardRoute = {
  readonly endpoint: DashboardEndpoint;
  /** `body` is what the caller sent, as JSON. */
  readonly answer: (call: DashboardCall, body: unknown) => Promise<object>;
};

/** An endpoint that reads a body, with its handler. */
export const takes = <I extends object, O extends object>(
  endpoint: DashboardEndpoint & { readonly input: z.ZodType<I>; readonly output: z.ZodType<O> },
  handle: (call: DashboardCall, input: I) => Promise<Wire<z.ZodType<NoInfer<O>>>>,
): DashboardRoute => ({
  endpoint,
  answer: async (call, body) => handle(call, validateBody(endpoint.input, body)),
});

/** The same for one whose members may all be left out, and the body with them. */
export const mayTake = <I extends object, O extends object>(
  endpoint: DashboardEndpoint & { readonly input: z.ZodType<I>; readonly output: z.ZodType<O> },
  handle: (call: DashboardCall, input: I) => Promise<Wire<z.ZodType<NoInfer<O>>>>,
): DashboardRoute => ({
  endpoint,
  answer: async (call, body = {}) => handle(call, validateBody(endpoint.input, body)),
});

/** One without a body. */
export const gives = <O extends object>(
  endpoint: DashboardEndpoint & { readonly input: null; readonly output: z.ZodType<O> },
  handle: (call: DashboardCall) => Promise<Wire<z.ZodType<NoInfer<O>>>>,
): DashboardRoute => ({ endpoint, answer: handle });
