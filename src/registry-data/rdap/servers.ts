import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/durations.ts";
import { type Budget, createBudget } from "../../net/budget.ts";
import { presentParty } from "../../net/party.ts";

/** One word why RDAP did not answer; `provenance.fallback_reason` repeats it. */
export type RdapFailure =
  | "timeout"
  | "rate_limited"
  | "server_error"
  | "refused"
  | "unreachable"
  | "invalid_response";

/** A place at a server, or why there is none now. */
type Place =
  | { readonly state: "open"; readonly leave: () => void }
  | {
      readonly state: "shut";
      readonly reason: RdapFailure;
      readonly detail: string;
    };

/** How the servers are: who is busy, who asked for rest, who is silent. */
export type RdapServers = {
  /** Waits for a place; an aside question never waits, and none of it goes to a server that was silent just now. */
  readonly enter: (host: string, who: { signal: AbortSignal; isAside: boolean }) => Promise<Place>;
  /** Whether a question aside would be turned away. */
  readonly isShut: (host: string) => boolean;
  /** 429: left alone for `Retry-After`, seconds or a date, else 60 s. */
  readonly noteLimit: (host: string, retryAfter: string | null) => void;
  readonly noteSilence: (host: string) => void;
  readonly noteAnswer: (host: string) => void;
};

/** Questions at one server at a time. */
const PLACES = 8;
const DEFAULT_REST_MS = 60_000;
const LONGEST_REST_MS = DAY_MS;
/** After a silence, how long only those ask who wait for the answer. */
const SILENT_REST_MS = 60_000;
const MAX_SERVERS = 500;

type Server = { places: Budget; inside: number; limitedUntilMs: number; silentUntilMs: number };

/** The state of every server asked lately, in memory; the one longest unused is forgotten first. */
export function createServers(clock: Clock): RdapServers {
  const servers = new Map<string, Server>();
  const serverOf = (host: string): Server => {
    const server = servers.get(host) ?? {
      places: createBudget({ capacity: PLACES }),
      inside: 0,
      limitedUntilMs: Number.NEGATIVE_INFINITY,
      silentUntilMs: Number.NEGATIVE_INFINITY,
    };
    servers.delete(host);
    servers.set(host, server);
    const oldest = servers.keys().next();
    if (servers.size > MAX_SERVERS && !oldest.done) servers.delete(oldest.value);
    return server;
  };
  return {
    enter: async (host, { signal, isAside }) => {
      const server = serverOf(host);
      const closed = shutReason(server, isAside, clock);
      if (closed !== null) return closed;
      server.inside++;
      const place = await server.places.acquire({ party: presentParty(), signal });
      if (place === null) {
        server.inside--;
        return shut("timeout", "No place at the registry in time");
      }
      const leave = () => {
        server.inside--;
        place.release();
      };
      const limited = shutReason(server, false, clock); // said while this question waited
      if (limited === null) return { state: "open", leave };
      leave();
      return limited;
    },
    isShut: (host) => {
      const server = servers.get(host);
      return server !== undefined && shutReason(server, true, clock) !== null;
    },
    noteLimit: (host, retryAfter) => {
      serverOf(host).limitedUntilMs = clock.monotonicMs() + restMs(retryAfter, clock.now());
    },
    noteSilence: (host) => {
      serverOf(host).silentUntilMs = clock.monotonicMs() + SILENT_REST_MS;
    },
    noteAnswer: (host) => {
      serverOf(host).silentUntilMs = Number.NEGATIVE_INFINITY;
    },
  };
}

function shutReason(server: Server, isAside: boolean, clock: Clock): Place | null {
  const nowMs = clock.monotonicMs();
  if (nowMs < server.limitedUntilMs) {
    return shut("rate_limited", "The registry asked to be left alone for a while");
  }
  if (!isAside) return null;
  if (nowMs < server.silentUntilMs) return shut("unreachable", "The registry was silent just now");
  return server.inside >= PLACES ? shut("rate_limited", "Too many questions under way") : null;
}

const shut = (reason: RdapFailure, detail: string): Place => ({
  state: "shut",
  reason,
  detail,
});

function restMs(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_REST_MS) : DEFAULT_REST_MS;
}
