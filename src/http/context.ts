import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../accounts/accounts.ts";
import type { Subscription } from "../accounts/shapes.ts";
import type { TokenReader } from "../accounts/token-reader.ts";
import type { CallMetrics } from "../base/metrics.ts";
import type { Work } from "../base/work.ts";
import type { TableRow } from "../enrichment/table-rows.ts";
import type { ExportShelf } from "../exports/shelf.ts";
import type { SourceHistory } from "../feeds/retrieval/source-days.ts";
import type { FreeLimitStore, LimitStore } from "../metering/limits/types.ts";
import type { CallParts, CallSubject } from "../metering/metered-call.ts";
import type { Policies } from "../risk/policy-options.ts";
import type { Session } from "../sessions/session-store.ts";
import type { Ip } from "../targets/ip.ts";
import type { Encoding } from "./compression.ts";
import type { Audience } from "./dashboard/endpoints.ts";
import type { DashboardParts } from "./dashboard/parts.ts";
import type { SiteOptions } from "./pages/options.ts";

/** What the hooks learn of a request before its handler runs. */
export type RequestState = {
  readonly startedMs: number;
  readonly clientAddress: Ip | null;
  readonly hangUp: AbortController;
  caller: Caller | null;
  credential: string;
  /** Who is signed in, where the route asks for it. */
  session: Session | null;
  /** The cookie's value; never logged, never stored. */
  sessionToken: string;
  /** The limits let the call in. */
  isAdmitted: boolean;
  /** Frees the in-flight slot; any number of times. */
  release: () => void;
  /** What was begun for a call that has a slot; null before its handler runs. */
  work: Work | null;
  /** Set once a history row holds this call. */
  isRecorded: boolean;
  subject: CallSubject;
  /** Credits that the call cost. */
  charged: number;
  /** Of the body of a metered 200; null: as it is. */
  encoding: Encoding | null;
  /** What every answer carries beside its own headers: name, value, name, value … */
  readonly headers: string[];
};

/** What a route tells the hooks about itself. */
export type RouteConfig = {
  /** Name of the endpoint in limits and history; absent for routes without an account. */
  readonly endpoint?: string;
  /** Name of the product that a key may be limited to; absent where every key is good. */
  readonly product?: string;
  readonly halfAllowance?: boolean;
  /** Its answers may cost credits: a caller who leaves before them too often is refused for a while. */
  readonly isMetered?: boolean;
  readonly freeTool?: string;
  readonly cors?: boolean;
  /** Part of the pages: refusals are pages too, and the path may have parameters. */
  readonly page?: boolean;
  readonly targetKind?: string;
  /** Part of the pages' own interface: who may call it. With `endpoint`, the session pays for the call by its own key. */
  readonly audience?: Audience;
  /** Part of the pages' own interface whose body holds a piece of a file. */
  readonly isUpload?: boolean;
  /** Takes a body as large as any call's, and no larger. */
  readonly isBounded?: boolean;
  /** The paths that a route with parameters serves, where these are no ids. */
  readonly pattern?: RegExp;
  /** The password of Basic is a credential of this path, and is asked for. */
  readonly basic?: boolean;
  /** A session opens it as a key does. */
  readonly takesSession?: boolean;
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
  readonly tokens: TokenReader;
  readonly exports: ExportShelf;
  /** False while each process keeps limits of its own though they are meant to be shared; null: they are not. */
  readonly areLimitsShared: () => boolean | null;
  /** Null when the account is gone. */
  readonly subscriptionOf: (accountId: string) => Promise<Subscription | null>;
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** How the tables of places and networks fare. */
  readonly tables: () => readonly TableRow[];
  /** How every source fared lately; rejects while the database is away. */
  readonly sourceHistory: () => Promise<SourceHistory>;
  /** How many of the lists that are downloaded were ever retrieved, and how many answer from their shipped copy. */
  readonly listProgress: () => { readonly loaded: number; readonly shipped: number; readonly total: number };
  /** Lists that should answer and cannot, each with its reason. */
  readonly listsInError: () => readonly { readonly key: string; readonly detail: string }[];
  readonly policies: Policies;
  /** `gate.per_second`. */
  readonly gatePerSecond: number;
  readonly isTrustedProxy: (ip: Ip) => boolean;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  /** What an error of the database comes from, as `explain` of an open one. */
  readonly explainFault: (error: unknown) => Promise<unknown>;
  /** A call was refused as the database is not available. */
  readonly noteOutage: (error: unknown, requestId: string) => void;
  /** Null: not counted. */
  readonly metrics: CallMetrics | null;
  readonly randomUuid: () => string;
  readonly version: string;
  readonly publicUrl: string | null;
  readonly site: SiteOptions;
  /** `server.compress_answers`: metered answers, where they are large and the caller wants it. */
  readonly areAnswersCompressed: boolean;
  readonly dashboard: DashboardParts;
};
