import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../accounts/accounts.ts";
import type { CallParts, CallSubject } from "../calls/call.ts";
import type { FreeLimitStore, LimitStore } from "../limits/limits.ts";
import type { Ip } from "../targets/ip.ts";

/** What the hooks learn of a request before its handler runs. */
export type RequestState = {
  readonly startedMs: number;
  readonly clientAddress: Ip | null;
  readonly hangUp: AbortController;
  caller: Caller | null;
  credential: string;
  /** Frees the in-flight slot; any number of times. */
  release: () => void;
  /** Set once a history row holds this call. */
  isRecorded: boolean;
  subject: CallSubject;
};

/** What a route tells the hooks about itself. */
export type RouteConfig = {
  /** Name of the endpoint in limits and history; absent for routes without an account. */
  readonly endpoint?: string;
  readonly halfAllowance?: boolean;
  readonly freeTool?: string;
  readonly cors?: boolean;
  readonly targetKind?: string;
};

declare module "fastify" {
  interface FastifyRequest {
    state: RequestState;
  }
  interface FastifyContextConfig extends RouteConfig {}
}

export type App = FastifyInstance;
export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** Everything the HTTP surface is wired to. */
export type HttpParts = {
  readonly calls: CallParts;
  readonly limits: LimitStore;
  readonly freeLimits: FreeLimitStore;
  /** Null when the account is gone. */
  readonly subscriptionOf: (accountId: string) => Promise<object | null>;
  readonly isDatabaseReachable: () => Promise<boolean>;
  readonly isTrustedProxy: (ip: Ip) => boolean;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  readonly randomUuid: () => string;
  readonly version: string;
  readonly publicUrl: string | null;
};
